// Writes frequencies and channels as JSON, and reads them again.
#include "core/vectors/own_config.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace ropescope::vectors {

std::string own_config(const RotaryScheme& scheme) {
    nlohmann::ordered_json pairs = nlohmann::ordered_json::array(), heads = pairs;
    for (const ChannelPair& pair : scheme.pairs) {
        pairs.push_back({pair.first, pair.second});
    }
    for (const Spectrum& head : scheme.heads) {
        nlohmann::ordered_json omega = nlohmann::ordered_json::array();
        for (Index pair = 0; pair < head.pairs(); ++pair) {
            omega.push_back(head.omega_rad(pair));
        }
        heads.push_back(std::move(omega));
    }
    return nlohmann::ordered_json{{"head_dim", scheme.head_dim},
                                  {"pairs", std::move(pairs)},
                                  {"omega", std::move(heads)},
                                  {"axes", scheme.axes}}
        .dump();
}

std::optional<Part> part_of_own_config(const nlohmann::json& config) {
    if (!config.contains("omega") || !config.contains("pairs")) {
        return std::nullopt;
    }
    try {
        RotaryScheme scheme{.head_dim = config.at("head_dim").get<Index>(),
                            .axes = config.at("axes").get<std::vector<std::string>>()};
        for (const auto& [first, second] :
             config.at("pairs").get<std::vector<std::pair<Index, Index>>>()) {
            scheme.pairs.push_back({first, second});
        }
        for (const nlohmann::json& head : config.at("omega")) {
            Spectrum spectrum{.inv_freq_rad = {}, .axes = std::ssize(scheme.axes)};
            for (const nlohmann::json& pair : head) {
                for (const double omega : pair.get<std::vector<double>>()) {
                    spectrum.inv_freq_rad.push_back(omega);
                }
            }
            scheme.heads.push_back(std::move(spectrum));
        }
        return part_of(scheme);  // refuses what does not fit together
    } catch (const nlohmann::json::exception&) {
        throw InputError(
            "config: omega and pairs are expected as numbers, [heads, pairs, axes] and [pairs, 2], "
            "with head_dim and axes");
    }
}

}  // namespace ropescope::vectors
