// What engines compute: tables of cos and sin against long double, and the rotation of whole
// tensors against the double routes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "core/checks/families/families.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/rotator.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

/// Worst error of one table row against long double.
/// Bound: half an fp32 ulp below 1, the chain of angle additions, and the rounding of inv_freq,
/// which the reference does not share. The reference's own error is 2^-8 of that or less, which the
/// 1.01 there leaves room for.
void add_row(WorstCase& worst, const Engine& engine, const RopeSpec& spec,
             const RotationTable& table, std::int64_t row, std::int64_t position) {
    const double bound =
        kFloatPrecision.table_error() + kReductionError + frequency_error_rad(position);
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        const long double inv_freq = reference_inv_freq(spec.base, spec.rotary_dim, pair);
        const long double angle = reference_reduced(static_cast<long double>(position) * inv_freq);
        const Index entry = row * table.pairs + pair;
        const auto error_of = [](float entry_value, long double exact) {
            return static_cast<double>(std::abs(static_cast<long double>(entry_value) - exact));
        };
        const auto describe_entry = [&](const char* function) {
            return fmt::format("by={} rotary_dim={} base={:g} number={} pair={} m={}",
                               engine.name(), spec.rotary_dim, spec.base, function, pair, position);
        };
        worst.add(error_of(table.cos.at(entry), std::cos(angle)), bound,
                  [&] { return describe_entry("cos"); });
        worst.add(error_of(table.sin.at(entry), std::sin(angle)), bound,
                  [&] { return describe_entry("sin"); });
    }
}

constexpr const char* kTableBound =
    "2^-25 + 2^-45 + (1.01 |m| + 8) u: half an fp32 ulp, angle addition, angle";

Finding contiguous_tables(const CheckContext& context) {
    constexpr std::int64_t kShort = 9;
    constexpr std::int64_t kLong = 4099;
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        for (const Rope& rope : spectrum_sweep(context.cases)) {
            // Runs around each position, the first of them across 0, the last up to the limit.
            for (const std::int64_t position : sweep_positions()) {
                const std::int64_t first = position + 2 - kShort;
                const RotationTable table = engine->table(rope.spectrum, first, kShort);
                for (std::int64_t row = 0; row < kShort; row += 2) {
                    add_row(worst, *engine, rope.spec, table, row, first + row);
                }
            }
        }
        // One long run: whatever blocks a table is made of, 61 is prime to their length.
        const RopeSpec spec{128, 128, 10000.0, Layout::half_split};
        const std::int64_t first = kMaxPosition - kLong + 1;
        const RotationTable table = engine->table(make_spectrum(spec), first, kLong);
        for (std::int64_t row = 0; row < kLong; row += 61) {
            add_row(worst, *engine, spec, table, row, first + row);
        }
        add_row(worst, *engine, spec, table, kLong - 1, kMaxPosition);
    }
    return worst.finding(kTableBound, "12 rotary_dims x 5 bases, runs around 0..1048575");
}

Finding listed_tables(const CheckContext& context) {
    // In no order, with a repetition and on both sides of 0.
    static const std::vector<std::int64_t> positions{
        2000, -1, 1048575, 0, 40, -131071, 40, 16000, -1048576, 1, 131071, 777, 524287};
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        for (const Rope& rope : spectrum_sweep(context.cases)) {
            const RotationTable table = engine->table(rope.spectrum, positions);
            for (std::size_t row = 0; row < positions.size(); ++row) {
                add_row(worst, *engine, rope.spec, table, static_cast<std::int64_t>(row),
                        positions[row]);
            }
        }
    }
    return worst.finding(kTableBound,
                         "12 rotary_dims x 5 bases, positions in any order, both signs");
}

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kTableHeads = 3;

/// Table rows [kBatch, positions]: in order for the first batch, in reverse for the second.
std::vector<std::int64_t> rows_by_batch(std::size_t positions) {
    std::vector<std::int64_t> rows(positions);
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    rows.insert(rows.end(), rows.rbegin(), rows.rend());
    return rows;
}

/// The same vectors in memory "bhld" and "blhd": rotated by the engine in either, they must be what
/// the complex route makes of them.
// Bound: each side's rotation_error.
void compare_tensors(WorstCase& worst, Engine& engine, const Rope& rope) {
    const auto positions = sweep_positions();
    const auto length = static_cast<std::int64_t>(positions.size());
    const Index head_dim = rope.spec.head_dim;
    const std::vector<std::int64_t> rows = rows_by_batch(positions.size());
    const auto vectors = static_cast<std::size_t>(kBatch * kTableHeads * length);
    const Rows x = random_rows(vectors, head_dim, 31);
    const auto source = bhld_view(x.values.data(), kBatch, kTableHeads, length, head_dim);

    std::vector<float> heads_first(x.values.begin(), x.values.end());
    std::vector<float> positions_first(x.values.size());
    const auto bhld = bhld_view(heads_first.data(), kBatch, kTableHeads, length, head_dim);
    const auto blhd = blhd_view(positions_first.data(), kBatch, length, kTableHeads, head_dim);
    std::vector<std::int64_t> position_of_vector;
    for (std::int64_t b = 0; b < kBatch; ++b) {
        for (std::int64_t h = 0; h < kTableHeads; ++h) {
            for (std::int64_t l = 0; l < length; ++l) {
                std::copy_n(source.row(b, h, l), head_dim, blhd.row(b, h, l));
                const auto row = static_cast<std::size_t>(b * length + l);
                position_of_vector.push_back(positions[static_cast<std::size_t>(rows[row])]);
            }
        }
    }
    const RotationTable table = engine.table(rope.spectrum, positions);
    engine.rotate_in_place(bhld, table.view(), {rope.spec.layout, Direction::forward, rows, 0});
    engine.rotate_in_place(blhd, table.view(), {rope.spec.layout, Direction::forward, rows, 1});

    const Rows expected = complex_rotator().forward(rope, x, position_of_vector);
    const double bound = rotation_error(kFloatPrecision) + rotation_error(kDoublePrecision);
    for (std::size_t i = 0; i < vectors; ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const std::int64_t b = index / (kTableHeads * length);
        const std::int64_t h = index / length % kTableHeads;
        for (const auto& [memory, view] : {std::pair{"bhld", bhld}, std::pair{"blhd", blhd}}) {
            const float* rotated = view.row(b, h, index % length);
            const std::vector<double> measured(rotated, rotated + head_dim);
            worst.add(distance(measured, expected[i]) / norm(x[i]), bound, [&, name = memory] {
                return fmt::format("by={} {} memory={} batch={} head={} m={}", engine.name(),
                                   case_name(rope.spec), name, b, h, position_of_vector[i]);
            });
        }
    }
}

Finding tensors_rotate(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        for (const Rope& rope : rope_sweep(context.cases)) {
            compare_tensors(worst, *engine, rope);
        }
    }
    return worst.finding(bound_text("sqrt(2) (e + 2 unit + 8 u) + sqrt(2) 12 u"),
                         sweep_text() + ", tensors [2, 3, 7, head_dim] with positions by batch");
}

/// A check of engines only.
std::function<Finding(const CheckContext&)> of_engines(Finding (*finding)(const CheckContext&)) {
    return [finding](const CheckContext& context) {
        return context.engines.empty() ? skipped("no engine was given") : finding(context);
    };
}

}  // namespace

std::vector<Check> table_checks() {
    return {
        {.id = "table.contiguous",
         .title = "cos and sin of consecutive positions",
         .source = "RoFormer, eq. 34",
         .statement =
             "Tables of an engine hold cos and sin to half an fp32 ulp, up to position 2^20.",
         .figure = "table",
         .run = of_engines(contiguous_tables)},
        {.id = "table.positions",
         .title = "cos and sin of listed positions",
         .source = "RoFormer, eq. 34",
         .statement = "The same for positions in any order, repeated and negative.",
         .figure = "table",
         .run = of_engines(listed_tables)},
        {.id = "table.rotate",
         .title = "tensors rotated by an engine",
         .source = "RoFormer, eqs. 12 and 34",
         .statement =
             "An engine's rotation of a tensor is the complex route's, in any memory order.",
         .figure = "rotation",
         .run = of_engines(tensors_rotate)},
    };
}

}  // namespace ropescope
