// Puts positions into the order axis, batch, position.
#include "core/formats/position_array.h"

namespace ropescope {

PositionArray positions_in_order(const TensorBytes& tensor, std::string_view order) {
    Index size[3] = {1, 1, 1}, stride[3] = {0, 0, 0};  // of a, b, l
    const std::string_view letters = "abl";
    Index step = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        const std::size_t letter = letters.find(order[i]);
        size[letter] = tensor.shape[i];
        stride[letter] = step;
        step *= tensor.shape[i];
    }
    const std::vector<double> values = to_f64(tensor);
    PositionArray positions{size[0], size[1], size[2], {}};
    positions.values.reserve(values.size());
    for (Index a = 0; a < size[0]; ++a) {
        for (Index b = 0; b < size[1]; ++b) {
            for (Index l = 0; l < size[2]; ++l) {
                positions.values.push_back(values[a * stride[0] + b * stride[1] + l * stride[2]]);
            }
        }
    }
    return positions;
}

}  // namespace ropescope
