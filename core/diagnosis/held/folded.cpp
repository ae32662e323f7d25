// Recognises the factor of the scores in q and k.
#include "core/diagnosis/held/folded.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

bool is_folded(const Finding& finding) {
    return finding.words.phrase == &say::kFolded;
}

}  // namespace

double Folded::factor() const {
    return sides == Side::both ? std::sqrt(scale) : scale;
}

std::optional<Folded> folded_gain(double gain, Side sides, double scale, double rounding) {
    const Folded folded{sides, scale};
    const bool same = std::abs(gain / folded.factor() - 1.0) <= rounding;
    return same && scale != 1.0 ? std::optional(folded) : std::nullopt;
}

std::optional<HeldFolded> held_folded(const Held& held, double scale) {
    for (const Side sides : {Side::q, Side::k, Side::both}) {
        HeldFolded found{held, {sides, scale}};
        bool any = false;
        for (StatedSide& side : found.held.sides) {
            if (!contains(sides, side.name)) {
                continue;
            }
            any = true;
            const double factor = found.folded.factor();
            ChangedTensor before = changed(side.tensors.before, Dtype::f64,
                                           [&](Index, Index, Index, std::span<double> channels) {
                                               for (double& each : channels) {
                                                   each *= factor;
                                               }
                                           });
            side.tensors.before = before.view;
            side.owner = before.owner;
        }
        if (any && scale != 1.0) {
            hold_again(found.held);
            if (found.held.met()) {
                return found;
            }
        }
    }
    return std::nullopt;
}

Finding finding_of(const Folded& folded) {
    const bool both = folded.sides == Side::both;
    return {faults::code("gain"),
            {say::kFolded,
             {folded.sides, both ? say::kFoldedAreBoth : say::kFoldedIsOne, folded.factor(),
              folded.scale, both ? Value(say::kFoldedRoot) : Value()}},
            {folded.sides},
            folded.factor(),
            1.0,
            Weight::equivalent};
}

void weigh_folded_scores(const Dump& dump, Diagnosis& diagnosis) {
    const auto folded = std::ranges::find_if(diagnosis.findings, is_folded);
    if (!dump.scores || folded == diagnosis.findings.end()) {
        return;
    }
    const auto of_scale = [](const Finding& finding) {
        return finding.code == faults::code("softmax.scale");
    };
    const auto scale = std::ranges::find_if(diagnosis.findings, of_scale);
    if (scale == diagnosis.findings.end()) {
        folded->words = {say::kFoldedTwice, {folded->words}};
        folded->weight = Weight::fault;
        std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
        return;
    }
    // Scores that are the plain product are what they should be.
    const auto* factor = std::get_if<double>(&scale->measured);
    constexpr double kFewDigits = 0x1p-6;  // no other factor of a formula is so near to 1
    if (factor != nullptr && std::abs(*factor - 1.0) < kFewDigits) {
        diagnosis.findings.erase(scale);
        std::erase_if(diagnosis.mismatches, of_scale);
    }
}

}  // namespace ropescope::diagnosis
