// Writes the comparison of runtimes as text and as JSON.
#include "app/cli/compare_runtimes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;
using runtimes::Comparison;
using runtimes::Reading;
using runtimes::Row;
using runtimes::TakenQuantity;

/// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const char* before = i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
        text += before + words[i];
    }
    return text;
}

/// A number, a word, or a long list by its ends.
std::string short_text(const Json& value) {
    constexpr std::size_t kShownWhole = 12;
    if (value.is_string()) {
        return printable(value.get<std::string>(), 80);
    }
    if (value.is_array() && value.size() > kShownWhole) {
        return fmt::format("[{} .. {}] ({} numbers)", printable(value.front().dump(), 40),
                           printable(value.back().dump(), 40), value.size());
    }
    return value.is_number_float() ? fmt::format("{}", value.get<double>())
                                   : printable(value.dump(), 160);
}

/// "yarn, factor 4, beta_fast 32"
std::string scaling_text(const Json& scaling) {
    std::string text;
    for (const auto& [key, value] : scaling.items()) {
        if (key == "type") {
            text = short_text(value);
        } else {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key,
                                value.is_null() ? "missing" : short_text(value));
        }
    }
    return text;
}

std::string value_text(const TakenQuantity& answer) {
    if (answer.value.is_null()) {
        return "not known";
    }
    return answer.value.is_object() ? scaling_text(answer.value) : short_text(answer.value);
}

/// "from rope_theta", "default"; and what has to be said beside it.
std::string answer_origin(const TakenQuantity& answer) {
    const std::string origin = answer.value.is_null() ? ""
                               : answer.from.empty()  ? "default"
                                                      : fmt::format("from {}", answer.from);
    const char* between = origin.empty() || answer.note.empty() ? "" : "; ";
    return origin + between + answer.note;
}

std::string row_text(const Comparison& comparison, const Row& row) {
    std::size_t names = 0;
    std::size_t values = 0;
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
        names = std::max(names, comparison.readings[i].runtime.name.size());
        values = std::max(values, value_text(row.answers[i]).size());
    }
    std::string text = row.name + "\n";
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
        text += fmt::format("  {:<{}}  {:<{}}  {}\n", comparison.readings[i].runtime.name, names,
                            value_text(row.answers[i]), values, answer_origin(row.answers[i]));
    }
    return text;
}

/// The runtimes that cannot read the file.
std::vector<std::string> failing_runtimes(const Comparison& comparison) {
    std::vector<std::string> names;
    for (const Reading& reading : comparison.readings) {
        if (reading.fails) {
            names.emplace_back(reading.runtime.name);
        }
    }
    return names;
}

std::string verdict(const Comparison& comparison) {
    std::vector<std::string> names;
    for (const Row& row : comparison.rows) {
        if (row.differs) {
            names.push_back(row.name);
        }
    }
    const auto is_known = [](const Reading& reading) { return reading.unknown.empty(); };
    if (std::ranges::count_if(comparison.readings, is_known) < 2) {
        return "There are no two readings to compare.\n";
    }
    const std::string said =
        names.empty() ? "They read it alike" : fmt::format("They differ in {}", listed(names));
    const std::vector<std::string> failing = failing_runtimes(comparison);
    return failing.empty()
               ? said + ".\n"
               : fmt::format("{}, but {} cannot read the file.\n", said, listed(failing));
}

/// Whether fewer than all readings have an answer, although those that have one do not differ.
bool has_gap(const Comparison& comparison, const Row& row) {
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
        if (comparison.readings[i].unknown.empty() && row.answers[i].value.is_null()) {
            return true;
        }
    }
    return false;
}

std::string same_text(const Comparison& comparison) {
    std::vector<std::string> same;
    for (const Row& row : comparison.rows) {
        const auto known = std::ranges::find_if(
            row.answers, [](const TakenQuantity& answer) { return !answer.value.is_null(); });
        if (!row.differs && known != row.answers.end() && !has_gap(comparison, row)) {
            same.push_back(fmt::format("{} {}", row.name, value_text(*known)));
        }
    }
    return same.empty() ? "" : fmt::format("The same: {}.\n", fmt::join(same, "; "));
}

/// What a runtime passes over, and which defaults it takes in those rows that differ.
std::string unread_text(const Comparison& comparison, std::size_t reader) {
    const Reading& reading = comparison.readings[reader];
    if (reading.unread.empty()) {
        return "";
    }
    std::vector<std::string> keys;
    for (const runtimes::Stated& stated : reading.unread) {
        keys.push_back(fmt::format("{} {}", printable(stated.path), short_text(stated.value)));
    }
    std::string text = fmt::format("{} does not read {}", reading.runtime.name, listed(keys));
    std::vector<std::string> defaults;
    for (const Row& row : comparison.rows) {
        const TakenQuantity& answer = row.answers[reader];
        if (row.differs && answer.from.empty() && !answer.value.is_null()) {
            defaults.push_back(fmt::format("{} {}", row.name, value_text(answer)));
        }
    }
    return text +
           (defaults.empty() ? ".\n" : fmt::format(" and silently takes {}.\n", listed(defaults)));
}

/// Each place once, with what was read there.
std::string sources_text(const Reading& reading) {
    const runtimes::Runtime& runtime = reading.runtime;
    std::vector<std::pair<std::string, std::vector<std::string>>> places;
    for (const TakenQuantity& answer : reading.answers) {
        const std::string place = fmt::format("{}: {}", answer.source.file, answer.source.function);
        auto found = std::ranges::find(places, place, [](const auto& each) { return each.first; });
        if (found == places.end()) {
            found = places.insert(places.end(), {place, {}});
        }
        if (std::ranges::find(found->second, answer.quantity) == found->second.end()) {
            found->second.push_back(answer.quantity);
        }
    }
    std::string text = fmt::format("{}: {} {}, commit {}\n", runtime.name, runtime.repository,
                                   runtime.version, runtime.commit.substr(0, 12));
    for (const auto& [place, quantities] : places) {
        text += fmt::format("  {}: {}\n", fmt::join(quantities, ", "), place);
    }
    return text;
}

Json answer_json(const TakenQuantity& answer) {
    return {{"quantity", answer.quantity},
            {"layer_type", answer.layer_type.empty() ? Json(nullptr) : Json(answer.layer_type)},
            {"value", answer.value},
            {"from", answer.from.empty() ? Json(nullptr) : Json(answer.from)},
            {"default", answer.from.empty() && !answer.value.is_null()},
            {"note", answer.note},
            {"source", {{"file", answer.source.file}, {"function", answer.source.function}}}};
}

Json reading_json(const Reading& reading) {
    const runtimes::Runtime& runtime = reading.runtime;
    Json json{{"name", runtime.name},
              {"repository", runtime.repository},
              {"version", runtime.version},
              {"commit", runtime.commit},
              {"known", reading.unknown.empty()},
              {"reason", reading.unknown},
              {"answers", Json::array()},
              {"not_read", Json::object()}};
    for (const TakenQuantity& answer : reading.answers) {
        json["answers"].push_back(answer_json(answer));
    }
    for (const runtimes::Stated& stated : reading.unread) {
        json["not_read"][stated.path] = stated.value;
    }
    return json;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
    std::string text = fmt::format("{}\n{}", comparison.file, verdict(comparison));
    for (const Row& row : comparison.rows) {
        if (row.differs || has_gap(comparison, row)) {
            text += "\n" + row_text(comparison, row);
        }
    }
    text += "\n" + same_text(comparison);
    for (std::size_t i = 0; i < comparison.readings.size(); ++i) {
        const Reading& reading = comparison.readings[i];
        text += reading.unknown.empty()
                    ? unread_text(comparison, i)
                    : fmt::format("{}: {}.\n", reading.runtime.name, reading.unknown);
    }
    text += "\nSources\n";
    for (const Reading& reading : comparison.readings) {
        text += sources_text(reading);
    }
    return text;
}

Json comparison_json(const Comparison& comparison) {
    Json json{{"file", comparison.file}, {"differ", Json::array()}, {"runtimes", Json::array()}};
    for (const Row& row : comparison.rows) {
        if (row.differs) {
            json["differ"].push_back(row.name);
        }
    }
    for (const Reading& reading : comparison.readings) {
        json["runtimes"].push_back(reading_json(reading));
    }
    return json;
}

}  // namespace ropescope::cli
