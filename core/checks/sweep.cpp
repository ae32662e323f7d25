// Builds the sweep of specs, positions and random vectors.
#include "core/checks/sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <random>

#include "core/rope/routes.h"

namespace ropescope {
namespace {

constexpr std::array kHeadDims{2, 4, 6, 64, 96, 128, 192, 256};
constexpr std::array kBases{100.0, 1e4, 5e5, 1e6, 1e7};
constexpr std::array<std::int64_t, 7> kPositions{0, 1, 40, 2000, 70000, 131071, 1048575};

constexpr std::array kLayouts{Layout::interleaved, Layout::half_split};

std::vector<Rope> make_sweep() {
    std::vector<Rope> ropes;
    const auto add = [&](const RopeSpec& spec) { ropes.push_back({spec, make_spectrum(spec)}); };
    for (const Index head_dim : kHeadDims) {
        const Index quarter = std::max<Index>(2, head_dim / 8 * 2);
        for (const double base : kBases) {
            for (const Layout layout : kLayouts) {
                add({head_dim, head_dim, base, layout});
                if (quarter < head_dim) {
                    add({head_dim, quarter, base, layout});
                }
            }
        }
    }
    return ropes;
}

const std::vector<Rope>& whole_sweep() {
    static const std::vector<Rope> ropes = make_sweep();
    return ropes;
}

/// Those that are wanted, of the sweep's that satisfy a condition.
template <typename Condition>
std::vector<Rope> ropes_of(const Cases& wanted, Condition condition) {
    std::vector<Rope> ropes;
    std::ranges::copy_if(whole_sweep(), std::back_inserter(ropes), [&](const Rope& rope) {
        return condition(rope) && (wanted.all() || wanted.may_contain(case_name(rope.spec)));
    });
    return ropes;
}

/// Whether no rope of the sweep before this one has its spectrum.
bool is_first_of_its_spectrum(const Rope& rope) {
    const auto first = std::ranges::find_if(whole_sweep(), [&](const Rope& other) {
        return other.spec.rotary_dim == rope.spec.rotary_dim && other.spec.base == rope.spec.base;
    });
    return &*first == &rope;
}

}  // namespace

std::vector<Rope> rope_sweep(const Cases& wanted) {
    return ropes_of(wanted, [](const Rope&) { return true; });
}

std::vector<Rope> interleaved_sweep(const Cases& wanted) {
    return ropes_of(wanted,
                    [](const Rope& rope) { return rope.spec.layout == Layout::interleaved; });
}

Rope half_split(Rope rope) {
    rope.spec.layout = Layout::half_split;
    return rope;
}

std::vector<Rope> spectrum_sweep(const Cases& wanted) {
    return ropes_of(wanted, is_first_of_its_spectrum);
}

std::span<const std::int64_t> sweep_positions() {
    return kPositions;
}

std::string sweep_text() {
    return fmt::format(
        "head_dim {}..{}, base {:g}..{:g}, both layouts, full and partial rotary, "
        "positions {}..{}",
        kHeadDims.front(), kHeadDims.back(), kBases.front(), kBases.back(), kPositions.front(),
        kPositions.back());
}

std::string case_name(const RopeSpec& spec) {
    return fmt::format("head_dim={} rotary_dim={} base={:g} layout={}", spec.head_dim,
                       spec.rotary_dim, spec.base, to_string(spec.layout));
}

Rows random_rows(std::size_t count, Index head_dim, std::uint64_t seed) {
    // 24 bits of each draw: exact in fp32, and, unlike std::uniform_real_distribution, the same
    // with every standard library.
    std::mt19937_64 generator(seed);
    Rows rows{head_dim, std::vector<double>(count * static_cast<std::size_t>(head_dim))};
    for (double& value : rows.values) {
        value = static_cast<double>(generator() >> 40) * 0x1p-23 - 1.0;
    }
    return rows;
}

Rows repeat_row(std::span<const double> row, std::size_t count) {
    Rows rows{static_cast<int>(row.size()), {}};
    rows.values.reserve(row.size() * count);
    for (std::size_t i = 0; i < count; ++i) {
        rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
    return rows;
}

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

double norm(std::span<const double> a) {
    return std::sqrt(dot(a, a));
}

double distance(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(sum);
}

// Wraps the routes and the engines so that one identity can be checked on all of them.

Rotator route_rotator(std::string name, VectorRoute route) {
    auto rotate = [route](const Rope& rope, const Rows& x, std::span<const std::int64_t> positions,
                          Direction direction) {
        Rows out{x.head_dim, {}};
        out.values.reserve(x.values.size());
        for (std::size_t r = 0; r < x.count(); ++r) {
            const std::int64_t position =
                direction == Direction::forward ? positions[r] : -positions[r];
            const std::vector<double> row = route(rope.spec, rope.spectrum, x[r], position);
            out.values.insert(out.values.end(), row.begin(), row.end());
        }
        return out;
    };
    return {std::move(name), kDoublePrecision, std::move(rotate), nullptr};
}

Rotator engine_rotator(Engine& engine) {
    auto rotate = [&engine](const Rope& rope, const Rows& x,
                            std::span<const std::int64_t> positions, Direction direction) {
        std::vector<std::int64_t> distinct(positions.begin(), positions.end());
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        std::vector<std::int64_t> table_rows;
        table_rows.reserve(positions.size());
        for (const std::int64_t position : positions) {
            table_rows.push_back(std::lower_bound(distinct.begin(), distinct.end(), position) -
                                 distinct.begin());
        }
        const RotationTable table = engine.table(rope.spectrum, distinct);

        std::vector<float> values(x.values.begin(), x.values.end());
        const auto count = static_cast<std::int64_t>(x.count());
        engine.rotate_in_place(bhld_view(values.data(), 1, 1, count, x.head_dim), table.view(),
                               {rope.spec.layout, direction, table_rows, 1});
        return Rows{x.head_dim, {values.begin(), values.end()}};
    };
    return {engine.name(), kFloatPrecision, std::move(rotate), nullptr};
}

Rotator complex_rotator() {
    return route_rotator("complex", rotate_by_complex);
}
Rotator matrix_rotator() {
    return route_rotator("matrix", rotate_by_matrix);
}
Rotator elements_rotator() {
    return route_rotator("elements", rotate_by_elements);
}

std::vector<Rotator> rotators(const CheckContext& context) {
    std::vector<Rotator> all{complex_rotator(), elements_rotator()};
    for (Engine* engine : context.engines) {
        all.push_back(engine_rotator(*engine));
    }
    std::erase_if(all, [&](const Rotator& rotator) {
        return !context.cases.may_contain("by=" + rotator.name);
    });
    return all;
}

std::string where(const Rotator& rotator, const Rope& rope, std::int64_t m) {
    return fmt::format("by={} {} m={}", rotator.name, case_name(rope.spec), m);
}

}  // namespace ropescope
