// Writes a trace as a safetensors file.
#include "core/encoder/trace.h"

#include <fmt/format.h>

#include "core/formats/safetensors.h"

namespace ropescope {

const std::vector<std::string>& trace_tensor_names() {
    static const std::vector<std::string> kNames = {"logits", "hidden", "scores",
                                                    "probs",  "q_rot",  "k_rot"};
    return kNames;
}

void write_trace(const std::filesystem::path& path, const Trace& trace,
                 const std::set<std::string>& names,
                 const std::map<std::string, std::string>& metadata) {
    std::vector<TensorBytes> tensors;
    const auto add = [&](const std::string& kind, const std::string& name,
                         const TraceTensor& tensor) {
        if (tensor && names.contains(kind)) {
            tensors.push_back({name, Dtype::f32, tensor.shape, std::as_bytes(tensor.values())});
        }
    };
    add("logits", "logits", trace.logits);
    for (std::size_t i = 0; i < trace.hidden.size(); ++i) {
        add("hidden", fmt::format("hidden.{}", i), trace.hidden[i]);
    }
    for (std::size_t i = 0; i < trace.layers.size(); ++i) {
        const LayerTrace& layer = trace.layers[i];
        add("scores", fmt::format("scores.{}", i), layer.scores);
        add("probs", fmt::format("probs.{}", i), layer.probs);
        add("q_rot", fmt::format("q_rot.{}", i), layer.q_rot);
        add("k_rot", fmt::format("k_rot.{}", i), layer.k_rot);
    }
    write_safetensors(path, std::span<const TensorBytes>(tensors), metadata);
}

}  // namespace ropescope
