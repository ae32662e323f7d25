// Puts positions into the order axis, batch, position.
#include "core/formats/position_array.h"

namespace ropescope {

namespace {

/// Sizes and distances in memory of the axes a, b, l.
struct AxesInOrder {
    AxesInOrder(std::span<const Index> shape, std::string_view order) {
        Index step = 1;
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::size_t letter = std::string_view("abl").find(order[i]);
            size[letter] = shape[i];
            stride[letter] = step;
            step *= shape[i];
        }
    }
    Index size[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
};

}  // namespace

PositionArray sizes_in_order(std::span<const Index> shape, std::string_view order) {
    const AxesInOrder axes(shape, order);
    return {axes.size[0], axes.size[1], axes.size[2], {}};
}

PositionArray positions_in_order(const TensorBytes& tensor, std::string_view order) {
    const auto [size, stride] = AxesInOrder(tensor.shape, order);
    const std::vector<double> values = to_f64(tensor);
    PositionArray positions = sizes_in_order(tensor.shape, order);
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
