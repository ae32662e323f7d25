// Makes a rotation of the parameters that were found.
#include "core/diagnosis/held/found_rotation.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

bool says_all(const Explanation& side) {
    const bool changes = std::ranges::any_of(side.findings, [](const Finding& finding) {
        return finding.code == faults::code("spectrum.changes_at");
    });
    return is_explained(side) && side.gain.uniform && !side.stretch && !side.heads_differ &&
           side.gain.zero_at.empty() && !side.model->rounded && !changes &&
           (!side.axis_map || side.axis_map->explained());
}

/// Where the tokens were found, and how far off that may be. A token that is as good at a whole
/// number, or where it is stated, stands there; one that says nothing stands where it is stated.
struct FoundPositions {
    DumpPositions positions = {};
    double error = 0.0;
    bool elsewhere = false;  ///< whether a token stands where it is not stated, by no common offset
    Index looked_at = 0;     ///< tokens of a row whose places were looked for
};

DumpSide beginning_of(DumpSide tensors, Index tokens) {
    tensors.before.length = tensors.after.length = tokens;
    return tensors;
}

DumpPositions beginning_of(const DumpPositions& positions, Index tokens) {
    DumpPositions beginning{.batch = positions.batch, .length = tokens};
    for (Index b = 0; b < positions.batch; ++b) {
        for (Index l = 0; l < tokens; ++l) {
            beginning.values.push_back(positions.at(0, b, l));
        }
    }
    return beginning;
}

/// `stated` are the positions of the dump.
FoundPositions found_positions(const Explanation& side, const DumpTensor& tensor,
                               const DumpPositions& stated) {
    FoundPositions found{{.batch = tensor.batch, .length = tensor.length}};
    const double offset = side.offset.value_or(0.0);
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index l = 0; l < tensor.length; ++l) {
            found.positions.values.push_back(stated.at(0, b, l) + offset);
        }
    }
    found.looked_at = side.turns.length;
    const Index rows = side.offset ? 0 : tensor.batch;
    for (Index i = 0; i < rows * side.turns.length; ++i) {
        const Index b = i / side.turns.length, l = i % side.turns.length;
        const Index at = b * side.heads * side.turns.length + l;
        double& position = found.positions.values[b * tensor.length + l];
        const double place = side.places.position[at];
        const double error = 2.0 * side.places.error[at] + 1e-6;
        if (std::isnan(place)) {
            found.looked_at = std::min(found.looked_at, l);
        }
        if (!std::isfinite(error) || !std::isfinite(place) || std::abs(place - position) <= error) {
            continue;
        }
        const double whole = std::round(place);
        const bool is_whole = std::abs(place - whole) <= error;
        position = is_whole ? whole : place;
        found.error = is_whole ? found.error : std::max(found.error, error);
        found.elsewhere = true;
    }
    if (found.elsewhere) {
        found.positions = beginning_of(found.positions, found.looked_at);
    }
    if (side.offset && *side.offset != std::round(100.0 * *side.offset) / 100.0) {
        for (const double error : side.places.error) {
            found.error = std::isfinite(error) ? std::max(found.error, 2.0 * error) : found.error;
        }
    }
    return found;
}

/// The method's own factor, if that is what was measured.
double stated_gain(const Explanation& side) {
    const double rounding = kRotationUnits * side.format.unit + side.noise.table_rad + 0x1p-20;
    for (const double factor : {1.0, gain_of_method(side)}) {
        if (std::abs(side.gain.value - factor) <= rounding) {
            return factor;
        }
    }
    return side.gain.value;
}

/// [pairs], forwards, of a base that all axes share; empty if that is not what is stated.
std::vector<double> speeds_of_base(const SpectrumModel& model) {
    if (!model.base || model.words.phrase == &say::kBaseInEachAxis) {
        return {};
    }
    return make_spectrum({.head_dim = model.rotary_dim,
                          .rotary_dim = model.rotary_dim,
                          .base = *model.base,
                          .scaling = model.scaling})
        .inv_freq_rad;
}

/// [pairs, axes]: as the stated base has it, which leaves nothing open, and else as they were
/// measured, with what the measurement leaves open. A pair that shows no axis is stated to stay.
HeldHead speeds_of_map(const AxisMap& map, const SpectrumModel& model, int sign, Index pairs) {
    const std::vector<double> of_base = speeds_of_base(model);
    HeldHead head;
    for (Index p = 0; p < pairs; ++p) {
        std::vector<double> row = map.row(p);
        double open = map.axis[p] != kAnyAxis && std::isfinite(map.error[p]) ? map.error[p] : 0.0;
        if (open > 0.0 && map.axis[p] >= 0 && p < std::ssize(of_base)) {
            row[map.axis[p]] = sign * of_base[p];
            open = 0.0;
        }
        const std::vector<double> errors = frequency_errors(row);
        for (Index a = 0; a < map.axes; ++a) {
            head.omega.push_back(row[a]);
            head.error.push_back(errors[a] + open);
        }
    }
    return head;
}

/// A common turn of every pair.
std::vector<PairMatrix> turned(Index pairs, double phase_rad) {
    const double c = std::cos(phase_rad), s = std::sin(phase_rad);
    return std::vector<PairMatrix>(pairs, {c, -s, s, c});
}

}  // namespace

double gain_of_method(const Explanation& side) {
    if (!side.model || !side.model->base ||
        !std::holds_alternative<YarnScaling>(side.model->scaling)) {
        return 1.0;
    }
    return make_spectrum({.head_dim = side.model->rotary_dim,
                          .rotary_dim = side.model->rotary_dim,
                          .base = *side.model->base,
                          .scaling = side.model->scaling})
        .attention_factor;
}

std::optional<Residual> residual_of_found(const Explanation& side, const DumpSide& tensors,
                                          const DumpPositions& positions) {
    if (!says_all(side)) {
        return std::nullopt;
    }
    ExpectedRotation rotation{.axes = side.axis_map ? positions.axes : 1};
    // Pairs behind the speeds of a model stay as they are, bit by bit.
    const Index stated = std::min<Index>(side.model->rotary_dim / 2, std::ssize(side.model->omega));
    const Index turning = std::min<Index>(stated, std::ssize(side.pairing.pairs));
    rotation.pairs.assign(side.pairing.pairs.begin(), side.pairing.pairs.begin() + turning);
    rotation.written.assign(side.pairing.rotated.begin(), side.pairing.rotated.begin() + turning);
    rotation.still_at = side.pairing.still_at;
    DumpPositions stood = positions;
    Index looked_at = tensors.before.length;
    if (side.axis_map) {
        rotation.heads = {speeds_of_map(*side.axis_map, *side.model, side.sign, turning)};
    } else {
        rotation.heads = {
            {signed_omega(*side.model, side.sign, turning), omega_errors(*side.model, turning)}};
        FoundPositions found = found_positions(side, tensors.before, positions);
        stood = std::move(found.positions);
        looked_at = found.elsewhere ? found.looked_at : looked_at;
        rotation.position_error = found.error;
    }
    HeldHead& head = rotation.heads.front();
    head.gain = stated_gain(side);
    // A factor that no method states is known as exactly as it was measured.
    head.gain_error = head.gain == side.gain.value && head.gain != 1.0
                          ? kRotationUnits * side.format.unit + 0x1p-23
                          : 0.0;
    if (side.phase_rad != 0.0) {
        rotation.behind = turned(turning, side.phase_rad);
    }
    const bool table = side.table && *side.table != Dtype::f32;
    // What is said of places concerns the tokens whose places were looked for.
    return residual_of(beginning_of(tensors, looked_at), side.side, stood, rotation,
                       table ? TableFormat{.dtype = side.table} : TableFormat());
}

}  // namespace ropescope::diagnosis
