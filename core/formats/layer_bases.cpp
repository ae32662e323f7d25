// Reads the list of bases, and names layers by their base where their types do not tell them apart.
#include "core/formats/layer_bases.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

bool tell_bases_apart(const std::vector<std::string>& types, const std::vector<double>& bases) {
    std::map<std::string, double> base_of_type;
    for (std::size_t layer = 0; layer < bases.size(); ++layer) {
        if (bases[layer] == 0.0) {
            continue;
        }
        const auto [found, is_new] = base_of_type.emplace(types[layer], bases[layer]);
        if (!is_new && found->second != bases[layer]) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::vector<double> bases_by_layer(const ModelReader& file) {
    const std::string_view key = file.family.layer_base_key;
    const nlohmann::json* list = file.config.find(key);
    if (list == nullptr) {
        return {};
    }
    if (!list->is_array() || std::ssize(*list) > kMaxCount) {
        file.config.fail(key, "a list with a base for each layer is expected");
    }
    std::vector<double> bases;
    for (const nlohmann::json& entry : *list) {
        const double base = entry.is_null() ? 0 : entry.is_number() ? entry.get<double>() : -1;
        if (!(base >= 0 && base <= kMaxBase)) {
            file.config.fail(fmt::format("{}[{}]", key, bases.size()),
                             fmt::format("{}; a base above 0 is expected, or 0 for a layer without "
                                         "position embedding",
                                         in_quotes(entry.dump())));
        }
        bases.push_back(base);
    }
    // A list may go on behind the layers, for those that predict further tokens.
    const auto layers = file.config.integer("num_hidden_layers", 1, kMaxCount);
    if (layers && *layers < std::ssize(bases)) {
        bases.resize(static_cast<std::size_t>(*layers));
    }
    return bases;
}

std::vector<double> speeds_by_layer(const ModelReader& file) {
    return file.family.layer_bases_only_switch ? std::vector<double>() : bases_by_layer(file);
}

std::vector<double> different_bases(std::vector<double> bases) {
    std::erase(bases, 0.0);
    std::ranges::sort(bases);
    bases.erase(std::ranges::unique(bases).begin(), bases.end());
    return bases;
}

std::vector<std::string> types_told_apart(std::vector<std::string> types,
                                          const std::vector<double>& bases) {
    if (different_bases(bases).size() < 2 || (!types.empty() && types.size() < bases.size())) {
        return types;
    }
    const bool untyped = types.empty();
    types.resize(bases.size());
    if (!untyped && tell_bases_apart(types, bases)) {
        return types;
    }
    for (std::size_t layer = 0; layer < bases.size(); ++layer) {
        if (bases[layer] != 0.0) {
            types[layer] = fmt::format("base_{:.15g}", bases[layer]);
        }
    }
    return types;
}

}  // namespace ropescope
