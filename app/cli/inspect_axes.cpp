// Writes a part of a model that turns in several axes, as JSON and as text.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/inspect.h"
#include "app/cli/inspect_lines.h"
#include "app/figures/shared/text.h"
#include "core/schemes/scheme_facts.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

/// [pairs][axes].
Json omega_json(const Spectrum& head) {
    Json rows = Json::array();
    for (Index i = 0; i < head.pairs(); ++i) {
        const auto omega_rad = head.omega_rad(i);
        rows.push_back(std::vector<double>(omega_rad.begin(), omega_rad.end()));
    }
    return rows;
}

/// [heads][pairs][axes] if heads differ.
Json omega_json(const RotaryScheme& scheme) {
    if (scheme.heads.size() == 1) {
        return omega_json(scheme.heads.front());
    }
    Json heads = Json::array();
    for (const Spectrum& head : scheme.heads) {
        heads.push_back(omega_json(head));
    }
    return heads;
}

Json pairs_json(const RotaryScheme& scheme) {
    Json rows = Json::array();
    for (const ChannelPair& pair : scheme.pairs) {
        rows.push_back({pair.first, pair.second});
    }
    return rows;
}

/// "t 1, w 0.5": the axes that turn a pair, and how fast.
std::string omega_text(const RotaryScheme& scheme, Index pair) {
    std::vector<std::string> parts;
    const auto omega_rad = scheme.heads.front().omega_rad(pair);
    for (std::size_t a = 0; a < omega_rad.size(); ++a) {
        if (omega_rad[a] != 0.0) {
            parts.push_back(fmt::format("{} {:.8g}", scheme.axes[a], omega_rad[a]));
        }
    }
    return parts.empty() ? "does not turn" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string pair_table(const RotaryScheme& scheme) {
    std::vector<std::vector<std::string>> rows;
    for (const Index i : shown_pairs(scheme.pair_count())) {
        rows.push_back({fmt::format("{}", i),
                        fmt::format("{}, {}", scheme.pairs[i].first, scheme.pairs[i].second),
                        omega_text(scheme, i)});
    }
    return figures::text_table({"pair", "channels", "axis, rad/position"}, rows) +
           left_out_text(rows.size(), scheme.pair_count());
}

}  // namespace

nlohmann::ordered_json scheme_json(const ModelScheme& part) {
    const RotaryScheme& scheme = part.scheme;
    const SchemeFacts& facts = scheme_facts(scheme.id);
    return {{"part", part.part},
            {"scheme", scheme.id},
            {"used_by", std::string(facts.title)},
            {"source", std::string(facts.source)},
            {"head_dim", scheme.head_dim},
            {"rotary_dim", 2 * scheme.pair_count()},
            {"layout", std::string(layout_name(scheme.pairs))},
            {"attention_factor", scheme.heads.front().attention_factor},
            {"softmax_scale_factor", scheme.heads.front().softmax_scale_factor},
            {"axes", scheme.axes},
            {"omega", omega_json(scheme)},
            {"pairs", pairs_json(scheme)},
            {"turns", describe_turning(scheme)},
            {"positions", describe_positions(scheme)},
            {"assumptions", part.assumptions}};
}

std::string scheme_text(const ModelScheme& part) {
    const RotaryScheme& scheme = part.scheme;
    const SchemeFacts& facts = scheme_facts(scheme.id);
    std::string text =
        line("part", part.part) + line("scheme", fmt::format("{}: {}", scheme.id, facts.title)) +
        line("source", facts.source) + line("head_dim", fmt::format("{}", scheme.head_dim)) +
        line("layout", layout_name(scheme.pairs)) +
        line("axes", fmt::format("{}", fmt::join(scheme.axes, ", "))) +
        line("positions", describe_positions(scheme)) + line("turns", describe_turning(scheme));
    if (scheme.heads.size() > 1) {
        text +=
            line("heads", fmt::format("{} heads turn at speeds of their own; the first is shown",
                                      scheme.heads.size()));
    }
    text += "\n" + pair_table(scheme);
    for (const std::string& assumption : part.assumptions) {
        text += fmt::format("assumed: {}\n", assumption);
    }
    return text;
}

}  // namespace ropescope::cli
