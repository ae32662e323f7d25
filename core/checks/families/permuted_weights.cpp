// Permutes the rows of the projections to queries and keys.
#include "core/checks/families/permuted_weights.h"

#include <string>
#include <utility>
#include <vector>

#include "core/rope/layout.h"

namespace ropescope {

Weights in_half_split(const EncoderConfig& config, const Weights& weights) {
    std::vector<Tensor> tensors;
    for (const TensorBytes& tensor : weights.tensors()) {
        const bool of_q_or_k = tensor.name.find(".query.") != std::string::npos ||
                               tensor.name.find(".key.") != std::string::npos;
        std::vector<float> values = to_f32(tensor);
        if (of_q_or_k) {
            const Index head_dim = config.head_dim();
            const Index columns = tensor.shape.size() == 2 ? tensor.shape.back() : 1;
            values = permute_projection_rows(values, config.n_heads, head_dim, head_dim, columns,
                                             Layout::interleaved, Layout::half_split);
        }
        tensors.push_back(make_tensor(tensor.name, tensor.shape, values));
    }
    return Weights::from_tensors(std::move(tensors), "permuted weights");
}

}  // namespace ropescope
