// Explains q and k at once.
#include "core/diagnosis/explain_sides.h"

#include <algorithm>
#include <functional>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/diagnosis/held/expected_rotation.h"
#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/measure/stretched_layout.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/few_pairs.h"
#include "core/diagnosis/tell/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Rows that were never written are a finding of their own, and the others are explained.
Explanation explain_written(const DumpSide& side, Side name, const DumpPositions& positions,
                            const Expected& expected) {
    const std::optional<RowRange> rows = written_rows(side);
    if (!rows) {
        return explain(side, name, positions, expected);
    }
    Explanation explained =
        explain(only_rows(side, *rows), name, only_rows(positions, *rows), expected);
    const Index first_lost = rows->first > 0 ? 0 : rows->count;
    const Index lost = side.after.batch - rows->count;
    explained.findings.push_back({faults::code("rows.unrotated"),
                                  {say::kNeverWritten, {lost, side.after.batch, name}},
                                  {.sides = name, .rows = {first_lost}},
                                  0.0});
    return explained;
}

/// The spectrum of the other side tells where a query stands that is alone at its position, as in a
/// decode step.
void explain_by_other(Explanation& side, const Explanation& other) {
    if (is_explained(other) && !other.axis_map && same_layout(side, other) &&
        explain_one_position(side, {&*other.model, 1})) {
        side.too_little = {};
        find_position_faults(side);
    }
}

/// One head leaves open in which order the two channels of a pair come out, and whether lengths
/// that change with the position are those of pairs at all: the pairs of the other side may tell.
void explain_like(Explanation& side, const Explanation& other, const DumpSide& tensors,
                  const DumpPositions& positions, Expected expected) {
    const bool open = tensors.before.heads == 1 &&
                      (side.pairing.kind == PairingKind::no_rotation ||
                       (side.pairing.kind == PairingKind::found && !same_layout(side, other)));
    if (!open || !is_explained(other) || other.head_dim != side.head_dim) {
        return;
    }
    expected.like = &other.pairing;
    Explanation like = explain(tensors, side.side, positions, expected);
    if (is_plain(like) && (like.gain.uniform || like.stretch)) {
        side = std::move(like);
    }
}

/// Lengths that change with the position show the pairs of tensors of one head each, as of xPos:
/// what is found with them counts if q and k show it alike.
void explain_by_lengths(std::vector<Explanation>& sides, const Dump& dump, Expected expected) {
    std::vector<Explanation> stretched;
    for (const Explanation& side : sides) {
        const DumpSide& tensors = side.side == Side::k ? *dump.k : *dump.q;
        const DumpPositions positions = stated_positions(dump, side.side == Side::k);
        const std::optional<Pairing> layout =
            side.pairing.kind == PairingKind::no_rotation && tensors.before.heads == 1
                ? stretched_layout(tensors, positions)
                : std::nullopt;
        if (!layout) {
            return;
        }
        expected.like = &*layout;
        stretched.push_back(explain(tensors, side.side, positions, expected));
        if (!is_plain(stretched.back()) || !stretched.back().stretch) {
            return;
        }
    }
    sides = std::move(stretched);
}

/// Begins the work beside the caller's, or leaves it for when it is asked for if there is one
/// processor, or if the system lets this process have no further thread.
std::future<Explanation> begin(const std::function<Explanation()>& work) {
    if (default_threads() > 1) {
        try {
            return std::async(std::launch::async, work);
        } catch (const std::system_error&) {
            // A limit of threads or of memory: it takes longer then, and comes to the same.
        }
    }
    return std::async(std::launch::deferred, work);
}

}  // namespace

Expected expected_of(const Dump& dump, const Expectation* expectation) {
    if (expectation == nullptr) {
        return {};
    }
    Expected expected{expectation->specs, expectation->schemes};
    for (const ExpectedPart& part : expected_parts(*expectation, reach_of(dump))) {
        expected.gains.push_back(part.scheme.heads.front().attention_factor);
    }
    return expected;
}

std::vector<Explanation> explain_sides(const Dump& dump, const Expected& expected) {
    if (!dump.q && !dump.k) {
        throw InputError("the dump has neither q and q_rot nor k and k_rot; name them by --map");
    }
    const auto of_side = [&](bool of_keys) {
        return explain_written(of_keys ? *dump.k : *dump.q, of_keys ? Side::k : Side::q,
                               stated_positions(dump, of_keys), expected);
    };
    std::future<Explanation> keys;
    if (dump.q && dump.k) {
        keys = begin([&] { return of_side(true); });
    }
    std::vector<Explanation> sides;
    sides.push_back(of_side(!dump.q));
    if (keys.valid()) {
        sides.push_back(keys.get());
        explain_by_other(sides.front(), sides.back());
        explain_by_other(sides.back(), sides.front());
        explain_like(sides.front(), sides.back(), *dump.q, stated_positions(dump, false), expected);
        explain_like(sides.back(), sides.front(), *dump.k, stated_positions(dump, true), expected);
    }
    explain_by_lengths(sides, dump, expected);
    std::ranges::for_each(sides, state_whole_width);
    return sides;
}

}  // namespace ropescope::diagnosis
