// Llama walk-through: PositionalEncoding, after d2l. X is [batch, seq, num_hiddens]; forward
// returns X + P (its dropout is inactive here).
#include <cmath>

#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

constexpr double kSinusoidalBase = 10000.0;

/// arange(max_len).reshape(-1, 1) / pow(10000, arange(0, num_hiddens, 2) / num_hiddens): it
/// divides, where RoPE's code multiplies by the reciprocal.
nd::Array quotient_angles(const SystemInput& input, const PositionRows& rows,
                          std::int64_t num_hiddens) {
    const NumberFormat dtype = input.dtype(NumberFormat::fp32);
    const auto width = static_cast<double>(num_hiddens);
    const nd::Array exponent = nd::map(nd::arange(dtype, 0, num_hiddens, 2),
                                       [width](double channel) { return channel / width; });
    const nd::Array power =
        nd::map(exponent, [](double e) { return std::pow(kSinusoidalBase, e); });
    std::vector<double> values;
    for (const std::int64_t position : rows.positions) {
        for (const double divisor : power.values) {
            values.push_back(static_cast<double>(position) / divisor);
        }
    }
    return nd::make(dtype, {rows.shape[0], power.shape[0]}, std::move(values));
}

}  // namespace

nd::Array d2l_table(const SystemInput& input, std::int64_t seq, std::int64_t num_hiddens) {
    refuse_position_ids(input);
    const PositionRows rows = sliced_rows(input, input.offset, input.offset + seq);
    const nd::Array angles = quotient_angles(input, rows, num_hiddens);
    nd::Array table{{1, rows.shape[0], num_hiddens}, {}, angles.dtype};
    table.values.assign(static_cast<std::size_t>(nd::count(table.shape)), 0.0);
    nd::assign_every_second(table, 0, sine(angles));
    nd::assign_every_second(table, 1, cosine(angles));
    return table;
}

System d2l_sinusoidal() {
    return {.id = "d2l_sinusoidal",
            .title = "sinusoidal table of d2l",
            .brief = "d2l sinusoidal",
            .source = cite(kLlamaWalkthrough, "PositionalEncoding.forward"),
            .what = "Adds sin and cos of m theta to even and odd channels.",
            .kind = SystemKind::additive,
            .axes = "bld",
            .written_base = kSinusoidalBase,
            .code = [](const SystemInput& input) {
                return nd::add(input.x,
                               d2l_table(input, nd::size(input.x, 1), nd::size(input.x, -1)));
            }};
}

}  // namespace ropescope::systems
