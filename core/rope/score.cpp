// Splits a score into the terms of its pairs and sums them at any distance.
#include "core/rope/score.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope {
namespace {

void require_heads(const RopeSpec& spec, std::span<const double> q, std::span<const double> k) {
    validate(spec);
    if (std::ssize(q) != spec.head_dim || std::ssize(k) != spec.head_dim) {
        throw InputError(
            fmt::format("q and k: {} and {} channels, head_dim is {}; give one head of "
                        "each",
                        q.size(), k.size(), spec.head_dim));
    }
}

}  // namespace

std::vector<PairTerm> pair_terms(const RopeSpec& spec, std::span<const double> q,
                                 std::span<const double> k) {
    require_heads(spec, q, k);
    std::vector<PairTerm> terms;
    terms.reserve(spec.pairs());
    for (Index i = 0; i < spec.pairs(); ++i) {
        const auto [a, b] = pair_channels(spec.layout, spec.rotary_dim, i);
        terms.push_back({q[a] * k[a] + q[b] * k[b], q[b] * k[a] - q[a] * k[b]});
    }
    return terms;
}

double pass_through_term(const RopeSpec& spec, std::span<const double> q,
                         std::span<const double> k) {
    require_heads(spec, q, k);
    double sum = 0.0;
    for (Index c = spec.rotary_dim; c < spec.head_dim; ++c) {
        sum += q[c] * k[c];
    }
    return sum;
}

double score_logits(const RopeSpec& spec, const Spectrum& spectrum, std::span<const PairTerm> terms,
                    double pass_through, Index delta) {
    require_one_axis(spectrum);
    if (terms.size() != spectrum.inv_freq_rad.size()) {
        throw InputError(fmt::format("score terms: {} terms for {} pairs; give one for each pair",
                                     terms.size(), spectrum.pairs()));
    }
    double rotated = 0.0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const double angle_rad = reduced_angle_rad(delta, spectrum.inv_freq_rad[i]);
        rotated +=
            terms[i].cos_part * std::cos(angle_rad) + terms[i].sin_part * std::sin(angle_rad);
    }
    // The attention factor is in the tables of both q and k, and only in their rotated channels.
    const double gain = spectrum.attention_factor * spectrum.attention_factor;
    return (gain * rotated + pass_through) / std::sqrt(to_double(spec.head_dim));
}

}  // namespace ropescope
