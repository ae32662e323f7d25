// Puts layers behind the places of findings, and says how layers differ.
#include "core/diagnosis/layer_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "core/diagnosis/number_names.h"
#include "core/diagnosis/recovered.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// A finding and the layers that it holds for.
struct LayerFinding {
    Finding finding;
    std::vector<Index> layers;
};

void add_layers(std::vector<Index>& all, const std::vector<Index>& more) {
    all.insert(all.end(), more.begin(), more.end());
    std::ranges::sort(all);
}

std::vector<Index> all_layers(std::span<const KnownLayer> kinds) {
    std::vector<Index> all;
    for (const KnownLayer& known : kinds) {
        add_layers(all, known.kind.layers);
    }
    return all;
}

bool turns_nothing(const KnownLayer& known) {
    return std::ranges::all_of(known.sides, [](const Explanation& side) { return side.still; });
}

/// n if every n-th of the layers 0, 1, 2, ... is one of these, and no other; at least two are.
std::optional<Index> period_of(const std::vector<Index>& some, const std::vector<Index>& all) {
    if (some.size() < 2 || all.back() != std::ssize(all) - 1) {
        return std::nullopt;
    }
    const Index period = some[1] - some[0];
    std::vector<Index> expected;
    for (const Index layer : all) {
        if (layer % period == some.front() % period) {
            expected.push_back(layer);
        }
    }
    return period > 1 && expected == some ? std::optional(period) : std::nullopt;
}

/// The spectrum of a layer in words; empty if it is not known.
std::string spectrum_text(const KnownLayer& known) {
    for (const Finding& finding : known.kind.diagnosis.findings) {
        if (finding.code == faults::code("spectrum.per_head")) {
            return "spectra that differ between heads";
        }
    }
    const Explanation& side = leading(known.sides);
    if (!side.model) {
        return "";
    }
    return side.axis_map ? describe_map(*side.axis_map) + ", " + side.model->text
                         : side.model->text;
}

/// A note that lists the spectra of the layers, if they are several.
void add_spectra(std::span<const KnownLayer> kinds, std::vector<LayerFinding>& all) {
    std::vector<std::pair<std::string, std::vector<Index>>> spectra;
    LayerFinding found{{.code = faults::code("spectrum.per_layer"), .weight = Weight::note}, {}};
    for (const KnownLayer& known : kinds) {
        const std::string text = spectrum_text(known);
        if (text.empty()) {
            continue;
        }
        const auto own = std::ranges::find(spectra, text, [](const auto& s) { return s.first; });
        add_layers(own == spectra.end() ? spectra.emplace_back(text, std::vector<Index>()).second
                                        : own->second,
                   known.kind.layers);
        add_layers(found.layers, known.kind.layers);
        found.finding.where = known.sides.size() == 2 ? "q and k" : known.sides.front().side;
    }
    if (spectra.size() < 2) {
        return;
    }
    std::string text;
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(spectra.size(), kMost); ++i) {
        text += fmt::format("{}{}: {}", i > 0 ? "; " : "", numbered("layer", spectra[i].second),
                            spectra[i].first);
    }
    found.finding.text =
        fmt::format("Layers turn at {} different sets of speeds: {}{}.", spectra.size(), text,
                    spectra.size() > kMost ? "; and others" : "");
    all.push_back(std::move(found));
}

/// Layers with different layouts cannot all meet weights that were made for one.
void weigh_layouts(std::vector<LayerFinding>& all) {
    std::set<std::string> texts;
    const auto is_layout = [](const LayerFinding& each) {
        return each.finding.code.starts_with("layout.");
    };
    for (const LayerFinding& each : all) {
        if (is_layout(each)) {
            texts.insert(each.finding.code);
        }
    }
    for (LayerFinding& each : all) {
        if (texts.size() > 1 && is_layout(each) && each.finding.weight != Weight::fault) {
            each.finding.weight = Weight::fault;
            each.finding.text += " Other layers have another layout.";
        }
    }
}

std::string with_layers(const std::string& where, const std::vector<Index>& layers) {
    return fmt::format("{}{}{}", where, where.empty() ? "" : ", ", numbered("layer", layers));
}

/// Layers that do not turn, and whether that is right.
struct Stillness {
    std::vector<Index> layers = {};
    bool right = false;
    std::string text = {};
};

void weigh_still(KnownLayer& known, const Stillness& still) {
    Diagnosis& diagnosis = known.kind.diagnosis;
    for (Finding& finding : diagnosis.findings) {
        if (finding.code == faults::code("spectrum.zero")) {
            finding.code = faults::code("rows.unrotated");
            finding.weight = still.right ? Weight::note : Weight::fault;
            finding.text = still.text;
        }
    }
    std::erase_if(diagnosis.mismatches,
                  [](const Mismatch& m) { return m.what == faults::code("spectrum.zero"); });
    diagnosis.verdict = still.right ? Verdict::valid : Verdict::invalid;
    diagnosis.summary = fmt::format("{}: nothing turns", to_string(diagnosis.verdict));
}

Stillness stillness_of(const std::vector<Index>& still, const std::vector<Index>& all,
                       const Expectation* expectation) {
    if (expectation != nullptr) {
        const bool right = std::ranges::includes(expectation->layers_without, still);
        return {still, right,
                right ? fmt::format("These layers do not turn, as {} says.", expectation->name)
                      : "These layers do not turn; the others do."};
    }
    const std::optional<Index> period = period_of(still, all);
    return {still, period.has_value(),
            period ? fmt::format("One layer in {} does not turn, as in models that leave the "
                                 "rotation out there.",
                                 *period)
                   : "These layers do not turn; the others do. Some models leave the rotation out "
                     "in one layer of several; give --expect, or dump all layers."};
}

std::vector<Index> only_in(const std::vector<Index>& a, const std::vector<Index>& b) {
    std::vector<Index> only;
    std::ranges::set_difference(a, b, std::back_inserter(only));
    return only;
}

std::vector<Mismatch> unexpected(const std::vector<Index>& still, const std::vector<Index>& all,
                                 const Expectation& expectation) {
    std::vector<Mismatch> mismatches;
    const std::vector<Index>& without = expectation.layers_without;
    const auto add = [&](const std::vector<Index>& layers, const char* found,
                         const char* expected) {
        if (!layers.empty()) {
            const std::string names = numbered("layer", layers);
            mismatches.push_back(
                {"layers without rotation", std::string(expected), std::string(found),
                 fmt::format("{}: found {}, expected {}", names, found, expected)});
        }
    };
    std::vector<Index> dumped;
    std::ranges::set_intersection(without, all, std::back_inserter(dumped));
    add(only_in(still, without), "no rotation", "a rotation");
    add(only_in(dumped, still), "a rotation", "no rotation");
    return mismatches;
}

}  // namespace

std::vector<Mismatch> weigh_still_layers(std::vector<KnownLayer>& kinds,
                                         const Expectation* expectation) {
    const std::vector<Index> all = all_layers(kinds);
    std::vector<Index> layers;
    for (const KnownLayer& known : kinds) {
        if (turns_nothing(known)) {
            add_layers(layers, known.kind.layers);
        }
    }
    const Stillness still = stillness_of(layers, all, expectation);
    if (layers.size() < all.size() || still.right) {
        for (KnownLayer& known : kinds) {
            if (turns_nothing(known)) {
                weigh_still(known, still);
            }
        }
    }
    return expectation == nullptr || layers.size() == all.size()
               ? std::vector<Mismatch>()
               : unexpected(layers, all, *expectation);
}

std::vector<Finding> findings_of_layers(std::span<const KnownLayer> kinds) {
    std::vector<LayerFinding> all;
    for (const KnownLayer& known : kinds) {
        for (const Finding& finding : known.kind.diagnosis.findings) {
            const auto same = std::ranges::find_if(all, [&](const LayerFinding& each) {
                const Finding& other = each.finding;
                return other.code == finding.code && other.text == finding.text &&
                       other.where == finding.where && other.weight == finding.weight;
            });
            add_layers(same == all.end() ? all.emplace_back(finding, std::vector<Index>()).layers
                                         : same->layers,
                       known.kind.layers);
        }
    }
    weigh_layouts(all);
    add_spectra(kinds, all);
    const std::size_t layers = all_layers(kinds).size();
    std::vector<Finding> findings;
    for (LayerFinding& each : all) {
        if (each.layers.size() < layers) {
            each.finding.where = with_layers(each.finding.where, each.layers);
        }
        findings.push_back(std::move(each.finding));
    }
    std::ranges::stable_sort(findings, {}, &Finding::weight);
    return findings;
}

std::vector<Mismatch> mismatches_of_layers(std::span<const KnownLayer> kinds) {
    std::vector<std::pair<Mismatch, std::vector<Index>>> all;
    for (const KnownLayer& known : kinds) {
        for (const Mismatch& mismatch : known.kind.diagnosis.mismatches) {
            const auto same = std::ranges::find_if(
                all, [&](const auto& each) { return each.first.text == mismatch.text; });
            add_layers(same == all.end() ? all.emplace_back(mismatch, std::vector<Index>()).second
                                         : same->second,
                       known.kind.layers);
        }
    }
    const std::size_t layers = all_layers(kinds).size();
    std::vector<Mismatch> mismatches;
    for (auto& [mismatch, of] : all) {
        if (of.size() < layers) {
            mismatch.text = fmt::format("{}: {}", numbered("layer", of), mismatch.text);
        }
        mismatches.push_back(std::move(mismatch));
    }
    return mismatches;
}

}  // namespace ropescope::diagnosis
