// Compares values and cached keys, row by row.
#include "core/diagnosis/beside.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Whether the keys of a dump come out turned as they should be.
using TurnsRight = std::function<bool(const Dump&)>;

inline constexpr Phrase kValuesTurned{
    "v is turned as k is: values have no positions, and are expected as they were."};
inline constexpr Phrase kValuesChanged{
    "{} of {} rows of channels of v_rot are not those of v; the first is at token {}, row {}, head "
    "{}, "
    "channel {}."};
inline constexpr Phrase kOldTurned{
    "Old keys are turned again: {} of {} slots of the cache that belong to no new token changed, "
    "the first is {}, and they come out turned by their positions."};
inline constexpr Phrase kOldChanged{
    "{} of {} slots of the cache that belong to no new token changed; the first is {}."};
inline constexpr Phrase kWrongSlot{
    "The new key of token {}, at position {}, is in slot {} of the cache in place of slot {}."};
inline constexpr Phrase kCachedBefore{
    "The new keys are in the cache as they were before the rotation (token {}, slot {})."};
inline constexpr Phrase kCachedTwice{
    "The new keys are in the cache turned twice (token {}, slot {})."};
inline constexpr Phrase kNotCached{
    "Slot {} of the cache holds nothing new: the key of token {} was not written."};
inline constexpr Phrase kSlotsOpen{
    "the key of token {0}, at position {1:g}, is in the cache, and not in slot {2} of {3}, where a "
    "ring has it; right if the cache follows another rule"};
inline constexpr Phrase kNowhere{
    "The key of token {}, at position {}, is in none of the {} slots of the cache as it came out "
    "of "
    "the rotation."};
inline constexpr Phrase kCachedOther{
    "Slot {} of the cache does not hold the key of token {} as it came out of the rotation."};

/// Rows of a tensor that are compared with rows of another one.
class Rows {
  public:
    explicit Rows(const DumpTensor& tensor)
        : tensor_(tensor), format_(format_of_numbers(tensor)), row_(size()), other_(size()) {}

    /// The first channel at which a row is not that of `from`, rounded; -1 if it is.
    Index first_other(Index b, Index h, Index l, const DumpTensor& from, Index from_l) {
        tensor_.read(b, h, l, row_);
        from.read(b, h, from_l, other_);
        tensor_.cells(b, h, l, row_, cells_);
        for (Index c = 0; c < tensor_.channels; ++c) {
            const auto at = static_cast<std::size_t>(c);
            const double x = other_[at], y = row_[at];
            const bool in_cell = !cells_.empty() && x >= cells_[at].low - slack(x) &&
                                 x <= cells_[at].high + slack(x);
            const bool same = x == y || (std::isnan(x) && std::isnan(y)) || in_cell ||
                              (cells_.empty() && round_to(format_, x) == y);
            if (!same) {
                return c;
            }
        }
        return -1;
    }

  private:
    static Dtype format_of_numbers(const DumpTensor& tensor) {
        return tensor.quantised ? Dtype::f32 : effective_format(tensor).dtype;
    }
    std::size_t size() const { return static_cast<std::size_t>(tensor_.channels); }
    /// A number is divided by its scale in float32 before it is rounded to the grid.
    static double slack(double x) { return 4.0 * kUnitOfF32 * std::abs(x); }

    const DumpTensor& tensor_;
    Dtype format_;
    std::vector<double> row_, other_;
    std::vector<RoundedRange> cells_;
};

/// Calls visit(row, head) for all heads; ends and returns false if it does.
template <typename Visit>
bool all_heads(const DumpTensor& tensor, Visit visit) {
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            if (!visit(b, h)) {
                return false;
            }
        }
    }
    return true;
}

std::optional<Finding> fault_of_values(const Dump& dump, const TurnsRight& turns_right) {
    const DumpTensor &before = dump.v->before, &after = dump.v->after;
    Rows rows(after);
    Index changed = 0;
    std::array<Index, 4> first{};
    for (Index l = 0; l < after.length; ++l) {
        all_heads(after, [&](Index b, Index h) {
            const Index channel = rows.first_other(b, h, l, before, l);
            if (channel >= 0) {
                first = changed == 0 ? std::array{l, b, h, channel} : first;
                ++changed;
            }
            return true;
        });
    }
    if (changed == 0) {
        return std::nullopt;
    }
    Dump as_keys{
        .k = *dump.v, .k_positions = dump.k_positions, .axes = dump.axes, .owner = dump.owner};
    const bool turned = dump.k && dump.k->before.length == before.length && turns_right(as_keys);
    const Index all = after.batch * after.heads * after.length;
    return Finding{
        faults::code("v.changed"),
        turned ? Words(kValuesTurned)
               : Words(kValuesChanged, {changed, all, first[0], first[1], first[2], first[3]}),
        {.tensor = "v_rot"}};
}

/// The keys of a step and the cache that they are written to.
class CachedStep {
  public:
    CachedStep(const Dump& dump, const TurnsRight& turns_right)
        : dump_(dump),
          turns_right_(turns_right),
          cache_(*dump.cache),
          positions_(stated_positions(dump, true)) {}

    std::vector<Finding> faults() {
        std::vector<Finding> found;
        if (const auto old = fault_of_old()) {
            found.push_back(*old);
        }
        if (const auto fresh = fault_of_new()) {
            found.push_back(*fresh);
        }
        return found;
    }

    /// What is open of a cache with fewer slots than positions: its rule is not in the dump, but
    /// most are rings. Empty if nothing is.
    Words open_slots() const {
        const Index slots = cache_.after.length;
        for (Index t = 0; t < dump_.k->after.length; ++t) {
            if (slot_of(0, t) < 0 && is_anywhere(t) && !is_in_ring(t)) {
                const double position = positions_.at(0, 0, t);
                return {kSlotsOpen, {t, position, std::fmod(position, to_double(slots)), slots}};
            }
        }
        return {};
    }

  private:
    /// The slot that a token belongs to: the next one of a cache that grows by the new keys, and
    /// else that of its position. -1 if the cache has no such slot, as a ring or one that throws
    /// old keys away.
    Index slot_of(Index b, Index token) const {
        if (cache_.after.length == cache_.before.length + dump_.k->after.length) {
            return cache_.before.length + token;
        }
        const double position = positions_.at(0, b, token);
        const bool there = position == std::floor(position) && position >= 0.0 &&
                           position < to_double(cache_.after.length);
        return there ? static_cast<Index>(position) : -1;
    }
    std::set<Index> new_slots() const {
        std::set<Index> slots;
        for (Index b = 0; b < cache_.after.batch; ++b) {
            for (Index t = 0; t < dump_.k->after.length; ++t) {
                slots.insert(slot_of(b, t));
            }
        }
        return slots;
    }

    bool same_slot(const DumpTensor& in, Index slot, const DumpTensor& from, Index token) const {
        Rows rows(in);
        return all_heads(
            in, [&](Index b, Index h) { return rows.first_other(b, h, slot, from, token) < 0; });
    }

    std::optional<Finding> fault_of_old() const {
        const std::set<Index> fresh = new_slots();
        std::vector<Index> changed, old;
        for (Index slot = 0; slot < cache_.before.length; ++slot) {
            if (fresh.contains(slot)) {
                continue;
            }
            old.push_back(slot);
            if (!same_slot(cache_.after, slot, cache_.before, slot) && !holds_new(slot)) {
                changed.push_back(slot);
            }
        }
        if (changed.empty()) {
            return std::nullopt;
        }
        const bool again = turned_again(changed);
        return Finding{faults::code("cache.old_changed"),
                       {again ? kOldTurned : kOldChanged,
                        {std::ssize(changed), std::ssize(old), changed.front()}},
                       {.tensor = "k_cache_after"}};
    }

    /// Whether a slot holds one of the new keys.
    bool holds_new(Index slot) const {
        for (Index t = 0; t < dump_.k->after.length; ++t) {
            if (same_slot(cache_.after, slot, dump_.k->after, t)) {
                return true;
            }
        }
        return false;
    }

    /// Whether all of them are turned by their numbers, each run of neighbours by itself.
    bool turned_again(const std::vector<Index>& slots) const {
        for (std::size_t first = 0, next = 0; first < slots.size(); first = next) {
            while (next < slots.size() &&
                   slots[next] - slots[first] == static_cast<Index>(next - first)) {
                ++next;
            }
            if (!run_turned_again(slots[first], static_cast<Index>(next - first))) {
                return false;
            }
        }
        return true;
    }

    bool run_turned_again(Index first, Index count) const {
        DumpTensor before = cache_.before, after = cache_.after;
        for (DumpTensor* tensor : {&before, &after}) {
            tensor->move_to(0, 0, first, 0);
            tensor->length = count;
        }
        DumpPositions stand{.length = count};
        for (Index i = 0; i < count; ++i) {
            stand.values.push_back(to_double(first + i));
        }
        return turns_right_({.k = DumpSide{before, after},
                             .k_positions = stand,
                             .axes = dump_.axes,
                             .owner = dump_.owner});
    }

    std::optional<Finding> fault_of_new() const {
        for (Index t = 0; t < dump_.k->after.length; ++t) {
            const Index slot = slot_of(0, t);
            const Place place{.tensor = "k_cache_after", .token = t};
            if (slot < 0 && !is_anywhere(t)) {
                return Finding{faults::code("cache.other"),
                               {kNowhere, {t, positions_.at(0, 0, t), cache_.after.length}},
                               place};
            }
            if (slot < 0 || same_slot_of_token(t, dump_.k->after)) {
                continue;
            }
            if (same_slot_of_token(t, dump_.k->before)) {
                return Finding{faults::code("cache.unrotated"), {kCachedBefore, {t, slot}}, place};
            }
            for (Index other = 0; other < cache_.after.length; ++other) {
                if (same_slot(cache_.after, other, dump_.k->after, t) &&
                    !(other < cache_.before.length &&
                      same_slot(cache_.before, other, dump_.k->after, t))) {
                    return Finding{faults::code("cache.slot"),
                                   {kWrongSlot, {t, slot, other, slot}},
                                   place,
                                   other,
                                   slot};
                }
            }
            if (turned_twice()) {
                return Finding{
                    faults::code("cache.rotated_twice"), {kCachedTwice, {t, slot}}, place};
            }
            const bool untouched =
                slot < cache_.before.length && same_slot(cache_.after, slot, cache_.before, slot);
            return Finding{faults::code("cache.other"),
                           {untouched ? kNotCached : kCachedOther, {slot, t}},
                           place};
        }
        return std::nullopt;
    }

    bool is_in_ring(Index token) const {
        Rows rows(cache_.after);
        return all_heads(cache_.after, [&](Index b, Index h) {
            const double position = positions_.at(0, b, token);
            const auto slot =
                static_cast<Index>(std::fmod(position, to_double(cache_.after.length)));
            return position >= 0.0 && rows.first_other(b, h, slot, dump_.k->after, token) < 0;
        });
    }

    /// Whether every head of every row holds the key of a token in some slot.
    bool is_anywhere(Index token) const {
        Rows rows(cache_.after);
        return all_heads(cache_.after, [&](Index b, Index h) {
            for (Index slot = 0; slot < cache_.after.length; ++slot) {
                if (rows.first_other(b, h, slot, dump_.k->after, token) < 0) {
                    return true;
                }
            }
            return false;
        });
    }

    /// Whether the slots of a token in all rows hold its key in this tensor.
    bool same_slot_of_token(Index token, const DumpTensor& keys) const {
        Rows rows(cache_.after);
        return all_heads(cache_.after, [&](Index b, Index h) {
            const Index slot = slot_of(b, token);
            return slot < 0 || rows.first_other(b, h, slot, keys, token) < 0;
        });
    }

    /// Whether the slots of all new tokens, if they follow one another alike in all rows, hold the
    /// keys turned once more.
    bool turned_twice() const {
        const Index tokens = dump_.k->after.length, from = slot_of(0, 0);
        for (Index b = 0; b < cache_.after.batch; ++b) {
            for (Index t = 0; t < tokens; ++t) {
                if (from < 0 || slot_of(b, t) != from + t) {
                    return false;
                }
            }
        }
        DumpTensor kept = cache_.after;
        kept.move_to(0, 0, from, 0);
        kept.length = tokens;
        return turns_right_({.k = DumpSide{dump_.k->after, kept},
                             .k_positions = positions_,
                             .axes = dump_.axes,
                             .owner = dump_.owner});
    }

    const Dump& dump_;
    const TurnsRight& turns_right_;
    const DumpSide& cache_;
    DumpPositions positions_;
};

std::vector<Finding> faults_beside(const Dump& dump, const TurnsRight& turns_right) {
    std::vector<Finding> found;
    if (dump.v) {
        if (const auto fault = fault_of_values(dump, turns_right)) {
            found.push_back(*fault);
        }
    }
    if (dump.cache && dump.k) {
        for (Finding& fault : CachedStep(dump, turns_right).faults()) {
            found.push_back(std::move(fault));
        }
    }
    return found;
}

}  // namespace

Analysis with_faults_beside(const Dump& dump, const Expectation* expectation,
                            const SecondLook& look, Analysis analysis) {
    const TurnsRight turns_right = [&](const Dump& keys) {
        const Analysis found = look(keys);
        const bool turns = std::ranges::any_of(found.sides, [](const Explanation& side) {
            return side.model && side.model->code != faults::code("spectrum.zero");
        });
        return turns && found.diagnosis.verdict == Verdict::valid && passes(found.diagnosis);
    };
    const std::vector<Finding> faults = faults_beside(dump, turns_right);
    Diagnosis& diagnosis = analysis.diagnosis;
    const Words open = dump.cache && dump.k ? CachedStep(dump, turns_right).open_slots() : Words();
    if (faults.empty() && open.empty()) {
        return analysis;
    }
    if (!open.empty()) {
        diagnosis.next.push_back(open);
    }
    diagnosis.findings.insert(diagnosis.findings.begin(), faults.begin(), faults.end());
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    if (expectation != nullptr) {
        diagnosis.mismatches.insert(diagnosis.mismatches.begin(), faults.begin(), faults.end());
    }
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

}  // namespace ropescope::diagnosis
