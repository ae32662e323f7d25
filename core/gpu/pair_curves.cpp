// Computes the curves of a score or a decay on the device, in double.
#include <array>

#include "core/gpu/parameters.h"
#include "core/gpu/rotation.h"
#include "core/gpu/table_plan.h"

namespace ropescope::gpu {
namespace {

constexpr std::int64_t kCurveThreads = 64;  ///< local_size_x of the shader

/// [rows, pairs] -> [pairs, rows]: neighbouring threads have neighbouring distances, and then read
/// neighbouring places.
std::vector<Cis> transposed(const std::vector<Cis>& rows, std::int64_t pairs) {
    std::vector<Cis> columns(rows.size());
    const std::int64_t count = std::ssize(rows) / pairs;
    for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
        columns[i % pairs * count + i / pairs] = rows[i];
    }
    return columns;
}

std::vector<Cis> interleaved(const PairWeights& weights) {
    std::vector<Cis> both;
    for (std::size_t i = 0; i < weights.cos.size(); ++i) {
        both.push_back({weights.cos[i], weights.sin[i]});
    }
    return both;
}

}  // namespace

PairCurves pair_curves(Device& device, const Spectrum& spectrum,
                       std::span<const std::int64_t> distances, const PairWeights& weights) {
    constexpr std::int64_t kBytes = sizeof(double);
    const std::int64_t pairs = spectrum.pairs();
    const TablePlan plan = plan_table(spectrum, distances, 1.0);
    PairCurves curves;
    if (distances.empty() || pairs == 0) {
        curves.even.resize(distances.size());
        curves.odd = curves.moduli = curves.even;
        return curves;
    }
    const auto blocks = upload(device.pool, std::span<const Cis>(transposed(plan.blocks, pairs)));
    const auto offsets = upload(device.pool, std::span<const Cis>(transposed(plan.offsets, pairs)));
    const auto rows = upload(device.pool, std::span(plan.rows));
    const auto factors = upload(device.pool, std::span<const Cis>(interleaved(weights)));
    const std::int64_t count = std::ssize(distances);
    const std::array sums = {device.pool.take(count * kBytes), device.pool.take(count * kBytes),
                             device.pool.take(count * kBytes)};
    const std::uint32_t program = device.programs.get("shaders/pair_curves.comp", {});
    // On desktop devices double runs at 1/32 of the speed of fp32.
    const StepCost cost{kBytes, 32.0 * 20.0 * to_double(spectrum.pairs()), 1, kCurveThreads};
    in_parts(
        count, steps_at_once(device.limits, cost, kRowGrain),
        [&](std::int64_t first, std::int64_t some) {
            const auto part = [&](std::size_t sum) {
                return BufferRange{sums[sum]->all().name, first * kBytes, some * kBytes};
            };
            const std::array buffers{blocks->all(), offsets->all(), rows->all(), factors->all(),
                                     part(0),       part(1),        part(2)};
            const PairCurvesParameters parameters{
                .first = to_uint(first),
                .count = to_uint(some),
                .pairs = to_uint(pairs),
                .blocks = to_uint(std::ssize(plan.blocks) / pairs),
                .offsets = to_uint(std::ssize(plan.offsets) / pairs)};
            device.launcher.run(program, buffers, parameters, ceil_divide(some, kCurveThreads));
        });
    const std::array results = {&curves.even, &curves.odd, &curves.moduli};
    for (std::size_t i = 0; i < sums.size(); ++i) {
        results[i]->resize(distances.size());
        device.readback.read(sums[i]->all(), std::as_writable_bytes(std::span(*results[i])));
    }
    return curves;
}

}  // namespace ropescope::gpu
