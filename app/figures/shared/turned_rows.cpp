// Turns one vector by many positions with an engine's operations.
#include "app/figures/shared/turned_rows.h"

#include <memory>
#include <numeric>
#include <vector>

namespace ropescope::figures {

DeviceTensor turned_rows(TensorOps& ops, std::span<const std::complex<double>> pairs,
                         const Spectrum& spectrum, std::span<const Index> positions) {
    const auto row = std::make_shared<std::vector<float>>();
    for (const std::complex<double>& pair : pairs) {
        row->push_back(static_cast<float>(pair.real()));
        row->push_back(static_cast<float>(pair.imag()));
    }
    const Index columns = std::ssize(*row);
    DeviceTensor rows = ops.make(std::ssize(positions), columns);
    const std::vector<Index> the_one(positions.size(), 0);
    ops.gather(ops.upload({row, *row}, 1, columns), the_one, rows);
    ops.rotate(rows, 1, ops.table(spectrum, positions, Layout::interleaved));
    return rows;
}

std::vector<Index> consecutive(Index first, Index count) {
    std::vector<Index> positions(count);
    std::iota(positions.begin(), positions.end(), first);
    return positions;
}

}  // namespace ropescope::figures
