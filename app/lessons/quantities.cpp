// Looks up the names of lessons: quantities first, then scene parameters.
#include "app/lessons/quantities.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"
#include "core/base/characters.h"
#include "core/base/names.h"

namespace ropescope::lessons {
namespace {

template <typename List>
const auto* find_named(const List& list, std::string_view name) {
    const auto found = std::ranges::find_if(list, [&](const auto& q) { return q.name == name; });
    return found == list.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_name(std::string_view name, std::string_view kind) {
    std::vector<std::string> known;
    for (const NumberQuantity& quantity : number_quantities()) {
        known.emplace_back(quantity.name);
    }
    for (const WordQuantity& quantity : word_quantities()) {
        known.emplace_back(quantity.name);
    }
    std::ranges::transform(parameters(), std::back_inserter(known), &Parameter::name);
    throw InputError(fmt::format("{} is not a {} that lessons know{}", in_quotes(name), kind,
                                 did_you_mean(name, known)));
}

const Parameter& number_parameter(std::string_view name) {
    const Parameter* parameter = find_parameter(name);
    if (parameter == nullptr || !is_number(*parameter)) {
        refuse_name(name, "number");
    }
    return *parameter;
}

const Parameter* word_parameter(std::string_view name) {
    const Parameter* parameter = find_parameter(name);
    if (parameter == nullptr && name != "view") {
        refuse_name(name, "word");
    }
    return parameter;
}

Scene in_settings(const Scene& scene, const std::vector<std::string>& settings) {
    return with_existing_pairs(settings.empty() ? scene : apply_settings(scene, settings));
}

}  // namespace

const std::vector<NumberQuantity>& number_quantities() {
    static const std::vector<NumberQuantity> all = [] {
        std::vector<NumberQuantity> list = encoding_quantities();
        for (const auto& part : {score_quantities(), implementation_quantities(),
                                 stretch_quantities(), twin_quantities()}) {
            list.insert(list.end(), part.begin(), part.end());
        }
        return list;
    }();
    return all;
}

const std::vector<WordQuantity>& word_quantities() {
    static const std::vector<WordQuantity> all = implementation_words();
    return all;
}

Names names_of(const Scene& scene, Engine& engine, figures::FigureCache& cache) {
    const auto asked = [&scene, &engine, &cache](const std::vector<std::string>& settings) {
        return Asked{in_settings(scene, settings), &engine, &cache};
    };
    return {.number =
                [asked](std::string_view name, const std::vector<std::string>& settings) {
                    const NumberQuantity* quantity = find_named(number_quantities(), name);
                    const Asked of = asked(settings);
                    return quantity != nullptr ? quantity->compute(of)
                                               : number(of.scene, number_parameter(name));
                },
            .word =
                [asked](std::string_view name, const std::vector<std::string>& settings) {
                    const WordQuantity* quantity = find_named(word_quantities(), name);
                    const Asked of = asked(settings);
                    if (quantity != nullptr) {
                        return quantity->compute(of);
                    }
                    const Parameter* parameter = word_parameter(name);
                    return parameter == nullptr ? of.scene.view
                                                : parameter_text(of.scene, *parameter);
                }};
}

Names names_for_reading() {
    const auto check = [](const std::vector<std::string>& settings) {
        for (const std::string& setting : settings) {
            const std::string name = setting.substr(0, setting.find('='));
            if (name != "view") {
                parameter_by_name(name);
            }
        }
    };
    return {.number =
                [check](std::string_view name, const std::vector<std::string>& settings) {
                    if (find_named(number_quantities(), name) == nullptr) {
                        number_parameter(name);
                    }
                    check(settings);
                    return 1.0;
                },
            .word =
                [check](std::string_view name, const std::vector<std::string>& settings) {
                    if (find_named(word_quantities(), name) == nullptr) {
                        word_parameter(name);
                    }
                    check(settings);
                    return std::string();
                }};
}

}  // namespace ropescope::lessons
