// The attention factor of YaRN and LongRoPE: once in every rotated vector and every table, and so
// twice in a score.
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/rope/score.h"

namespace ropescope {
namespace {

/// The last is that of YaRN by a factor of 32.
constexpr std::array kAttentionFactors{0.5, 1.25, 3.0, 1.3465735902799727};

/// A full and a partial rotary embedding in each layout.
std::vector<Rope> ropes() {
    std::vector<Rope> all;
    for (const Layout layout : {Layout::interleaved, Layout::half_split}) {
        for (const auto& [head_dim, rotary_dim] : {std::pair{64, 64}, std::pair{10, 6}}) {
            const RopeSpec spec{head_dim, rotary_dim, 1e4, layout};
            all.push_back({spec, make_spectrum(spec)});
        }
    }
    return all;
}

Rope with_factor(Rope rope, double factor) {
    rope.spectrum.attention_factor = factor;
    return rope;
}

/// fp32 rounds numbers from 1 to the factor by 2^-24 of it at most, not by 2^-25.
Precision scaled(Precision precision) {
    precision.rounding *= 2.0;
    return precision;
}

// Bound: both vectors are off by their rotation error, the one by that of numbers beyond 1, and
// each product of cos or sin with the factor rounds once more.
Finding vectors_scale(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Rope& rope : ropes()) {
        const auto positions = sweep_positions();
        const Rows x = random_rows(positions.size(), rope.spec.head_dim, 71);
        const Index turned = rope.spec.rotary_dim;
        std::vector<Rotator> all = rotators(context);
        all.push_back(matrix_rotator());
        for (const Rotator& rotator : all) {
            const Rows plain = rotator.forward(rope, x, positions);
            for (const double factor : kAttentionFactors) {
                const Rows y = rotator.forward(with_factor(rope, factor), x, positions);
                const double bound =
                    factor * (2 * rotation_error(scaled(rotator.precision)) + 4 * kUnitDouble);
                for (std::size_t i = 0; i < y.count(); ++i) {
                    double squares = 0.0;
                    double rest = 0.0;
                    for (Index c = 0; c < rope.spec.head_dim; ++c) {
                        const double expected = (c < turned ? factor : 1.0) * plain[i][c];
                        const double off = y[i][c] - expected;
                        (c < turned ? squares : rest) += off * off;
                    }
                    const auto name = [&] {
                        return fmt::format("by={} {} factor={} m={}", rotator.name,
                                           case_name(rope.spec), factor, positions[i]);
                    };
                    worst.add(std::sqrt(squares) / norm(x[i]), bound, name);
                    worst.add(rest, 0.0, name);
                }
            }
        }
    }
    return worst.finding(bound_text("2 g sqrt(2) (e + 2 unit + 8 u) + 4 g u for a factor g"),
                         "factors 0.5 to 3, every route and engine, full and partial rotary");
}

// Bound: the expansion's is that of rope.blockwise without the engines, for scores that are larger
// by the square of the factor, and the rotation by powers has the error of its position.
Finding scores_scale_twice(const CheckContext& context) {
    WorstCase worst(context.cases);
    const Rotator powers = power_rotator();
    for (const Rope& rope : ropes()) {
        const Index head_dim = rope.spec.head_dim;
        const Rows q = random_rows(1, head_dim, 72);
        const Rows k = random_rows(1, head_dim, 73);
        const std::vector<PairTerm> terms = pair_terms(rope.spec, q[0], k[0]);
        const double rest = pass_through_term(rope.spec, q[0], k[0]);
        for (const Index n : sweep_positions()) {
            const Rows turned = powers.forward(rope, k, {&n, 1});
            double rotated = 0.0;
            for (Index c = 0; c < head_dim; ++c) {
                const bool turns = c < rope.spec.rotary_dim;
                rotated += turns ? q[0][c] * turned[0][c] : 0.0;
            }
            for (const double factor : kAttentionFactors) {
                const double expected = (factor * factor * rotated + rest) / std::sqrt(head_dim);
                const double score =
                    score_logits(rope.spec, with_factor(rope, factor).spectrum, terms, rest, n);
                const double scale = norm(q[0]) * norm(k[0]) / std::sqrt(to_double(head_dim));
                const double bound =
                    std::max(1.0, factor * factor) *
                    (rotation_error(kDoublePrecision) + power_error(n) +
                     matrix_error(kDoublePrecision) + 2 * dot_error(head_dim) + 12 * kUnitDouble);
                worst.add(std::abs(score - expected) / scale, bound, [&] {
                    return fmt::format("{} factor={} distance={}", case_name(rope.spec), factor, n);
                });
            }
        }
    }
    return worst.finding(
        bound_text("max(1, g^2) (sqrt(2) 24 u + 2 (head_dim + 6) u) and 4.24 m 2^-64 for powers"),
        "factors 0.5 to 3, full and partial rotary, distances 0 to 1048575");
}

struct FactorTable {
    const char* form;
    RotationTable table;
    std::vector<Index> positions;
};

RotationTable downloaded(TensorOps& ops, const DeviceRotation& rotation) {
    RotationTable table{
        .rows = rotation.cos.rows, .pairs = rotation.cos.columns, .cos = {}, .sin = {}};
    const HostFloats cos = ops.download(rotation.cos);
    const HostFloats sin = ops.download(rotation.sin);
    table.cos.assign(cos.values.begin(), cos.values.end());
    table.sin.assign(sin.values.begin(), sin.values.end());
    return table;
}

/// The table of each function of an engine that makes one.
std::vector<FactorTable> tables_of(Engine& engine, const Spectrum& spectrum) {
    std::vector<Index> run;
    for (Index position = -3; position < 300; ++position) {
        run.push_back(position);
    }
    const std::vector<Index> listed = {0, 1000, -77, 131071, 40, 1048575, 40};
    const auto ops = engine.tensor_ops();
    return {{"run", engine.table(spectrum, run.front(), std::ssize(run)), run},
            {"list", engine.table(spectrum, listed), listed},
            {"device", downloaded(*ops, ops->table(spectrum, listed, Layout::half_split)), listed}};
}

// Bound: that of table.contiguous for numbers that are larger by the factor, and one product.
Finding tables_scale(const CheckContext& context) {
    if (context.engines.empty()) {
        return skipped("no engine was given");
    }
    WorstCase worst(context.cases);
    const RopeSpec spec{16, 16, 1e4, Layout::half_split};
    for (Engine* engine : context.engines) {
        for (const double factor : kAttentionFactors) {
            const Rope rope = with_factor({spec, make_spectrum(spec)}, factor);
            for (const FactorTable& made : tables_of(*engine, rope.spectrum)) {
                for (Index entry = 0; entry < made.table.rows * spec.pairs(); ++entry) {
                    const Index m = made.positions.at(entry / spec.pairs());
                    const Index pair = entry % spec.pairs();
                    const long double angle =
                        reference_reduced(reference_inv_freq(spec.base, spec.rotary_dim, pair) * m);
                    const double bound =
                        factor * (scaled(kFloatPrecision).table_error() + kReductionError +
                                  frequency_error_rad(m) + 2 * kUnitDouble);
                    const auto add = [&](float found, long double exact, const char* number) {
                        worst.add(
                            std::abs(static_cast<double>(found - factor * exact)), bound, [&] {
                                return fmt::format("by={} form={} factor={} m={} pair={} number={}",
                                                   engine->name(), made.form, factor, m, pair,
                                                   number);
                            });
                    };
                    add(made.table.cos.at(entry), std::cos(angle), "cos");
                    add(made.table.sin.at(entry), std::sin(angle), "sin");
                }
            }
        }
    }
    return worst.finding(
        "g (2^-24 + 2^-45 + (1.01 |m| + 10) u) for a factor g",
        "factors 0.5 to 3, positions -77..1048575 in a run, a list and on the device");
}

}  // namespace

std::vector<Check> attention_factor_checks() {
    return {
        {.id = "rope.attention_factor",
         .title = "the attention factor scales once",
         .source = "YaRN, section 3.4; LongRoPE",
         .statement =
             "A rotated vector is the attention factor times the plain one, where it turns.",
         .figure = "rotation",
         .run = vectors_scale},
        {.id = "rope.attention_score",
         .title = "and twice in a score",
         .source = "YaRN, section 3.4; RoFormer, eq. 16",
         .statement =
             "A score holds the square of the attention factor, in the channels that turn.",
         .figure = "scores",
         .run = scores_scale_twice},
    };
}

std::vector<Check> factor_table_checks() {
    return {
        {.id = "table.attention_factor",
         .title = "cos and sin times the attention factor",
         .source = "YaRN, section 3.4; LongRoPE",
         .statement = "Every table of an engine holds the attention factor once in each number.",
         .figure = "table",
         .run = tables_scale}};
}

}  // namespace ropescope
