// Compares tables pair by pair.
#include "core/diff/table_diff.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/measure/turns.h"

namespace ropescope::diff {
namespace {

using Json = nlohmann::ordered_json;
using diagnosis::RopeTable;
using diagnosis::TableForm;

/// Two codes that compute in fp32 may be off by this share of a frequency, and so of an angle: see
/// allowance.h. The base is the largest that published models use.
double frequency_share(Index pair) {
    return 2.0 * (diagnosis::angle_units(1e11) + to_double(pair)) * diagnosis::kUnitOfF32;
}

double rounding_of(const RopeTable& a, const RopeTable& b, double value) {
    return (a.format.unit + b.format.unit) * std::abs(value) +
           (a.format.smallest + b.format.smallest) / 2.0;
}

/// How fast the pairs of a table turn at most, from two rows that stand a position apart or less;
/// half a turn of every pair if there are none.
std::vector<double> speeds_of(const RopeTable& table) {
    std::vector<double> speeds(table.pairs, 1.0);
    for (Index row = 1; row < table.rows; ++row) {
        const double step = std::abs(table.positions[row] - table.positions[row - 1]);
        if (step == 0.0 || step > 1.0) {
            continue;
        }
        for (Index pair = 0; pair < table.pairs; ++pair) {
            const auto angle = [&](Index at) {
                const Index i = at * table.pairs + pair;
                return std::atan2(table.sin[i], table.cos[i]);
            };
            // Each angle is known within the rounding of cos and sin.
            speeds[pair] = (std::abs(diagnosis::wrapped(angle(row) - angle(row - 1))) +
                            4.0 * table.format.unit) /
                           step;
        }
        return speeds;
    }
    return speeds;
}

class TableComparison {
  public:
    TableComparison(const RopeTable& a, const RopeTable& b) : a_(a), b_(b) {
        found_.name = a.name == b.name ? a.name : fmt::format("{} / {}", a.name, b.name);
    }

    TableDifference run() {
        if ((a_.form == TableForm::cos_sin) != (b_.form == TableForm::cos_sin) ||
            (a_.form == TableForm::factors) != (b_.form == TableForm::factors)) {
            throw InputError(
                fmt::format("{}: one holds {} and the other one {}; give two tables of one form",
                            printable(found_.name), to_string(a_.form), to_string(b_.form)));
        }
        std::vector<std::string> remarks;
        if (a_.pairs != b_.pairs) {
            found_.sameness = Sameness::different;
            remarks.push_back(fmt::format("{} and {} pairs", a_.pairs, b_.pairs));
        }
        if (a_.layout && b_.layout && a_.layout != b_.layout) {
            found_.sameness = std::max(found_.sameness, Sameness::equivalent);
            remarks.push_back(fmt::format("written for {} and for {} pairs",
                                          layout_word(*a_.layout), layout_word(*b_.layout)));
        }
        if (a_.rows != b_.rows) {
            remarks.push_back(fmt::format("{} and {} rows, of which {} are compared", a_.rows,
                                          b_.rows, std::min(a_.rows, b_.rows)));
        }
        found_.remark = fmt::format("{}", fmt::join(remarks, "; "));
        a_.form == TableForm::cos_sin ? compare_angles() : compare_frequencies();
        if (found_.different > 0) {
            found_.sameness = Sameness::different;
        }
        return std::move(found_);
    }

    /// [rows, pairs]: what each pair is apart, in allowances. Of run().
    const std::vector<double>& apart() const { return apart_; }

  private:
    void compare_frequencies() {
        const std::string of = a_.form == TableForm::factors ? "factor" : "frequency";
        for (Index pair = 0; pair < std::min(a_.pairs, b_.pairs); ++pair) {
            const double a = a_.values[pair], b = b_.values[pair];
            add({.pair = pair,
                 .of = of,
                 .a = a,
                 .b = b,
                 .allowed = rounding_of(a_, b_, a) + frequency_share(pair) * std::abs(a)},
                nullptr);
        }
    }

    void compare_angles() {
        const std::vector<double> speeds = speeds_of(a_);
        for (Index row = 0; row < std::min(a_.rows, b_.rows); ++row) {
            const double position = a_.positions[row];
            if (position != b_.positions[row]) {
                throw InputError(fmt::format("{}: row {} is position {} and {}; give the same rows",
                                             printable(found_.name), row, position,
                                             b_.positions[row]));
            }
            for (Index pair = 0; pair < std::min(a_.pairs, b_.pairs); ++pair) {
                compare_pair(row, pair, speeds[pair]);
            }
        }
    }

    void compare_pair(Index row, Index pair, double speed) {
        const Index i = row * a_.pairs + pair, j = row * b_.pairs + pair;
        const double length = std::hypot(a_.cos[i], a_.sin[i]);
        const double position = a_.positions[row];
        // The angle, and what the functions cos and sin of fp32 are off by: a unit in each.
        const double turned =
            (frequency_share(pair) * std::abs(position) * speed + 2.0 * diagnosis::kUnitOfF32) *
            length;
        TableSpot cos{.row = row,
                      .pair = pair,
                      .of = "cos",
                      .position = position,
                      .a = a_.cos[i],
                      .b = b_.cos[j],
                      .allowed = turned + rounding_of(a_, b_, a_.cos[i])};
        TableSpot sin = cos;
        sin.of = "sin";
        sin.a = a_.sin[i];
        sin.b = b_.sin[j];
        sin.allowed = turned + rounding_of(a_, b_, a_.sin[i]);
        cos.angle_rad = sin.angle_rad =
            std::atan2(cos.a * sin.b - sin.a * cos.b, cos.a * cos.b + sin.a * sin.b);
        add(std::move(cos), &sin);
    }

    /// A pair is its one number, or cos and sin.
    void add(TableSpot spot, const TableSpot* other) {
        ++found_.pairs;
        bool differs = false;
        double most = 0.0;
        for (const TableSpot* each : {static_cast<const TableSpot*>(&spot), other}) {
            if (each == nullptr || each->a == each->b) {
                continue;
            }
            const double apart = std::abs(each->a - each->b) / each->allowed;
            most = std::max(most, apart);
            if (apart <= 1.0) {
                found_.within = std::max(found_.within.value_or(0.0), apart);
                continue;
            }
            differs = true;
            if (!found_.first) {
                found_.first = *each;
            }
        }
        found_.different += differs ? 1 : 0;
        apart_.push_back(most);
    }

    const RopeTable& a_;
    const RopeTable& b_;
    TableDifference found_ = {};
    std::vector<double> apart_ = {};
};

/// "row 3 (position 3), pair 7, cos"
std::string spot_text(const TableSpot& spot) {
    const bool by_row = spot.angle_rad.has_value();
    return fmt::format(
        "{}pair {}, {}: {:.9g} and {:.9g}, {:.3g} apart where rounding explains "
        "{:.3g}{}",
        by_row ? fmt::format("position {:g}, ", spot.position) : "", spot.pair, spot.of, spot.a,
        spot.b, std::abs(spot.a - spot.b), spot.allowed,
        by_row ? fmt::format("; B turns {:.6g} rad further", *spot.angle_rad) : "");
}

std::string table_text(const TableDifference& table) {
    const char* between = table.remark.empty() || !table.first ? "" : "; ";
    return table.remark + between +
           (table.first ? fmt::format("first at {}", spot_text(*table.first)) : "");
}

Json spot_json(const std::optional<TableSpot>& spot) {
    if (!spot) {
        return nullptr;
    }
    return {{"row", spot->row},
            {"position", spot->position},
            {"pair", spot->pair},
            {"of", spot->of},
            {"a", spot->a},
            {"b", spot->b},
            {"allowed", spot->allowed},
            {"angle", spot->angle_rad ? Json(*spot->angle_rad) : Json(nullptr)}};
}

/// Pairs of tables that belong together.
std::vector<std::pair<const RopeTable*, const RopeTable*>> matched_tables(
    const std::vector<RopeTable>& a, const std::vector<RopeTable>& b) {
    std::vector<std::pair<const RopeTable*, const RopeTable*>> both;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto named = std::ranges::find(b, a[i].name, &RopeTable::name);
        if (i < b.size() && b[i].name == a[i].name) {
            both.emplace_back(&a[i], &b[i]);
        } else if (named != b.end()) {
            both.emplace_back(&a[i], &*named);
        } else if (a.size() == b.size()) {
            both.emplace_back(&a[i], &b[i]);
        }
    }
    return both;
}

}  // namespace

std::vector<TableDifference> compare_tables(const std::vector<RopeTable>& a,
                                            const std::vector<RopeTable>& b) {
    std::vector<TableDifference> tables;
    for (const auto& [left, right] : matched_tables(a, b)) {
        TableDifference found = TableComparison(*left, *right).run();
        found.place_a = left - a.data();
        found.place_b = right - b.data();
        tables.push_back(std::move(found));
    }
    if (tables.empty()) {
        throw InputError(
            "the two files have no table of one name; give files with the same tables");
    }
    return tables;
}

std::vector<double> map_of_tables(const RopeTable& a, const RopeTable& b) {
    TableComparison comparison(a, b);
    comparison.run();
    const std::vector<double>& apart = comparison.apart();
    const Index pairs = std::min(a.pairs, b.pairs),
                rows = std::ssize(apart) / std::max<Index>(pairs, 1);
    std::vector<double> map(apart.size());
    for (Index row = 0; row < rows; ++row) {
        for (Index pair = 0; pair < pairs; ++pair) {
            map[pair * rows + row] = apart[row * pairs + pair];
        }
    }
    return map;
}

DiffReport report_of(const std::vector<TableDifference>& tables, const std::string& a,
                     const std::string& b) {
    DiffReport report;
    report.facts = {{"kind", "", "tables"}, {"a", "", a}, {"b", "", b}};
    std::optional<double> within;
    for (const TableDifference& table : tables) {
        report.verdict = std::max(report.verdict, table.sameness);
        report.compared.push_back({table.name, table.sameness, table_text(table)});
        if (table.within) {
            within = std::max(within.value_or(0.0), *table.within);
        }
        if (table.sameness == Sameness::equal && !table.remark.empty()) {
            report.remarks.push_back(fmt::format("{}: {}", printable(table.name), table.remark));
        }
        if (table.sameness != Sameness::equal) {
            report.rows.push_back(
                {{"table", "table", table.name, printable(table.name)},
                 {"count", "pairs that differ", table.different,
                  fmt::format("{} of {}", table.different, table.pairs)},
                 {"of", "", table.pairs},
                 {"first", "", spot_json(table.first)},
                 {"text", tables.size() > 1 ? "first" : "", table_text(table), table_text(table)}});
        }
    }
    const auto first = std::ranges::find(tables, report.verdict, &TableDifference::sameness);
    report.summary =
        report.verdict == Sameness::equal
            ? fmt::format("equal: {} table{}, {}", tables.size(), tables.size() == 1 ? "" : "s",
                          within ? fmt::format("the largest difference is {:.2g} of what rounding "
                                               "explains",
                                               *within)
                                 : "number by number")
            : fmt::format("{}: {}: {}", to_string(report.verdict), printable(first->name),
                          table_text(*first));
    return report;
}

}  // namespace ropescope::diff
