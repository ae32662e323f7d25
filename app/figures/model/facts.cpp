// Words a model's encoding and its tensors as rows of name and text.
#include "app/figures/model/facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

std::string short_scaling(const RopeSpec& rope) {
    std::string text(scaling_type(rope.scaling));
    if (extension_factor(rope.scaling) != 1.0) {
        text += " × " + plot::number_text(extension_factor(rope.scaling));
    }
    if (const auto original = original_positions(rope.scaling)) {
        text += " from " + whole_text(*original);
    }
    if (depends_on_seq_len(rope.scaling)) {
        text += ", at seq_len " + whole_text(rope.seq_len);
    }
    return text;
}

void add_rope_facts(Facts& facts, const LayerSpectrum& of, bool named) {
    const auto& [layer, spectrum] = of;
    if (named) {
        facts.push_back(
            {printable(layer.layer_type), layer.layers > 0 ? counted(layer.layers, "layer") : ""});
    }
    facts.push_back({"rotated", fmt::format("{} of {} channels, {}", layer.rope.rotary_dim,
                                            layer.rope.head_dim, to_string(layer.rope.layout))});
    facts.push_back(
        {"base, scaling", fmt::format("{}, {}", plot::exact_number_text(layer.rope.base),
                                      short_scaling(layer.rope))});
    std::string factor = plot::number_text(spectrum.attention_factor);
    if (spectrum.softmax_scale_factor != 1.0) {
        factor += ", softmax scale × " + plot::number_text(spectrum.softmax_scale_factor);
    }
    facts.push_back({"attention factor", factor});
}

}  // namespace

Facts model_facts(const std::vector<LayerSpectrum>& layers,
                  const std::vector<std::string>& assumptions) {
    Facts facts;
    for (const LayerSpectrum& layer : layers) {
        add_rope_facts(facts, layer, layers.size() > 1);
    }
    for (const std::string& assumption : assumptions) {
        facts.push_back({"assumed", assumption});
    }
    return facts;
}

std::string tensor_text(const TensorInfo& tensor) {
    return fmt::format("{} {}", to_string(tensor.dtype), shape_text(tensor.shape));
}

Facts tensor_facts(std::vector<const TensorInfo*> tensors) {
    std::ranges::stable_sort(tensors, std::greater<>(), &TensorInfo::bytes);
    Facts facts;
    for (const TensorInfo* tensor : tensors) {
        facts.push_back({printable(tensor->name, 48), tensor_text(*tensor)});
    }
    return facts;
}

}  // namespace ropescope::figures
