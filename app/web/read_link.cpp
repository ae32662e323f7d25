// Reads a link: which of its words lead to a scene, a lesson and a theme, and which are left out.
#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "app/web/link.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope::web {
namespace {

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

/// Throws InputError for values that cannot be, alone or beside each other.
Scene whole_scene(const std::vector<std::string>& settings, const LinkNames& names) {
    Scene scene = apply_settings(Scene(), settings);
    names.view(scene.view);
    validate(scene);
    return scene;
}

/// The settings that can be applied one after the other; what was wrong with each of the others.
Scene scene_of_link(std::vector<std::string> settings, const LinkNames& names,
                    std::vector<std::string>& left_out) {
    // A model brings its own values, so that it comes before the others.
    std::ranges::stable_partition(
        settings, [](const std::string& setting) { return setting.starts_with("model="); });
    std::vector<std::string> taken;
    Scene scene;
    // A value may need one that stands behind it, so that those refused are tried once more.
    for (int attempt = 0; attempt < 2; ++attempt) {
        left_out.clear();
        for (const std::string& setting : std::exchange(settings, {})) {
            try {
                taken.push_back(setting);
                scene = whole_scene(taken, names);
            } catch (const std::exception& refused) {
                taken.pop_back();
                settings.push_back(setting);
                left_out.push_back(printable(refused.what()));
            }
        }
    }
    return scene;
}

/// The link as its words: pieces between '&', decoded. Programs through which it went may have put
/// another sign in front, written '&' as HTML has it, once or more, or encoded the link as a whole.
std::vector<std::string> words_of(std::string_view given) {
    std::string whole;
    given.remove_prefix(std::min(given.find_first_not_of("#?"), given.size()));
    if (given.find('=') == given.npos) {
        whole = decoded(given);
        given = whole;
    }
    std::string_view link = given;
    std::vector<std::string> words;
    while (!link.empty()) {
        std::string_view piece = link.substr(0, link.find('&'));
        link.remove_prefix(std::min(link.size(), piece.size() + 1));
        for (constexpr std::string_view kHtml = "amp;"; piece.starts_with(kHtml);) {
            piece.remove_prefix(kHtml.size());
        }
        if (!piece.empty()) {
            words.push_back(decoded(piece));
        }
    }
    return words;
}

std::size_t step_number(std::string_view text, const std::string& lesson, std::size_t steps) {
    const std::optional<int> number = parse_number<int>(text);
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > steps) {
        throw InputError(fmt::format("step: {} is not a whole number from 1 to {}, the steps of {}",
                                     in_quotes(text), steps, lesson));
    }
    return static_cast<std::size_t>(*number);
}

Linked linked_of(const std::vector<std::string>& words, const LinkNames& names) {
    Linked linked;
    std::vector<std::string> settings;
    std::string step;
    bool lesson_named = false;
    const auto attempt = [&linked](const auto& take) {
        try {
            take();
        } catch (const std::exception& refused) {
            linked.left_out.push_back(printable(refused.what()));
        }
    };
    for (const std::string& word : words) {
        const std::string value = word.substr(word.find('=') + 1);
        if (word.starts_with("embed=")) {
            linked.embedded = value == "1";
        } else if (word.starts_with("lesson=")) {
            lesson_named = true;
            attempt([&] {
                names.steps_of_lesson(value);
                linked.lesson = value;
            });
        } else if (word.starts_with("step=")) {
            step = value;
        } else if (word.starts_with("theme=")) {
            attempt([&] {
                names.theme(value);
                linked.theme = value;
            });
        } else {
            settings.push_back(word);
        }
    }
    if (!step.empty() && (!lesson_named || !linked.lesson.empty())) {
        attempt([&] {
            if (!lesson_named) {
                throw InputError("step: a step is one of a lesson; add lesson= and its name");
            }
            linked.step = step_number(step, linked.lesson, names.steps_of_lesson(linked.lesson));
        });
    }
    try {
        linked.scene = whole_scene(settings, names);
    } catch (const std::exception&) {
        std::vector<std::string> left_out;
        linked.scene = scene_of_link(settings, names, left_out);
        linked.left_out.insert(linked.left_out.end(), left_out.begin(), left_out.end());
    }
    return linked;
}

/// ")." of "(see #view=decay)."
bool end_in_a_sign(const std::vector<std::string>& words) {
    constexpr std::string_view kSigns = ".,;:!?)]}>\"'";
    return !words.empty() && kSigns.find(words.back().back()) != std::string_view::npos;
}

/// Why the link is not looked at; empty if it is.
std::string why_too_long(std::string_view link) {
    const std::ptrdiff_t words = std::ranges::count(link, '&') + 1;
    return link.size() > kMostSceneBytes ? fmt::format("the link has {} bytes; at most {} are read",
                                                       link.size(), kMostSceneBytes)
           : words > kMostLinkWords
               ? fmt::format("the link has {} words; at most {} are read", words, kMostLinkWords)
               : "";
}

}  // namespace

Linked read_link(std::string_view link, const LinkNames& names) {
    if (std::string why = why_too_long(link); !why.empty()) {
        return {.scene = {}, .left_out = {std::move(why)}};
    }
    std::vector<std::string> words = words_of(link);
    Linked linked = linked_of(words, names);
    constexpr int kMostSigns = 8;
    for (int sign = 0; sign < kMostSigns && !linked.left_out.empty() && end_in_a_sign(words);
         ++sign) {
        words.back().pop_back();
        if (words.back().empty()) {
            words.pop_back();
        }
        Linked shorter = linked_of(words, names);
        if (shorter.left_out.size() < linked.left_out.size()) {
            linked = std::move(shorter);
        }
    }
    return linked;
}

}  // namespace ropescope::web
