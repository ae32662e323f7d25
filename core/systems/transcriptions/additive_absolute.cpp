// RoFormer notebook and block-wise derivation: f_t(x_i, i) = W_t (x_i + p_i), t in {q, k, v}, the
// additive absolute encoding that precedes RoPE. Both texts give only the formula: p is taken from
// the sinusoidal table of the walk through Llama, and W_t is a fixed random matrix. x is [batch,
// seq, d].
#include <cmath>

#include "core/systems/probe.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

/// y = W x for every vector of x; W keeps the expected norm (entries of variance 1 / d).
nd::Array project(const nd::Array& x, QkvRole role) {
    const std::int64_t d = nd::size(x, -1);
    const std::vector<double> weight =
        fixed_noise(101 + static_cast<std::uint64_t>(role), static_cast<std::size_t>(d * d));
    const double scale = 1.0 / std::sqrt(static_cast<double>(d));
    std::vector<double> out;
    out.reserve(x.values.size());
    for (auto vector = x.values.begin(); vector != x.values.end(); vector += d) {
        for (auto row = weight.begin(); row != weight.end(); row += d) {
            double sum = 0.0;
            for (std::int64_t c = 0; c < d; ++c) {
                sum += row[c] * vector[c];
            }
            out.push_back(sum * scale);
        }
    }
    return nd::make(x.dtype, x.shape, std::move(out));
}

}  // namespace

System additive_absolute() {
    return {.id = "additive_absolute",
            .title = "additive absolute, W(x + p)",
            .brief = "additive",
            .source = cite(kRoformerNotebook,
                           "and the block-wise derivation, f_t(x_i, i) = W_t (x_i + p_i)"),
            .what = "Adds a position vector to the embedding, then projects.",
            .kind = SystemKind::additive,
            .axes = "bld",
            .written_base = d2l_sinusoidal().written_base,
            .code = [](const SystemInput& input) {
                const nd::Array p = d2l_table(input, nd::size(input.x, 1), nd::size(input.x, -1));
                return project(nd::add(input.x, p), input.role);
            }};
}

}  // namespace ropescope::systems
