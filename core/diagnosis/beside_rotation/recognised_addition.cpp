// Recognises a transform or a bias beside a rotation of which nobody told.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/diagnosis/beside_rotation/added.h"
#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/rope/layout.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {
namespace {

enum class Addition : std::uint8_t { transform, bias_before, bias_behind };

/// So many tokens show whether a search without the addition finds anything.
constexpr Index kLookedAt = 32;

/// A search may take what rounding leaves of a transformed number: it is a share of the whole
/// vector, which is about sqrt(n / 2) times as long as a pair. What is found is held to the numbers
/// of the dump itself.
void forgive_rounding(DumpTensor& view, const DumpTensor& given) {
    const FloatFormat format = effective_format(given);
    view.stored = format.dtype;
    view.norm_share = std::sqrt(to_double(given.channels)) * format.unit;
}

DumpTensor with_numbers(const DumpTensor& given, ChangedTensor made, Dump& dump) {
    dump.owner = both_owners(dump.owner, made.owner);
    forgive_rounding(made.view, given);
    return made.view;
}

/// [heads][channels]: what the rotation of a token at position 0 adds, which turns nothing; empty
/// if no token stands there.
std::vector<std::vector<double>> added_at_zero(const DumpSide& side,
                                               const DumpPositions& positions) {
    const auto n = static_cast<std::size_t>(side.before.channels);
    for (Index token = 0; token < side.before.length; ++token) {
        bool zero = true;
        for (Index axis = 0; axis < positions.axes; ++axis) {
            zero = zero && positions.at(axis, 0, token) == 0.0;
        }
        if (!zero) {
            continue;
        }
        std::vector<std::vector<double>> added;
        std::vector<double> x(n), y(n);
        for (Index head = 0; head < side.before.heads; ++head) {
            side.before.read(0, head, token, x);
            side.after.read(0, head, token, y);
            std::ranges::transform(y, x, y.begin(), std::minus<>());
            added.push_back(y);
        }
        return added;
    }
    return {};
}

/// Takes the addition from one side; false if the side cannot have it.
bool take(Addition addition, DumpSide& side, const DumpPositions& positions, Dump& dump) {
    if (addition == Addition::transform) {
        const Index channels = side.after.channels;
        if (channels < 4 || !std::has_single_bit(static_cast<std::uint64_t>(channels))) {
            return false;
        }
        const double factor = 1.0 / std::sqrt(to_double(channels));
        side.after = with_numbers(side.after,
                                  changed(side.after, Dtype::f64,
                                          [&](Index, Index, Index, std::span<double> row) {
                                              hadamard(row);
                                              for (double& each : row) {
                                                  each *= factor;
                                              }
                                          }),
                                  dump);
        return true;
    }
    const std::vector<std::vector<double>> bias = added_at_zero(side, positions);
    if (bias.empty()) {
        return false;
    }
    const bool before = addition == Addition::bias_before;
    DumpTensor& tensor = before ? side.before : side.after;
    const double sign = before ? 1.0 : -1.0;
    tensor = with_numbers(tensor,
                          changed(tensor, Dtype::f64,
                                  [&](Index, Index head, Index, std::span<double> row) {
                                      for (std::size_t c = 0; c < row.size(); ++c) {
                                          row[c] += sign * bias[static_cast<std::size_t>(head)][c];
                                      }
                                  }),
                          dump);
    if (before) {
        forgive_rounding(side.after, DumpTensor(side.after));
    }
    return true;
}

/// The dump without the addition on the sides that are no rotation; empty if none can have it.
std::optional<Dump> without(Addition addition, const Dump& dump, const Analysis& first) {
    Dump plain = dump;
    plain.scores = {};
    bool any = false;
    for (const Explanation& side : first.sides) {
        const bool of_keys = side.side == Side::k;
        if (is_explained(side) || side.still) {
            continue;
        }
        if (!take(addition, of_keys ? *plain.k : *plain.q, stated_positions(dump, of_keys),
                  plain)) {
            return std::nullopt;
        }
        any = true;
    }
    return any ? std::optional(std::move(plain)) : std::nullopt;
}

Dump first_tokens_of(Dump dump, Index count) {
    for (const bool of_keys : {false, true}) {
        std::optional<DumpSide>& side = of_keys ? dump.k : dump.q;
        if (side) {
            const DumpPositions positions = stated_positions(dump, of_keys);
            const Index few = std::min(count, side->before.length);
            (of_keys ? dump.k_positions : dump.q_positions) = first_tokens(positions, few);
            side = first_tokens(*side, few);
        }
    }
    return dump;
}

/// What was found, as a model that a dump can be held to; empty if it is not text in one axis.
std::optional<RopeSpec> spec_found(const Diagnosis& found, Index channels) {
    const bool known = found.layout == to_string(Layout::half_split) ||
                       found.layout == to_string(Layout::interleaved);
    if (!known || !found.base || !found.rotary_dim || found.sign.value_or(1) < 0) {
        return std::nullopt;
    }
    return RopeSpec{.head_dim = channels,
                    .rotary_dim = *found.rotary_dim,
                    .base = *found.base,
                    .layout = parse_layout(found.layout),
                    .scaling = found.scaling.value_or(NoScaling{})};
}

/// Empty unless the rotation and the addition make every number.
std::vector<Finding> proved(const Dump& dump, const Diagnosis& found) {
    const Index channels = (dump.q ? *dump.q : *dump.k).before.channels;
    const std::optional<RopeSpec> spec = spec_found(found, channels);
    if (!spec) {
        return {};
    }
    try {
        const std::optional<Held> held = hold_to(dump, Expectation{.specs = {*spec}});
        return held ? findings_of_added(*held) : std::vector<Finding>();
    } catch (const InputError&) {
        return {};  // a scaling that does not fit to the width that was found
    }
}

}  // namespace

std::optional<Analysis> with_addition_recognised(
    const Dump& dump, const Analysis& first, const std::function<Analysis(const Dump&)>& search) {
    for (const Addition addition :
         {Addition::transform, Addition::bias_before, Addition::bias_behind}) {
        const std::optional<Dump> few = without(addition, first_tokens_of(dump, kLookedAt), first);
        if (!few || proved(first_tokens_of(dump, kLookedAt), search(*few).diagnosis).empty()) {
            continue;
        }
        const std::optional<Dump> plain = without(addition, dump, first);
        Analysis found = search(*plain);
        Diagnosis& diagnosis = found.diagnosis;
        std::vector<Finding> findings = proved(dump, diagnosis);
        const bool others = std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
            return finding.weight == Weight::fault;
        });
        if (findings.empty() || others) {
            continue;
        }
        std::ranges::copy(diagnosis.findings, std::back_inserter(findings));
        std::ranges::stable_sort(findings, {}, &Finding::weight);
        diagnosis.findings = std::move(findings);
        diagnosis.next.clear();
        diagnosis.unexplained.clear();
        diagnosis.verdict = verdict_of(diagnosis);
        diagnosis.gist = gist_of(diagnosis, found.sides);
        return found;
    }
    return std::nullopt;
}

}  // namespace ropescope::diagnosis
