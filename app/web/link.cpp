// Writes and reads the settings of a scene as the fragment of an address.
#include "app/web/link.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "app/figures/view.h"
#include "app/gui/state/scene_text.h"
#include "app/lessons/lesson.h"
#include "app/plot/color.h"
#include "app/scene/settings.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope::web {
namespace {

/// Letters that RFC 3986 allows in a fragment and that we give no meaning of our own.
constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$'()*,;:@/?";

std::string encoded(std::string_view text) {
    std::string link;
    for (const char c : text) {
        if (kPlain.find(c) != std::string_view::npos) {
            link += c;
        } else {
            link += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return link;
}

int digit_of(char c) {
    constexpr std::string_view kDigits = "0123456789abcdef", kCapitals = "0123456789ABCDEF";
    const std::size_t small = kDigits.find(c), capital = kCapitals.find(c);
    return static_cast<int>(small != std::string_view::npos ? small : capital);
}

/// What is no code of two digits stays.
std::string decoded(std::string_view link) {
    std::string text;
    for (std::size_t i = 0; i < link.size(); ++i) {
        const bool code = link[i] == '%' && i + 2 < link.size() && digit_of(link[i + 1]) >= 0 &&
                          digit_of(link[i + 2]) >= 0;
        text +=
            code ? static_cast<char>(digit_of(link[i + 1]) * 16 + digit_of(link[i + 2])) : link[i];
        i += code ? 2 : 0;
    }
    return text;
}

}  // namespace

std::string link_of(const Scene& scene) {
    return link_of(Linked{.scene = scene});
}

std::string link_of(const Linked& linked) {
    std::string link = "view=" + linked.scene.view;
    for (const std::string& setting : gui::settings_for(linked.scene)) {
        const std::size_t equals = setting.find('=');
        link += "&" + setting.substr(0, equals + 1) + encoded(setting.substr(equals + 1));
    }
    const std::string step =
        linked.lesson.empty() || linked.step == 0 ? "" : fmt::format("{}", linked.step);
    for (const auto& [name, value] : {std::pair("lesson", linked.lesson), std::pair("step", step),
                                      std::pair("theme", linked.theme)}) {
        link += value.empty() ? "" : fmt::format("&{}={}", name, value);
    }
    return link;
}

namespace {

/// The settings that can be applied one after the other; what was wrong with each of the others.
Scene scene_of_link(std::vector<std::string> settings, std::vector<std::string>& left_out) {
    // A model brings its own values, so that it comes before the others.
    std::ranges::stable_partition(
        settings, [](const std::string& setting) { return setting.starts_with("model="); });
    std::vector<std::string> taken;
    Scene scene;
    for (const std::string& setting : settings) {
        try {
            taken.push_back(setting);
            Scene next = apply_settings(Scene(), taken);
            figures::view_by_id(next.view);  // throws for one that there is not
            scene = std::move(next);
        } catch (const std::exception& refused) {
            taken.pop_back();
            left_out.emplace_back(refused.what());
        }
    }
    return scene;
}

Scene whole_scene(const std::vector<std::string>& settings) {
    Scene scene = apply_settings(Scene(), settings);
    figures::view_by_id(scene.view);
    return scene;
}

/// The link as its words: pieces between '&', decoded.
std::vector<std::string> words_of(std::string_view link) {
    std::vector<std::string> words;
    while (!link.empty()) {
        const std::string_view piece = link.substr(0, link.find('&'));
        link.remove_prefix(std::min(link.size(), piece.size() + 1));
        if (!piece.empty()) {
            words.push_back(decoded(piece));
        }
    }
    return words;
}

std::size_t step_number(std::string_view text, const lessons::Lesson& lesson) {
    const std::optional<int> number = parse_number<int>(text);
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > lesson.steps.size()) {
        throw InputError(fmt::format("step: {} is not a whole number from 1 to {}, the steps of {}",
                                     in_quotes(text), lesson.steps.size(), lesson.id));
    }
    return static_cast<std::size_t>(*number);
}

Linked linked_of(const std::vector<std::string>& words) {
    Linked linked;
    std::vector<std::string> settings;
    std::string step;
    const auto attempt = [&linked](const auto& take) {
        try {
            take();
        } catch (const std::exception& refused) {
            linked.left_out.emplace_back(refused.what());
        }
    };
    for (const std::string& word : words) {
        const std::string_view value = std::string_view(word).substr(word.find('=') + 1);
        if (word.starts_with("embed=")) {
            linked.embedded = value == "1";
        } else if (word.starts_with("lesson=")) {
            attempt([&] { linked.lesson = lessons::lesson_by_id(value).id; });
        } else if (word.starts_with("step=")) {
            step = value;
        } else if (word.starts_with("theme=")) {
            attempt([&] { linked.theme = plot::theme_by_name(value).name; });
        } else {
            settings.push_back(word);
        }
    }
    if (!step.empty() && !linked.lesson.empty()) {
        attempt([&] { linked.step = step_number(step, lessons::lesson_by_id(linked.lesson)); });
    }
    try {
        linked.scene = whole_scene(settings);
    } catch (const std::exception&) {
        linked.scene = scene_of_link(settings, linked.left_out);
    }
    return linked;
}

}  // namespace

Linked read_link(std::string_view link) {
    std::vector<std::string> words = words_of(link);
    Linked linked = linked_of(words);
    // "(see #view=decay)." with the bracket and the full stop
    while (!linked.left_out.empty() && !words.empty() &&
           std::string_view(".,;:!?)]}>\"'").find(words.back().back()) != std::string_view::npos) {
        words.back().pop_back();
        if (words.back().empty()) {
            words.pop_back();
        }
        Linked shorter = linked_of(words);
        if (shorter.left_out.size() < linked.left_out.size()) {
            linked = std::move(shorter);
        }
    }
    return linked;
}

}  // namespace ropescope::web
