// Puts the readings of several runtimes into rows and finds those in which they differ.
#include "core/formats/runtimes/comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/formats/json_object.h"

namespace ropescope::runtimes {
namespace {

std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Runtime& runtime : all_runtimes()) {
        names.emplace_back(runtime.name);
    }
    return names;
}

Runtime runtime_named(const std::string& name) {
    const std::span<const Runtime> runtimes = all_runtimes();
    const auto found = std::ranges::find(runtimes, name, &Runtime::name);
    if (found == runtimes.end()) {
        throw InputError(
            fmt::format("--compare: {} is not a runtime that is known here; {} is "
                        "expected{}",
                        in_quotes(name), fmt::join(names(), ", "), did_you_mean(name, names())));
    }
    return *found;
}

std::string row_name(const TakenQuantity& answer) {
    return answer.layer_type.empty() ? answer.quantity
                                     : fmt::format("{} ({})", answer.quantity, answer.layer_type);
}

/// The answer under that name; a null value if the reading has none.
TakenQuantity answer_of(const Reading& reading, const std::string& name) {
    const auto found = std::ranges::find(reading.answers, name, row_name);
    return found == reading.answers.end() ? TakenQuantity{.note = reading.unknown} : *found;
}

bool differ(const std::vector<TakenQuantity>& answers) {
    const TakenQuantity* first = nullptr;
    for (const TakenQuantity& answer : answers) {
        if (answer.value.is_null()) {
            continue;
        }
        if (first != nullptr && answer.value != first->value) {
            return true;
        }
        first = &answer;
    }
    return false;
}

/// A scaling is alike only if what it does is: at which length it does it, and to the size of cos
/// and sin.
void hold_scalings_to_effects(std::vector<Row>& rows) {
    for (const Row& effect : rows) {
        for (const std::string quantity : {"frequencies", "attention factor"}) {
            if (!effect.differs || !effect.name.starts_with(quantity)) {
                continue;
            }
            const std::string scaling = "scaling" + effect.name.substr(quantity.size());
            const auto row = std::ranges::find(rows, scaling, &Row::name);
            if (row != rows.end()) {
                row->differs = true;
            }
        }
    }
}

std::vector<Row> rows_of(const std::vector<Reading>& readings) {
    std::vector<Row> rows;
    for (const Reading& reading : readings) {
        for (const TakenQuantity& answer : reading.answers) {
            if (std::ranges::find(rows, row_name(answer), &Row::name) == rows.end()) {
                rows.push_back({row_name(answer), {}});
            }
        }
    }
    for (Row& row : rows) {
        for (const Reading& reading : readings) {
            row.answers.push_back(answer_of(reading, row.name));
        }
        row.differs = differ(row.answers);
    }
    hold_scalings_to_effects(rows);
    return rows;
}

}  // namespace

std::vector<Runtime> runtimes_named(std::string_view list) {
    std::vector<Runtime> runtimes;
    for (bool more = true; more;) {
        const std::size_t comma = list.find(',');
        more = comma != std::string_view::npos;
        const std::string name(list.substr(0, comma));
        list.remove_prefix(more ? comma + 1 : list.size());
        if (std::ranges::find(runtimes, name, &Runtime::name) != runtimes.end()) {
            throw InputError(
                fmt::format("--compare: {} is named twice; name it once", in_quotes(name)));
        }
        runtimes.push_back(runtime_named(name));
    }
    return runtimes;
}

Comparison compare(std::span<const Runtime> runtimes, const ConfigText& given) {
    const nlohmann::json parsed = parse_json_object(given.text, given.origin);
    const ConfigObject config(parsed, printable(given.origin));
    Comparison comparison{.file = printable(given.origin)};
    for (const Runtime& runtime : runtimes) {
        comparison.readings.push_back(read_as(runtime, config));
    }
    comparison.rows = rows_of(comparison.readings);
    return comparison;
}

}  // namespace ropescope::runtimes
