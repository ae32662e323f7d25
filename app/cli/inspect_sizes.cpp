// Writes a model's sizes and its layers without position embedding.
#include "app/cli/inspect_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "app/figures/shared/text.h"
#include "core/base/characters.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string size_text(const ModelConfig& model) {
    std::string text =
        (model.n_layers > 0 ? figures::counted(model.n_layers, "layer") + ", " : "") +
        figures::counted(model.n_heads, "head");
    if (model.n_kv_heads != model.n_heads) {
        text += fmt::format(", {} of keys and values", model.n_kv_heads);
    }
    return text;
}

/// "16 of 64 layers: 3, 7, 11 ... 63": all numbers, or the first three and the last.
std::string still_text(const ModelConfig& model) {
    constexpr std::size_t kShownWhole = 8, kFirst = 3;
    const std::span<const Index> layers = model.layers_without;
    const std::string numbers =
        layers.size() <= kShownWhole
            ? fmt::format("{}", fmt::join(layers, ", "))
            : fmt::format("{} ... {}", fmt::join(layers.first(kFirst), ", "), layers.back());
    return model.n_layers > 0
               ? fmt::format("{} of {} layers: {}", layers.size(), model.n_layers, numbers)
               : numbers;
}

}  // namespace

Json stated_count(std::int64_t count) {
    return count == 0 ? Json(nullptr) : Json(count);
}

Entry model_type_field(const ModelConfig& model) {
    return {"model_type", "model_type", model.model_type,
            model.model_type.empty() ? "none" : printable(model.model_type)};
}

Record sizes_record(const ModelConfig& model) {
    Record record = {
        {"", "size", {}, size_text(model)},
        {"max_position_embeddings", model.max_positions > 0 ? "context" : "",
         stated_count(model.max_positions), fmt::format("{} positions", model.max_positions)},
        {"num_hidden_layers", "", stated_count(model.n_layers)},
        {"num_attention_heads", "", stated_count(model.n_heads)},
        {"num_key_value_heads", "", stated_count(model.n_kv_heads)}};
    if (!model.layers_without.empty()) {
        record.push_back(
            {"layers_without_rope", "without RoPE", model.layers_without, still_text(model)});
    }
    return record;
}

}  // namespace ropescope::cli
