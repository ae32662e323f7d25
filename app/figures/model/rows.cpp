// Words a model's encoding and its tensors as rows of name and text.
#include "app/figures/model/rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <span>

#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

std::string scaling_at_length(const RopeSpec& rope) {
    return scaling_words(rope.scaling) +
           (depends_on_seq_len(rope.scaling) ? ", at seq_len " + whole_text(rope.seq_len) : "");
}

void add_rope_rows(Rows& rows, const LayerSpectrum& of, bool named) {
    const auto& [layer, spectrum] = of;
    if (named) {
        rows.push_back(
            {printable(layer.layer_type), layer.layers > 0 ? counted(layer.layers, "layer") : ""});
    }
    rows.push_back({"rotated", fmt::format("{} of {} channels, {}", layer.rope.rotary_dim,
                                           layer.rope.head_dim, to_string(layer.rope.layout))});
    rows.push_back({"base, scaling", fmt::format("{}, {}", plot::exact_number_text(layer.rope.base),
                                                 scaling_at_length(layer.rope))});
    std::string factor = plot::number_text(spectrum.attention_factor);
    if (spectrum.softmax_scale_factor != 1.0) {
        factor += ", softmax scale × " + plot::number_text(spectrum.softmax_scale_factor);
    }
    rows.push_back({"attention factor", factor});
}

}  // namespace

Rows encoding_rows(const std::vector<LayerSpectrum>& layers, const ModelConfig& model) {
    Rows rows;
    std::span<const std::string> assumptions = model.assumptions;
    if (model.confidence == Confidence::inferred) {
        rows.push_back({"inferred", assumptions.front()});
        assumptions = assumptions.subspan(1);
    }
    for (const LayerSpectrum& layer : layers) {
        add_rope_rows(rows, layer, layers.size() > 1);
    }
    for (const std::string& assumption : assumptions) {
        rows.push_back({"assumed", assumption});
    }
    return rows;
}

std::string tensor_text(const TensorInfo& tensor) {
    return fmt::format("{} {}", to_string(tensor.dtype), shape_text(tensor.shape));
}

Rows tensor_rows(std::vector<const TensorInfo*> tensors) {
    std::ranges::stable_sort(tensors, std::greater<>(), &TensorInfo::bytes);
    Rows rows;
    for (const TensorInfo* tensor : tensors) {
        rows.push_back({printable(tensor->name, 48), tensor_text(*tensor)});
    }
    return rows;
}

}  // namespace ropescope::figures
