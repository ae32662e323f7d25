// Reads the positions of --positions and --check in the order of --position-axes.
#include "app/cli/position_file.h"

#include <algorithm>
#include <fmt/format.h>

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

PositionArray read_positions(const Tensor& file, const std::string& asked_order) {
    return positions_in_order(file.view(), position_order(asked_order, file));
}

}  // namespace ropescope::cli
