// What a runtime takes from a config.json, for tests.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/json_object.h"
#include "core/formats/runtimes/comparison.h"

namespace ropescope::test {

inline runtimes::Reading read(std::string_view name, const std::string& text) {
    const nlohmann::json parsed = parse_json_object(text, "config.json");
    return runtimes::read_as(runtimes::runtimes_named(name).front(),
                             ConfigObject(parsed, "config.json"));
}

inline runtimes::TakenQuantity answer(const runtimes::Reading& reading, std::string_view quantity,
                                      std::string_view layer_type = "") {
    for (const runtimes::TakenQuantity& each : reading.answers) {
        if (each.quantity == quantity && each.layer_type == layer_type) {
            return each;
        }
    }
    ADD_FAILURE() << "no " << quantity << " of " << layer_type << ": " << reading.unknown;
    return {};
}

inline nlohmann::ordered_json value(std::string_view runtime, const std::string& config,
                                    std::string_view quantity, std::string_view layer_type = "") {
    return answer(read(runtime, config), quantity, layer_type).value;
}

inline std::vector<std::string> unread(std::string_view runtime, const std::string& config) {
    std::vector<std::string> paths;
    for (const runtimes::Stated& stated : read(runtime, config).unread) {
        paths.push_back(stated.path);
    }
    std::ranges::sort(paths);
    return paths;
}

/// A file of `type` with hidden_size 4096 in 32 heads and what is given beside.
inline std::string config(std::string_view type, std::string_view more) {
    return fmt::format(R"({{"model_type": "{}", "hidden_size": 4096, "num_attention_heads": 32,
                           "num_hidden_layers": 8, "max_position_embeddings": 8192{}{}}})",
                       type, more.empty() ? "" : ", ", more);
}

/// Those that know the families of 2025 and 2026.
inline constexpr const char* kToday[] = {"transformers-5", "llama.cpp", "vllm"};
inline constexpr const char* kEach[] = {"transformers-4", "transformers-5", "llama.cpp", "vllm"};

}  // namespace ropescope::test
