// Finds where ids differ from right ones, and which known fault makes the same.
#include "core/positions/id_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"

namespace ropescope {
namespace {

class Comparison {
  public:
    Comparison(const MultimodalIds& given, std::vector<TokenOrigin> origins)
        : given_(given), origins_(std::move(origins)) {}

    bool counts(Index b, Index token) const {
        return origins_[b * given_.length + token].kind != TokenKind::padding;
    }
    /// The first axis on which a token differs; 3 if none.
    Index axis_of(const MultimodalIds& right, Index b, Index token) const {
        Index axis = 0;
        while (axis < 3 && right.at(axis, b, token) == given_.at(axis, b, token)) {
            ++axis;
        }
        return axis;
    }
    bool equal_ids(const MultimodalIds& other) const {
        if (other.batch != given_.batch || other.length != given_.length) {
            return false;
        }
        for (Index b = 0; b < given_.batch; ++b) {
            for (Index token = 0; token < given_.length; ++token) {
                if (counts(b, token) && axis_of(other, b, token) < 3) {
                    return false;
                }
            }
        }
        return true;
    }
    bool equal(const MultimodalIds& other) const {
        return equal_ids(other) && (given_.deltas.empty() || given_.deltas == other.deltas);
    }
    IdVerdict against(const MultimodalIds& right) const {
        IdVerdict verdict;
        for (Index b = 0; b < given_.batch; ++b) {
            for (Index token = 0; token < given_.length; ++token) {
                add(right, b, token, verdict);
            }
            if (!given_.deltas.empty() && !verdict.delta && given_.deltas[b] != right.deltas[b]) {
                verdict.delta = DeltaDifference{b, right.deltas[b], given_.deltas[b]};
            }
        }
        return verdict;
    }

  private:
    void add(const MultimodalIds& right, Index b, Index token, IdVerdict& verdict) const {
        const Index axis = axis_of(right, b, token);
        if (!counts(b, token)) {
            verdict.padding_differs |= axis < 3;
            return;
        }
        ++verdict.tokens;
        if (axis == 3) {
            return;
        }
        ++verdict.differing;
        if (!verdict.first) {
            verdict.first = IdDifference{b,
                                         token,
                                         axis,
                                         right.at(axis, b, token),
                                         given_.at(axis, b, token),
                                         origins_[b * given_.length + token]};
        }
    }

    const MultimodalIds& given_;
    std::vector<TokenOrigin> origins_;
};

/// The sentence of the first variation that makes exactly the given ids.
std::optional<std::string_view> explained_by(const IdFault& fault, const IdPlan& right,
                                             const Comparison& given) {
    for (const IdVariation& variation : fault.variations) {
        const auto ids = variation.make(right);
        if (ids && given.equal(*ids)) {
            return variation.how;
        }
    }
    return std::nullopt;
}

/// Whether no variation changes an id, although the layout has what the fault is about.
bool is_unseen(const IdFault& fault, const IdPlan& right, const Comparison& of_right) {
    if (!fault.concerns(right)) {
        return false;
    }
    return std::ranges::all_of(fault.variations, [&](const IdVariation& variation) {
        const auto ids = variation.make(right);
        return !ids || of_right.equal_ids(*ids);
    });
}

}  // namespace

namespace {

/// The variations that change ids by themselves.
std::vector<VariationIndex> visible_variations(const IdPlan& right, const Comparison& of_right) {
    std::vector<VariationIndex> visible;
    const std::vector<IdFault>& faults = id_faults();
    for (Index fault = 0; fault < std::ssize(faults); ++fault) {
        for (Index i = 0; i < std::ssize(faults[fault].variations); ++i) {
            const auto ids = faults[fault].variations[i].make(right);
            if (ids && !of_right.equal_ids(*ids)) {
                visible.push_back({fault, i});
            }
        }
    }
    return visible;
}

std::vector<FaultPair> pairs_of_faults(const IdPlan& right, const Comparison& given,
                                       const Comparison& of_right) {
    const std::vector<IdFault>& faults = id_faults();
    const auto variation = [&](const VariationIndex& at) -> const IdVariation& {
        return faults[at.fault].variations[at.variation];
    };
    const auto makes = [&](const VariationIndex& first, const VariationIndex& second) {
        IdPlan plan = right;
        plan.second = variation(second).make;
        try {
            const auto ids = variation(first).make(plan);
            return ids && given.equal(*ids);
        } catch (const InputError&) {
            return false;  // the first has made a layout that cannot be counted
        }
    };
    return find_fault_pairs(
        visible_variations(right, of_right), makes, [&](const VariationIndex& at) {
            return NamedFault{faults[at.fault].code, std::string(variation(at).how)};
        });
}

}  // namespace

IdVerdict judge_ids(const IdPlan& right, const MultimodalIds& given) {
    const MultimodalIds ids = layout_ids(right);
    const std::vector<TokenOrigin> origins = layout_origins(right);
    const Comparison comparison(given, origins);
    IdVerdict verdict = comparison.against(ids);
    const Comparison of_right(ids, origins);
    for (const IdFault& fault : id_faults()) {
        if (verdict.right()) {
            if (is_unseen(fault, right, of_right)) {
                verdict.unseen.push_back(&fault);
            }
        } else if (const auto how = explained_by(fault, right, comparison)) {
            verdict.findings.push_back({&fault, *how});
        }
    }
    if (!verdict.right() && verdict.findings.empty() &&
        given.batch * given.length <= kMostTokensOfPairs) {
        verdict.pairs = pairs_of_faults(right, comparison, of_right);
    }
    return verdict;
}

std::string missing_kinds(const IdPlan& plan) {
    std::vector<std::string_view> missing;
    const auto add = [&](bool there, std::string_view kind) {
        if (!there) {
            missing.push_back(kind);
        }
    };
    add(has_blocks(plan), "images or videos");
    add(!has_blocks(plan) || has_videos(plan), "videos of several frames");
    add(has_padding(plan), "padding");
    add(plan.layout.packed, "packed documents");
    add(plan.layout.decode_steps > 0, "decode steps");
    add(plan.layout.chunk.has_value(), "chunk");
    add(plan.layout.shards.has_value(), "shards");
    return fmt::format("{}", fmt::join(missing, ", "));
}

}  // namespace ropescope
