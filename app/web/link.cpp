// Writes and reads the settings of a scene as the fragment of an address.
#include "app/web/link.h"

#include <fmt/format.h>
#include <utility>
#include <vector>

#include "app/figures/view.h"
#include "app/gui/state/scene_text.h"
#include "app/lessons/lesson.h"
#include "app/plot/color.h"
#include "app/scene/settings.h"

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
    for (const auto& [name, value] :
         {std::pair("lesson", linked.lesson), std::pair("theme", linked.theme)}) {
        link += value.empty() ? "" : fmt::format("&{}={}", name, value);
    }
    return link;
}

Linked read_link(std::string_view link) {
    Linked linked;
    std::vector<std::string> settings;
    while (!link.empty()) {
        const std::string_view piece = link.substr(0, link.find('&'));
        link.remove_prefix(std::min(link.size(), piece.size() + 1));
        const std::string setting = decoded(piece);
        const std::string_view value = std::string_view(setting).substr(setting.find('=') + 1);
        if (setting.starts_with("embed=")) {
            linked.embedded = value == "1";
        } else if (setting.starts_with("lesson=")) {
            linked.lesson = lessons::lesson_by_id(value).id;
        } else if (setting.starts_with("theme=")) {
            linked.theme = plot::theme_by_name(value).name;
        } else if (!setting.empty()) {
            settings.push_back(setting);
        }
    }
    linked.scene = apply_settings(Scene(), settings);
    figures::view_by_id(linked.scene.view);  // throws for one that there is not
    return linked;
}

}  // namespace ropescope::web
