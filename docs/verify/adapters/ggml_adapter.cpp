#include "exchange.hpp"
#include <ggml-cpu.h>
Array rotate(Array x, const Array& positions, float base) {  // x [B, H, L, D] is [D, L, H, B] for ggml
    const std::int64_t heads = x.shape[1], length = x.shape[2], d = x.shape[3], size = heads * length * d;
    for (std::int64_t b = 0; b < x.shape[0]; ++b) {  // ggml_rope has one list of positions
        ggml_context* context = ggml_init({std::size_t(64 * size + (1 << 24)), nullptr, false});
        ggml_tensor* given = ggml_new_tensor_3d(context, GGML_TYPE_F32, d, length, heads), *at = ggml_new_tensor_1d(context, GGML_TYPE_I32, length);
        std::memcpy(given->data, x.values.data() + b * size, size * sizeof(float));
        for (std::int64_t l = 0; l < length; ++l) static_cast<std::int32_t*>(at->data)[l] = int(positions.values[b * length + l]);
        ggml_tensor* turned = ggml_rope_ext(context, ggml_cont(context, ggml_permute(context, given, 0, 2, 1, 3)), at, nullptr, int(d), GGML_ROPE_TYPE_NEOX, 0, base, 1, 0, 1, 32, 1);
        ggml_tensor* out = ggml_cont(context, ggml_permute(context, turned, 0, 2, 1, 3)); ggml_cgraph* graph = ggml_new_graph(context);
        ggml_build_forward_expand(graph, out), ggml_graph_compute_with_ctx(context, graph, 2), std::memcpy(x.values.data() + b * size, out->data, size * sizeof(float)), ggml_free(context);
    }
    return x;
} int main(int, char** words) { serve([&](const auto& x, const auto& p) { return rotate(x, p, std::stof(words[1])); }); }
