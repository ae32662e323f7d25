// Draws matrices, uploads them and compares what comes back.
#include "core/checks/reference/device_matrix.h"

#include <fmt/format.h>
#include <limits>

#include "core/checks/sweep.h"

namespace ropescope {
namespace {

std::vector<double> random_values(Index count, std::uint64_t seed, double size) {
    std::vector<double> values = random_rows(1, count, seed).values;
    for (double& value : values) {
        value *= size;
    }
    return values;
}

HostFloats in_fp32(std::span<const double> values) {
    const auto copy = std::make_shared<std::vector<float>>(values.begin(), values.end());
    return {copy, *copy};
}

}  // namespace

DeviceTensor upload(TensorOps& ops, Index rows, Index columns, std::span<const double> values) {
    return ops.upload(in_fp32(values), rows, columns);
}

DeviceMatrix random_matrix(TensorOps& ops, Index rows, Index columns, std::uint64_t seed,
                           double size) {
    const std::vector<double> values = random_values(rows * columns, seed, size);
    return {exactly({rows, columns}, values), upload(ops, rows, columns, values)};
}

DeviceMatrix random_weight(TensorOps& ops, Index out, Index in, std::uint64_t seed, double size) {
    const std::vector<double> values = random_values(out * in, seed, size);
    return {exactly({out, in}, values), ops.upload_weight(in_fp32(values), out, in)};
}

void compare(WorstCase& worst, std::span<const float> found, const Estimates& expected,
             const std::string& where) {
    if (found.size() != expected.value.size()) {
        worst.add(std::numeric_limits<double>::quiet_NaN(), 0.0, [&] { return where; });
        return;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        worst.add(std::abs(double{found[i]} - expected.value[i]), expected.bound(i),
                  [&] { return fmt::format("{} index={}", where, i); });
    }
}

void compare(WorstCase& worst, TensorOps& ops, const DeviceTensor& found, const Estimates& expected,
             const std::string& where) {
    compare(worst, ops.download(found).values, expected, where);
}

std::string deviations_of(std::string_view roundings) {
    return fmt::format("10 standard deviations of {} independent roundings of 2^-24", roundings);
}

}  // namespace ropescope
