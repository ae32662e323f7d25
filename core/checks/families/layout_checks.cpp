// Checks of the two channel layouts and the permutation between them.
#include "core/checks/families/layout_checks.h"

#include <cmath>
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

Rows permuted(const Rows& x, const RopeSpec& spec) {
    const auto permutation =
        layout_permutation(Layout::interleaved, Layout::half_split, spec.head_dim, spec.rotary_dim);
    Rows y{x.head_dim, std::vector<double>(x.values.size())};
    permute_channels<double>(x.values, y.values, permutation);
    return y;
}

// The partner of a channel, straight from the two definitions and not from the library: channel c
// turns into `partner`, with the sign that +angle gives it.
struct Partner {
    Index channel;
    double sign;
};
Partner partner_of(const RopeSpec& spec, Index c) {
    if (spec.layout == Layout::interleaved) {
        return c % 2 == 0 ? Partner{c + 1, 1.0} : Partner{c - 1, -1.0};
    }
    const Index half = spec.pairs();
    return c < half ? Partner{c + half, 1.0} : Partner{c - half, -1.0};
}

// What the usual invariants cannot see (norm, shift and composition hold for a wrong pairing or a
// reversed sign too): basis vector e_c at position 1 has cos theta on c, +-sin theta on its partner
// and nothing elsewhere.
// Bound: the rotation_error of a unit vector, that of cos and sin here, and of theta here: pow is
// within 2 u and the rounding of its exponent adds x e^-x u <= 0.4 u, x = -ln theta.
Finding partner_map(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Rope& rope : rope_sweep(context.cases)) {
        const RopeSpec& spec = rope.spec;
        const Index width = spec.head_dim;
        const Index half = spec.pairs();
        // First, middle and last channel of the rotated part and the last of the head.
        const std::vector<Index> probes{0, 1, half - 1, half, 2 * half - 1, width - 1};
        Rows basis{spec.head_dim, std::vector<double>(std::ssize(probes) * width)};
        Rows expected = basis;
        for (Index i = 0; i < std::ssize(probes); ++i) {
            const Index c = probes[i];
            basis.values[i * width + c] = 1.0;
            if (c >= 2 * half) {
                expected.values[i * width + c] = 1.0;
                continue;
            }
            const Index pair = spec.layout == Layout::interleaved ? c / 2 : c % half;
            const double theta = std::pow(spec.base, -to_double(pair) / to_double(half));
            const Partner partner = partner_of(spec, c);
            expected.values[i * width + c] = std::cos(theta);
            expected.values[i * width + partner.channel] = partner.sign * std::sin(theta);
        }
        const std::vector<std::int64_t> ones(probes.size(), 1);
        for (const Rotator& rotator : rotators(context)) {
            const Rows y = rotator.forward(rope, basis, ones);
            for (std::size_t i = 0; i < probes.size(); ++i) {
                worst.add(distance(y[i], expected[i]),
                          rotation_error(rotator.precision) + matrix_error(kDoublePrecision) +
                              3 * kUnitDouble,
                          [&] {
                              return fmt::format("{} channel={}", where(rotator, rope, 1),
                                                 probes[i]);
                          });
            }
        }
    }
    return worst.finding(bound_text("sqrt(2) (e + 2 unit + 18 u) + 3 u"),
                         sweep_text() + ", basis vectors at m = 1");
}

// Bound: the same cos and sin meet the same numbers in another place, so each side is off by its
// arithmetic only: twice the rigidity error.
Finding vectors_permute(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Rope& rope : interleaved_sweep(context.cases)) {
        const RopeSpec& spec = rope.spec;
        const Rows x = random_rows(sweep_positions().size(), spec.head_dim, 21);
        for (const Rotator& rotator : rotators(context)) {
            const Rows first = permuted(rotator.forward(rope, x, sweep_positions()), spec);
            const Rows second =
                rotator.forward(half_split(rope), permuted(x, spec), sweep_positions());
            for (std::size_t i = 0; i < first.count(); ++i) {
                worst.add(distance(first[i], second[i]) / norm(x[i]),
                          2 * rigidity_error(rotator.precision),
                          [&] { return where(rotator, rope, sweep_positions()[i]); });
            }
        }
    }
    return worst.finding(bound_text("2 sqrt(2) (e + 2 unit)"), sweep_text());
}

// Bound: as above for q and for k, and the two dot products add in another order.
Finding scores_permute(const CheckContext& context) {
    WorstCase worst(context.cases);
    const auto positions = sweep_positions();
    for (const Rope& rope : interleaved_sweep(context.cases)) {
        const RopeSpec& spec = rope.spec;
        const Rows q = random_rows(positions.size(), spec.head_dim, 22);
        const Rows k = random_rows(positions.size(), spec.head_dim, 23);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q_here = rotator.forward(rope, q, positions);
            const Rows k_here = rotator.forward(rope, k, positions);
            const Rows q_there = rotator.forward(half_split(rope), permuted(q, spec), positions);
            const Rows k_there = rotator.forward(half_split(rope), permuted(k, spec), positions);
            for (std::size_t i = 0; i < positions.size(); ++i) {
                for (std::size_t j = 0; j < positions.size(); ++j) {
                    const double moved = dot(q_here[i], k_here[j]) - dot(q_there[i], k_there[j]);
                    worst.add(std::abs(moved) / (norm(q[i]) * norm(k[j])),
                              4 * rigidity_error(rotator.precision) + 2 * dot_error(spec.head_dim),
                              [&] {
                                  return fmt::format("{} n={}", where(rotator, rope, positions[i]),
                                                     positions[j]);
                              });
                }
            }
        }
    }
    return worst.finding(bound_text("4 sqrt(2) (e + 2 unit) + 2 head_dim u"), sweep_text());
}

/// y = W x for W [rows, columns], one head vector of head_dim rows after the other.
Rows project(std::span<const float> weight, std::span<const double> x, Index head_dim) {
    Rows y{head_dim, std::vector<double>(weight.size() / x.size())};
    for (std::size_t row = 0; row < y.values.size(); ++row) {
        double sum = 0.0;
        for (std::size_t c = 0; c < x.size(); ++c) {
            sum += weight[row * x.size() + c] * x[c];
        }
        // Engines take fp32: both layouts round the same number here.
        y.values[row] = to_float(sum);
    }
    return y;
}

std::vector<float> random_weight(Index heads, Index head_dim, Index columns, std::uint64_t seed) {
    const Rows rows = random_rows(heads * head_dim, columns, seed);
    return {rows.values.begin(), rows.values.end()};
}

}  // namespace

// Bound 0: a permutation is made of integers. There and back is the identity, every channel occurs,
// and the channels beyond rotary_dim stay.
Finding permutation_is_bijection(const Permutation& permutation, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : interleaved_sweep(cases)) {
        const RopeSpec& spec = rope.spec;
        const auto there =
            permutation(Layout::interleaved, Layout::half_split, spec.head_dim, spec.rotary_dim);
        const auto back =
            permutation(Layout::half_split, Layout::interleaved, spec.head_dim, spec.rotary_dim);
        const Index half = spec.pairs();
        Index wrong = std::abs(std::ssize(there) - spec.head_dim) +
                      std::abs(std::ssize(back) - spec.head_dim);
        for (Index c = 0; wrong == 0 && c < spec.head_dim; ++c) {
            // Even channels, then odd ones, then the rest.
            const Index expected = c >= 2 * half ? c : c < half ? 2 * c : 2 * (c - half) + 1;
            const Index source = there[c];
            const bool holds = source == expected && back[source] == c;
            wrong += holds ? 0 : 1;
        }
        worst.add(to_double(wrong), 0.0, [&] { return case_name(spec); });
    }
    return worst.finding("exact: integers", "head_dim 2..256, full and partial rotary");
}

// W_q with 4 heads, W_k with 2: with grouped queries each is permuted within its own heads.
// Bound: the projected numbers are the same ones in another place; then as for scores.
Finding projections_permute(const CheckContext& context, const PermuteProjection& permute) {
    constexpr Index kQueryHeads = 4;
    constexpr Index kKeyHeads = 2;
    constexpr Index kColumns = 8;
    WorstCase worst(context.cases);
    const std::vector<std::int64_t> m(kQueryHeads, 2000);
    const std::vector<std::int64_t> n(kKeyHeads, 40);
    for (const Rope& rope : interleaved_sweep(context.cases)) {
        const RopeSpec& spec = rope.spec;
        const auto w_q = random_weight(kQueryHeads, spec.head_dim, kColumns, 24);
        const auto w_k = random_weight(kKeyHeads, spec.head_dim, kColumns, 25);
        const Rows hidden = random_rows(1, kColumns, 26);
        const auto moved = [&](std::span<const float> weight, Index heads) {
            const auto turned = permute(weight, heads, spec.head_dim, spec.rotary_dim, kColumns,
                                        Layout::interleaved, Layout::half_split);
            return project(turned, hidden[0], spec.head_dim);
        };
        const Rows q = project(w_q, hidden[0], spec.head_dim);
        const Rows k = project(w_k, hidden[0], spec.head_dim);
        const Rows moved_q = moved(w_q, kQueryHeads);
        const Rows moved_k = moved(w_k, kKeyHeads);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q_here = rotator.forward(rope, q, m);
            const Rows k_here = rotator.forward(rope, k, n);
            const Rows q_there = rotator.forward(half_split(rope), moved_q, m);
            const Rows k_there = rotator.forward(half_split(rope), moved_k, n);
            for (std::size_t head = 0; head < kQueryHeads; ++head) {
                const std::size_t group = head * kKeyHeads / kQueryHeads;
                const double error =
                    dot(q_here[head], k_here[group]) - dot(q_there[head], k_there[group]);
                worst.add(std::abs(error) / (norm(q[head]) * norm(k[group])),
                          4 * rigidity_error(rotator.precision) + 2 * dot_error(spec.head_dim),
                          [&] {
                              return fmt::format("{} n=40 query_head={}",
                                                 where(rotator, rope, 2000), head);
                          });
            }
        }
    }
    return worst.finding(bound_text("4 sqrt(2) (e + 2 unit) + 2 head_dim u"),
                         sweep_text() + ", 4 query heads on 2 key heads");
}

std::vector<Check> layout_checks() {
    return {
        {.id = "layout.partner_map",
         .title = "which channels turn together",
         .source = "RoFormer, eq. 34; GPT-NeoX",
         .statement = "A basis vector turns into its partner channel, with the right sign and "
                      "angle, and into "
                      "no other.",
         .figure = "layouts",
         .run = partner_map},
        {.id = "layout.permutation",
         .title = "there and back is the identity",
         .source = "Hugging Face, LLaMA conversion",
         .statement = "From interleaved to half_split: even channels, then odd ones; the way back "
                      "undoes it.",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .run =
             [](const CheckContext& c) {
                 return permutation_is_bijection(layout_permutation, c.cases);
             }},
        {.id = "layout.vectors",
         .title = "P R_m x = R'_m P x",
         .source = "Hugging Face, LLaMA conversion",
         .statement =
             "Rotating in one layout is permuting, rotating in the other, and permuting back.",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .run = vectors_permute},
        {.id = "layout.scores",
         .title = "scores do not see the layout",
         .source = "Hugging Face, LLaMA conversion",
         .statement = "Query and key permuted alike give the same score.",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .run = scores_permute},
        {.id = "layout.projection_rows",
         .title = "W_q and W_k rows, grouped queries",
         .source = "Hugging Face, LLaMA conversion (n_kv_heads)",
         .statement = "Permuting the rows of W_q and W_k within their heads carries a model from "
                      "one layout to "
                      "the other.",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .run =
             [](const CheckContext& c) { return projections_permute(c, permute_projection_rows); }},
    };
}

}  // namespace ropescope
