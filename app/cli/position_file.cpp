// Puts positions of several axes into the order axis, batch, position.
#include "app/cli/position_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope::cli {
namespace {

/// The order of a positions file: a letter for each of its axes, a (axes of the model), b and l.
std::string position_order(const std::string& asked, const Tensor& file) {
    const std::size_t rank = file.shape.size();
    const std::string order = !asked.empty() ? asked : rank == 3 ? "abl" : "al";
    std::string sorted = order;
    std::ranges::sort(sorted);
    if ((sorted != "al" && sorted != "abl") || order.size() != rank) {
        throw InputError(fmt::format(
            "--position-axes: {} for {} of {} axes; give each of a (axis), l (position) and, if "
            "there is a batch, b once",
            in_quotes(order), file.name, rank));
    }
    return order;
}

}  // namespace

PositionFile read_positions(const Tensor& file, const std::string& asked_order) {
    const std::string order = position_order(asked_order, file);
    Index size[3] = {1, 1, 1}, stride[3] = {0, 0, 0};  // of a, b, l
    const std::string_view letters = "abl";
    Index step = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        const std::size_t letter = letters.find(order[i]);
        size[letter] = file.shape[i];
        stride[letter] = step;
        step *= file.shape[i];
    }
    const std::vector<double> values = to_f64(file.view());
    PositionFile positions{size[0], size[1], size[2], {}};
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

}  // namespace ropescope::cli
