// Wraps the routes and the engines so that one identity can be checked on all of them.
#include "core/checks/rotator.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/rope/routes.h"

namespace ropescope {

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
