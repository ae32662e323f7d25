// The rotation by a given table, in place and into another tensor, over lengths and widths around
// every size in which the engines divide their work.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

/// Which row of the table a position takes (RotateOptions::rows).
enum class RowsOf { order, position, sample };

struct RotationCase {
    Index batch, heads, positions, head_dim, pairs;
    RowsOf rows = RowsOf::order;
    Direction direction = Direction::forward;
    int threads = 1;
};

std::string_view to_string(RowsOf rows) {
    switch (rows) {
        case RowsOf::order:
            return "order";
        case RowsOf::position:
            return "position";
        case RowsOf::sample:
            return "sample";
    }
    return "";
}

/// A thread takes runs of 2^15 values or more: 4096 positions and one of 8 channels. Positions on
/// either side of one, two and three runs, for one to three threads.
std::vector<RotationCase> long_cases() {
    std::vector<RotationCase> cases;
    for (const Index positions : {4095, 4096, 4097, 4098, 8193, 8194, 8195, 12291, 12292}) {
        for (const int threads : {1, 2, 3}) {
            cases.push_back({1, 1, positions, 8, 4, RowsOf::order, Direction::forward, threads});
        }
    }
    // The third run begins at the last position of a sample.
    cases.push_back({4100, 1, 3, 8, 4, RowsOf::sample, Direction::forward, 3});
    // Runs that end inside a sample, and heads of which a run holds some.
    cases.push_back({3, 1, 3001, 8, 3, RowsOf::sample, Direction::forward, 2});
    cases.push_back({2, 3, 1367, 10, 5, RowsOf::position, Direction::inverse, 3});
    cases.push_back({1, 5, 700, 24, 12, RowsOf::order, Direction::inverse, 2});
    return cases;
}

/// Pairs around the widths of vector units, with and without channels that do not turn, and heads
/// around those that are walked through together.
std::vector<RotationCase> wide_cases() {
    std::vector<RotationCase> cases;
    for (const Index pairs : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 128}) {
        for (const Index rest : {0, 2, 6}) {
            const Index heads = 1 + pairs % 3;
            const auto rows = static_cast<RowsOf>(pairs % 3);
            const Direction direction = rest == 2 ? Direction::inverse : Direction::forward;
            cases.push_back({2, heads, 35, 2 * pairs + rest, pairs, rows, direction, 1});
        }
    }
    return cases;
}

/// Numbers that stand for cos and sin: the rotation must take any.
struct GivenTable {
    std::vector<float> cos, sin;
    Index rows, pairs;
    RotationTableView view() const { return {cos.data(), sin.data(), rows, pairs}; }
};

std::vector<float> random_floats(Index count, std::uint64_t seed) {
    const Rows drawn = random_rows(1, count, seed);
    return {drawn.values.begin(), drawn.values.end()};
}

/// The layout of one rotation, and the order of the axes in memory, of the input and of the output.
struct Form {
    Layout layout;
    std::string_view from, to;
    bool in_place = false;
};
constexpr std::array kForms = {
    Form{Layout::half_split, "bhld", "bhld", true}, Form{Layout::interleaved, "bhld", "bhld", true},
    Form{Layout::half_split, "blhd", "blhd", true}, Form{Layout::interleaved, "blhd", "blhd", true},
    Form{Layout::half_split, "bhld", "bhld"},       Form{Layout::interleaved, "bhld", "blhd"},
    Form{Layout::half_split, "blhd", "bhld"},
};

template <typename T>
TensorView<T> view_of(const RotationCase& given, std::string_view axes, T* data) {
    return axes == "bhld"
               ? bhld_view(data, given.batch, given.heads, given.positions, given.head_dim)
               : blhd_view(data, given.batch, given.positions, given.heads, given.head_dim);
}

struct RotationInput {
    explicit RotationInput(const RotationCase& given)
        : x(random_floats(given.batch * given.heads * given.positions * given.head_dim, 51)),
          table{random_floats(given.positions * given.pairs, 52),
                random_floats(given.positions * given.pairs, 53), given.positions, given.pairs} {
        const Index listed = given.rows == RowsOf::order      ? 0
                             : given.rows == RowsOf::position ? given.positions
                                                              : given.batch * given.positions;
        for (Index i = 0; i < listed; ++i) {
            rows.push_back((i * 7 + 3) % given.positions);
        }
    }

    std::vector<float> x;
    GivenTable table;
    std::vector<Index> rows;
};

/// One head vector. Bound: each product rounds and so does their sum, 2 units of |x cos| + |y sin|,
/// where the 1.01 has room for the products of the errors. Channels that do not turn are copied.
template <typename Name>
void add_head(WorstCase& worst, const RotationCase& given, Layout layout, const float* x,
              const float* y, const GivenTable& table, Index row, const Name& name) {
    using Complex = std::complex<double>;
    for (Index pair = 0; pair < given.pairs; ++pair) {
        const Index first = layout == Layout::half_split ? pair : 2 * pair;
        const Index second = layout == Layout::half_split ? pair + given.pairs : 2 * pair + 1;
        const Index entry = row * given.pairs + pair;
        const Complex z(x[first], x[second]);
        const Complex turn(table.cos[entry], table.sin[entry]);
        const Complex expected =
            z * (given.direction == Direction::forward ? turn : std::conj(turn));
        const double size = std::abs(z.real()) + std::abs(z.imag());
        const double most =
            2.02 * kUnitFloat * size * std::max(std::abs(turn.real()), std::abs(turn.imag()));
        worst.add(std::max(std::abs(double{y[first]} - expected.real()),
                           std::abs(double{y[second]} - expected.imag())),
                  most, [&] { return fmt::format("{} pair={}", name(), pair); });
    }
    for (Index c = 2 * given.pairs; c < given.head_dim; ++c) {
        worst.add(std::abs(double{y[c]} - double{x[c]}), 0.0,
                  [&] { return fmt::format("{} channel={}", name(), c); });
    }
}

/// In place by an engine, into another tensor by rotate(), which only the CPU has.
void add_case(WorstCase& worst, Engine* engine, const RotationCase& given, const Form& form) {
    const RotationInput input(given);
    const RotateOptions options{form.layout, given.direction, input.rows, given.threads};
    std::vector<float> y(input.x.size(), std::numeric_limits<float>::quiet_NaN());
    if (form.in_place) {
        y = input.x;
        engine->rotate_in_place(view_of(given, form.to, y.data()), input.table.view(), options);
    } else {
        rotate(view_of(given, form.from, input.x.data()), view_of(given, form.to, y.data()),
               input.table.view(), options);
    }
    const auto from = view_of(given, form.from, input.x.data());
    const auto to = view_of(given, form.to, std::as_const(y).data());
    for (Index b = 0; b < given.batch; ++b) {
        for (Index l = 0; l < given.positions; ++l) {
            const Index row = given.rows == RowsOf::order ? l
                              : given.rows == RowsOf::position
                                  ? input.rows[l]
                                  : input.rows[b * given.positions + l];
            for (Index h = 0; h < given.heads; ++h) {
                add_head(
                    worst, given, form.layout, from.row(b, h, l), to.row(b, h, l), input.table, row,
                    [&] {
                        return fmt::format(
                            "by={} batch={} heads={} positions={} head_dim={} pairs={} "
                            "layout={} from={} to={} rows={} direction={} threads={} b={} h={} "
                            "l={}",
                            form.in_place ? engine->name() : "copy", given.batch, given.heads,
                            given.positions, given.head_dim, given.pairs, to_string(form.layout),
                            form.from, form.to, to_string(given.rows),
                            given.direction == Direction::forward ? "forward" : "inverse",
                            given.threads, b, h, l);
                    });
            }
        }
    }
}

void add_forms(WorstCase& worst, const CheckContext& context, const RotationCase& given,
               std::span<const Form> forms) {
    for (const Form& form : forms) {
        if (!form.in_place) {
            add_case(worst, nullptr, given, form);
            continue;
        }
        for (Engine* engine : context.engines) {
            // Threads mean nothing to the GPU.
            if (given.threads == 1 || engine->name() != "gpu") {
                add_case(worst, engine, given, form);
            }
        }
    }
}

Finding any_size(const CheckContext& context) {
    if (context.engines.empty()) {
        return skipped("no engine was given");
    }
    WorstCase worst(context.cases);
    for (const RotationCase& given : wide_cases()) {
        add_forms(worst, context, given, kForms);
    }
    std::size_t turn = 0;
    for (const RotationCase& given : long_cases()) {
        // Each length in one form in place and one not: all forms take turns.
        const std::array forms = {kForms[turn % 4], kForms[4 + turn % 3]};
        add_forms(worst, context, given, forms);
        ++turn;
    }
    return worst.finding("2.02 * 2^-24 (|x| + |y|) max(|cos|, |sin|): two products and a sum",
                         "1 to 12292 positions around the runs of 1 to 3 threads, 1 to 128 pairs, "
                         "0 to 6 channels that do not turn, in place and into another tensor");
}

}  // namespace

std::vector<Check> rotation_checks() {
    return {{.id = "table.sizes",
             .title = "tensors of any size are rotated whole",
             .source = "RoFormer, eq. 34",
             .statement = "Every position of every tensor is turned by its own row of the table, "
                          "however the work is divided, and what does not turn is copied.",
             .figure = "rotation",
             .run = any_size}};
}

// What engines compute: tables of cos and sin against long double, and the rotation of whole
// tensors against the double routes.

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
