// Puts heads behind the places of findings, and says how kinds of heads differ.
#include "core/diagnosis/head_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "core/diagnosis/sides.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// A finding and the heads that it holds for.
struct HeadFinding {
    Finding finding;
    std::vector<Index> q_heads, k_heads;
};

bool same(const Finding& a, const Finding& b) {
    return a.code == b.code && a.text == b.text && a.where == b.where && a.weight == b.weight;
}

void add_heads(std::vector<Index>& all, const std::vector<Index>& more) {
    for (const Index head : more) {
        if (std::ranges::find(all, head) == all.end()) {
            all.push_back(head);
        }
    }
    std::ranges::sort(all);
}

bool turns_nothing(const HeadKind& kind) {
    return std::ranges::all_of(kind.sides, [](const Explanation& side) { return side.still; });
}

/// "q and k, heads 0 to 3", "q, heads 0 to 3, and k, head 0", "q, head 2, token 5".
std::string named_place(const HeadFinding& found, Index q_heads, Index k_heads) {
    const std::string& where = found.finding.where;
    const bool both = where.starts_with("q and k");
    const bool of_q = both || where.starts_with("q"), of_k = both || where.starts_with("k");
    const bool all_q = !of_q || std::ssize(found.q_heads) == q_heads;
    const bool all_k = !of_k || std::ssize(found.k_heads) == k_heads;
    if ((!of_q && !of_k) || (all_q && all_k)) {
        return where;
    }
    const std::string rest = where.substr(both ? std::string("q and k").size() : 1);
    if (both && found.q_heads != found.k_heads) {
        return fmt::format("q, {}, and k, {}{}", head_names(found.q_heads),
                           head_names(found.k_heads), rest);
    }
    return fmt::format("{}, {}{}",
                       both   ? "q and k"
                       : of_q ? "q"
                              : "k",
                       head_names(of_q ? found.q_heads : found.k_heads), rest);
}

/// Heads of q, or of k in a dump without q.
const std::vector<Index>& leading_heads(const HeadKind& kind) {
    return kind.q_heads.empty() ? kind.k_heads : kind.q_heads;
}

std::string spectrum_text(const HeadKind& kind) {
    for (const Explanation& side : kind.sides) {
        if (side.model) {
            return side.axis_map ? describe_map(*side.axis_map) + ", " + side.model->text
                                 : side.model->text;
        }
    }
    return "";
}

/// A spectrum in words, and its heads.
using SpectrumOfHeads = std::pair<std::string, std::vector<Index>>;

/// "heads 0 to 3: base 10000; heads 4 to 7: base 500000"; if all have the same words, "each base
/// 10000".
std::string listed_spectra(const std::vector<SpectrumOfHeads>& spectra) {
    const auto as_first = [&](const SpectrumOfHeads& each) {
        return each.first == spectra.front().first;
    };
    if (std::ranges::all_of(spectra, as_first)) {
        return "each " + spectra.front().first;
    }
    std::string text;
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(spectra.size(), kMost); ++i) {
        text += fmt::format("{}{}: {}", i > 0 ? "; " : "", head_names(spectra[i].second),
                            spectra[i].first);
    }
    return text + (spectra.size() > kMost ? "; and others" : "");
}

/// A note that lists the spectra of the heads, if they are several.
void add_spectra(const std::vector<HeadKind>& kinds, std::vector<HeadFinding>& all) {
    std::vector<SpectrumOfHeads> spectra;
    HeadFinding found{{.code = faults::code("spectrum.per_head"), .weight = Weight::note}, {}, {}};
    for (const HeadKind& kind : kinds) {
        const std::string text = spectrum_text(kind);
        if (text.empty()) {
            continue;
        }
        const auto own = std::ranges::find(spectra, text, [](const auto& s) { return s.first; });
        const bool learned = own != spectra.end() && kind.sides.front().axis_map &&
                             kind.sides.front().axis_map->has_mixed();
        if (own == spectra.end() || learned) {
            spectra.emplace_back(text, leading_heads(kind));
        } else {
            add_heads(own->second, leading_heads(kind));
        }
        add_heads(found.q_heads, kind.q_heads);
        add_heads(found.k_heads, kind.k_heads);
        found.finding.where = kind.sides.size() == 2 ? "q and k" : kind.sides.front().side;
    }
    if (spectra.size() < 2) {
        return;
    }
    found.finding.text = fmt::format("Heads turn at {} different sets of speeds: {}.",
                                     spectra.size(), listed_spectra(spectra));
    all.push_back(std::move(found));
}

/// Heads with different layouts cannot all meet weights that were made for one.
void weigh_layouts(std::vector<HeadFinding>& all) {
    const auto is_layout = [](const HeadFinding& each) {
        return each.finding.code.starts_with("layout.");
    };
    std::set<std::string> texts;
    for (const HeadFinding& each : all) {
        if (is_layout(each)) {
            texts.insert(each.finding.text);
        }
    }
    for (HeadFinding& each : all) {
        if (texts.size() > 1 && is_layout(each) && each.finding.weight != Weight::fault) {
            each.finding.weight = Weight::fault;
            each.finding.text += " Other heads have another layout.";
        }
    }
}

}  // namespace

std::vector<Finding> findings_of_kinds(const std::vector<HeadKind>& kinds, Index q_heads,
                                       Index k_heads) {
    const bool some_turn = !std::ranges::all_of(kinds, turns_nothing);
    std::vector<HeadFinding> all;
    for (const HeadKind& kind : kinds) {
        for (Finding& finding : findings_of(kind.sides)) {
            if (finding.code == faults::code("spectrum.zero") && turns_nothing(kind) && some_turn) {
                finding.code = faults::code("rows.unrotated");
                finding.text = "These heads do not turn; the others do.";
            }
            const auto known = std::ranges::find_if(
                all, [&](const HeadFinding& each) { return same(each.finding, finding); });
            HeadFinding& found = known == all.end()
                                     ? all.emplace_back(std::move(finding), std::vector<Index>(),
                                                        std::vector<Index>())
                                     : *known;
            add_heads(found.q_heads, kind.q_heads);
            add_heads(found.k_heads, kind.k_heads);
        }
    }
    weigh_layouts(all);
    add_spectra(kinds, all);
    std::vector<Finding> findings;
    for (HeadFinding& each : all) {
        each.finding.where = named_place(each, q_heads, k_heads);
        findings.push_back(std::move(each.finding));
    }
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

}  // namespace ropescope::diagnosis
