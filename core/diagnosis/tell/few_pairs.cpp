// Puts statements about few pairs right.
#include "core/diagnosis/tell/few_pairs.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/recovered.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

constexpr Index kFewPairs = 2;

Index turning_pairs(const Explanation& side) {
    return side.model ? std::ssize(side.model->omega) - std::ranges::count(side.model->omega, 0.0)
                      : 0;
}

/// A phase, or other positions than stated.
bool is_of_places(const Finding& finding) {
    return finding.weight != Weight::note &&
           (finding.code == faults::code("phase") || finding.code.starts_with("positions."));
}

}  // namespace

void state_whole_width(Explanation& side) {
    if (side.pairing.layout != "half_split" || side.pairing.pairs.empty() || !side.model ||
        !side.model->base || side.axis_map ||
        !std::holds_alternative<NoScaling>(side.model->scaling)) {
        return;
    }
    SpectrumModel& model = *side.model;
    const ChannelPair first = side.pairing.pairs.front();
    const Index width = 2 * (first.second - first.first), turning = model.rotary_dim;
    if (turning >= width || turning < 2) {
        return;
    }
    const double share = to_double(turning) / to_double(width);
    model.base = std::pow(*model.base, 1.0 / share);
    model.base_error *= *model.base / share;
    model.scaling = ProportionalScaling{share, 1.0};
    model.rotary_dim = width;
    model.omega.resize(width / 2, 0.0);
    model.code = faults::code("spectrum.scaled");
    model.words = {say::kProportional, {Measured{*model.base}, width, turning}};
}

void take_back_names_of_few_pairs(Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    const Explanation& side = leading(analysis.sides);
    if (!side.model || turning_pairs(side) > kFewPairs) {
        return;
    }
    // A base and a factor that were both fitted are as many numbers as the pairs have.
    const bool fitted = side.model->base_error > 0.0 && side.model->fitted_factor != 1.0;
    if (!fitted && std::ranges::none_of(diagnosis.findings, is_of_places)) {
        return;
    }
    std::erase_if(diagnosis.findings, is_of_places);
    diagnosis.next.push_back({say::kFewPairs, {turning_pairs(side)}});
    diagnosis.position_offset.reset();
    diagnosis.positions.clear();
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
}

}  // namespace ropescope::diagnosis
