#include "app/figures/turned_rows.h"

#include <memory>
#include <numeric>
#include <vector>

namespace ropescope::figures {

DeviceTensor turned_rows(TensorOps& ops, std::span<const std::complex<double>> pairs,
                         const Spectrum& spectrum, std::span<const std::int64_t> positions) {
    const auto row = std::make_shared<std::vector<float>>();
    for (const std::complex<double>& pair : pairs) {
        row->push_back(static_cast<float>(pair.real()));
        row->push_back(static_cast<float>(pair.imag()));
    }
    const std::int64_t columns = std::ssize(*row);
    DeviceTensor rows = ops.make(std::ssize(positions), columns);
    const std::vector<std::int64_t> the_one(positions.size(), 0);
    ops.gather(ops.upload({row, *row}, 1, columns), the_one, rows);
    ops.rotate(rows, 1, ops.table(spectrum, positions, Layout::interleaved));
    return rows;
}

std::vector<std::int64_t> consecutive(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), first);
    return positions;
}

}  // namespace ropescope::figures
