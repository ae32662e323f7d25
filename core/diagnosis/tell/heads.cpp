// Explains heads one by one, puts those that turn alike together, and says how the kinds differ.
#include "core/diagnosis/tell/heads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/measure/head_order.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/grouping.h"
#include "core/diagnosis/tell/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

DumpTensor only_head(DumpTensor tensor, Index head) {
    tensor.move_to(0, head, 0, 0);
    tensor.heads = 1;
    return tensor;
}

DumpSide only_head(const DumpSide& side, Index head) {
    return {only_head(side.before, head), only_head(side.after, head)};
}

/// Whether this explanation leaves nothing to explain and finds nothing wrong.
bool is_good(const Explanation& side) {
    const bool at_places = side.offset.has_value() && side.places.unexplained == 0;
    const bool faults = std::ranges::any_of(
        side.findings, [](const Finding& finding) { return finding.weight == Weight::fault; });
    return side.still || (side.model && side.model->right && at_places && side.gain.uniform &&
                          side.gain.zero_at.empty() && !faults);
}

/// Whether a model is expected whose heads have frequencies of their own.
bool by_head(const Expected& expected) {
    return std::ranges::any_of(expected.schemes,
                               [](const RotaryScheme& scheme) { return scheme.heads.size() > 1; });
}

/// Whether heads may say more one by one than they do together.
bool is_open(const Explanation& side, Index heads, const Expected& expected) {
    if (heads > 1 && side.axis_map && by_head(expected)) {
        return true;
    }
    const bool torn = side.heads_differ || side.pairing.kind == PairingKind::no_rotation ||
                      side.pairing.kind == PairingKind::unclear;
    // What concerns all rows by one rule has been found; a rule for each row has not.
    constexpr std::array kRules = {
        faults::code("rows.unrotated"), faults::code("positions.wrong_axis"),
        faults::code("positions.low_precision"), faults::code("positions.clamped")};
    const bool ruled = side.model && side.places.unexplained == 0 &&
                       std::ranges::any_of(side.findings, [&](const Finding& finding) {
                           return std::ranges::find(kRules, finding.code) != kRules.end();
                       });
    return heads > 1 && torn && !ruled && !is_good(side);
}

/// Whether the head turns as the one that is known, by angle and length of every pair.
bool turns_like(const DumpSide& head, const Explanation& known) {
    if (known.pairing.kind != PairingKind::found) {
        return find_pairing(head, known.format).kind == known.pairing.kind;
    }
    const Turns turns = recover_turns(head, known.pairing, known.format);
    for (std::size_t at = 0; at < turns.angle_rad.size(); ++at) {
        const double error = turns.error_rad[at] + known.turns.error_rad[at] + 0x1p-21;
        if (!(error < 1.0)) {
            continue;  // one of them is zero
        }
        const double off = wrapped(turns.angle_rad[at] - known.turns.angle_rad[at]);
        const double gain = std::abs(turns.gain[at] - known.turns.gain[at]);
        if (std::abs(off) > error || gain > 2.0 * error * known.turns.gain[at]) {
            return false;
        }
    }
    return true;
}

/// Explanations of one side, and which of them is that of each head.
struct SideKinds {
    std::vector<Explanation> kinds;
    std::vector<Index> of_head;
};

SideKinds one_kind(const Explanation& together, Index heads) {
    return {{together}, std::vector<Index>(heads, 0)};
}

SideKinds side_kinds(const DumpSide& side, Side name, const DumpPositions& positions,
                     Expected expected) {
    SideKinds found;
    const bool each = by_head(expected);
    const Index count = tokens_of_heads(side);
    const DumpPositions stated = first_tokens(positions, count);
    for (Index h = 0; h < side.before.heads; ++h) {
        const DumpSide head = only_head(first_tokens(side, count), h);
        const auto known =
            each ? found.kinds.end() : std::ranges::find_if(found.kinds, [&](const Explanation& e) {
                return turns_like(head, e);
            });
        found.of_head.push_back(known - found.kinds.begin());
        if (known == found.kinds.end()) {
            expected.head = h;
            found.kinds.push_back(explain(head, name, stated, expected));
        }
    }
    return found;
}

void add_once(std::vector<Index>& list, Index value) {
    if (std::ranges::find(list, value) == list.end()) {
        list.push_back(value);
    }
}

/// Joins the kinds of q and k: heads of q, each with the head of k that it meets.
std::vector<HeadKind> joined(const std::optional<SideKinds>& q, const std::optional<SideKinds>& k) {
    std::map<std::pair<Index, Index>, std::size_t> known;
    std::vector<HeadKind> kinds;
    const Index q_heads = q ? std::ssize(q->of_head) : 0, k_heads = k ? std::ssize(k->of_head) : 0;
    for (Index h = 0; h < std::max(q_heads, q ? 0 : k_heads); ++h) {
        const Index key = !k ? 0 : q ? std::min(h * k_heads / q_heads, k_heads - 1) : h;
        const std::pair<Index, Index> pair = {q ? q->of_head[h] : 0, k ? k->of_head[key] : 0};
        const auto [place, is_new] = known.try_emplace(pair, kinds.size());
        if (is_new) {
            kinds.emplace_back();
            if (q) {
                kinds.back().sides.push_back(q->kinds[pair.first]);
            }
            if (k) {
                kinds.back().sides.push_back(k->kinds[pair.second]);
            }
        }
        HeadKind& kind = kinds[place->second];
        if (q) {
            kind.q_heads.push_back(h);
        }
        if (k) {
            add_once(kind.k_heads, key);
        }
    }
    return kinds;
}

/// Heads that come out as others tell nothing one by one.
bool are_moved(const Explanation& side, const DumpSide& tensors) {
    return side.pairing.kind == PairingKind::no_rotation && find_head_order(tensors);
}

bool turns_nothing(const HeadKind& kind) {
    return std::ranges::all_of(kind.sides, [](const Explanation& side) { return side.still; });
}

/// The findings of a kind. Heads that do not turn, among others that do, are a fault of their own.
FindingsOfPart findings_of_kind(const HeadKind& kind, bool some_turn) {
    FindingsOfPart part{findings_of(kind.sides),
                        {.q_heads = kind.q_heads, .k_heads = kind.k_heads}};
    for (Finding& finding : part.findings) {
        if (finding.code == faults::code("spectrum.zero") && turns_nothing(kind) && some_turn) {
            finding.code = faults::code("rows.unrotated");
            finding.words = say::kStillHeads;
        }
    }
    return part;
}

/// Heads that stand at different offsets meet the same keys, or keys of other calls.
void weigh_offsets(const std::vector<HeadKind>& kinds, std::vector<Finding>& findings) {
    std::set<double> offsets;
    for (const HeadKind& kind : kinds) {
        for (const Explanation& side : kind.sides) {
            if (side.offset) {
                offsets.insert(std::round(*side.offset));
            }
        }
    }
    for (Finding& finding : findings) {
        if (offsets.size() > 1 && finding.code == faults::code("positions.offset")) {
            finding.weight = Weight::fault;
            finding.words = {say::kOffsetsOfHeads, {finding.measured}};
        }
    }
}

/// A note that lists the spectra of the heads, if they are several.
void add_spectra(const std::vector<HeadKind>& kinds, std::vector<Finding>& findings) {
    std::vector<SpectrumOfPart> spectra;
    Finding found{.code = faults::code("spectrum.per_head"), .weight = Weight::note};
    for (const HeadKind& kind : kinds) {
        const auto known = std::ranges::find_if(
            kind.sides, [](const Explanation& side) { return side.model.has_value(); });
        if (known == kind.sides.end()) {
            continue;
        }
        const std::optional<AxisMap>& map = kind.sides.front().axis_map;
        spectra.push_back({words_of_spectrum(*known),
                           kind.q_heads.empty() ? kind.k_heads : kind.q_heads,
                           map && map->has_mixed()});
        found.place.sides = kind.sides.size() == 2 ? Side::both : kind.sides.front().side;
        add_numbers(found.place.q_heads, kind.q_heads);
        add_numbers(found.place.k_heads, kind.k_heads);
    }
    found.words = words_of_spectra(spectra, Among::heads);
    if (!found.words.empty()) {
        findings.push_back(std::move(found));
    }
}

/// Leaves heads out of a place that all heads of its sides are in.
void leave_out_all(Place& place, Index q_heads, Index k_heads) {
    const bool of_q = contains(place.sides, Side::q), of_k = contains(place.sides, Side::k);
    const bool all_q = !of_q || std::ssize(place.q_heads) == q_heads;
    const bool all_k = !of_k || std::ssize(place.k_heads) == k_heads;
    if ((all_q && all_k) || !of_q) {
        place.q_heads.clear();
    }
    if ((all_q && all_k) || !of_k) {
        place.k_heads.clear();
    }
}

}  // namespace

std::vector<HeadKind> kinds_of_heads(const Dump& dump, const Expected& expected,
                                     const std::vector<Explanation>& together) {
    constexpr Index kMostHeads = 128;  // each may need an explanation of its own
    std::optional<SideKinds> q, k;
    bool open = false, unexplained = false;
    for (const Explanation& side : together) {
        const bool of_keys = side.side == Side::k;
        const DumpSide& tensors = of_keys ? *dump.k : *dump.q;
        const Index heads = tensors.before.heads;
        if (heads > kMostHeads || written_rows(tensors) || are_moved(side, tensors)) {
            return {};
        }
        const bool is = is_open(side, heads, expected);
        open = open || is;
        (of_keys ? k : q) =
            is ? side_kinds(tensors, side.side, stated_positions(dump, of_keys), expected)
               : one_kind(side, heads);
        unexplained =
            unexplained ||
            (is && (!side.model || side.places.unexplained > 0 || !side.findings.empty()));
    }
    if (!open) {
        return {};
    }
    std::vector<HeadKind> kinds = joined(q, k);
    Index good = 0, all = 0;
    for (const HeadKind& kind : kinds) {
        good += std::ranges::count_if(kind.sides, is_good);
        all += std::ssize(kind.sides);
    }
    const bool tells_more = good == all || (unexplained && good > 0);
    return kinds.size() > 1 && tells_more ? kinds : std::vector<HeadKind>();
}

std::vector<Finding> findings_of_kinds(const std::vector<HeadKind>& kinds, Index q_heads,
                                       Index k_heads) {
    const bool some_turn = !std::ranges::all_of(kinds, turns_nothing);
    std::vector<FindingsOfPart> parts;
    double rounding = 0.0;
    for (const HeadKind& kind : kinds) {
        parts.push_back(findings_of_kind(kind, some_turn));
        rounding = std::max(rounding, rounding_of(kind.sides));
    }
    std::vector<Finding> findings = grouped(parts, Among::heads, rounding);
    weigh_offsets(kinds, findings);
    weigh_layouts(findings, Among::heads);
    add_spectra(kinds, findings);
    for (Finding& finding : findings) {
        leave_out_all(finding.place, q_heads, k_heads);
    }
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

}  // namespace ropescope::diagnosis
