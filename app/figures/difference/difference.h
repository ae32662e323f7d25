// What lies between two models, two dumps or two tables as a figure: the picture of `diff`. It is
// no view, because a scene holds one thing and not two.
// Sources: model_figure.cpp, dump_figure.cpp, table_figure.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "app/plot/figure.h"
#include "core/diff/difference_map.h"
#include "core/diff/model_diff.h"
#include "core/diff/table_diff.h"

namespace ropescope::figures {

/// Of the layers that differ first: both speeds of each pair, their ratio, and the position at
/// which the angles of a pair are a radian apart.
plot::Figure difference_figure(const diff::ModelDifference& difference);

/// Maps of the layer, side and head that differ first: pairs over tokens before the rotation and
/// behind it, and heads over tokens.
plot::Figure difference_figure(const diff::DumpDifference& difference,
                               const diff::DifferenceMaps& maps);

/// Both files' tables, of which the one that differs first is drawn.
struct BothTables {
    std::vector<diagnosis::RopeTable> a = {}, b = {};
};
plot::Figure difference_figure(const std::vector<diff::TableDifference>& tables,
                               const BothTables& both, const diff::DiffReport& report);

/// A figure with the verdict as its title and the report as its words.
plot::Figure titled_difference(const diff::DiffReport& report, plot::Text subtitle);

/// Whole decades that hold the largest finite one of these differences in allowances; at least one.
double decades_above(const std::vector<double>& allowances);

/// A map of differences in allowances, [rows, columns], as decades: what rounding explains is dark.
/// `panel` has its axes; `decades` is where the colours end.
void add_difference_map(plot::Panel& panel, const std::vector<double>& allowances,
                        std::int64_t columns, double column_width, double decades);

}  // namespace ropescope::figures
