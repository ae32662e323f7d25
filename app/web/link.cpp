// Writes a scene as the fragment of an address, and reads one with the names of the program.
#include "app/web/link.h"

#include <fmt/format.h>
#include <string>
#include <utility>

#include "app/figures/view.h"
#include "app/gui/state/scene_text.h"
#include "app/lessons/lesson.h"
#include "app/plot/color.h"

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

LinkNames names_of_program() {
    return {.view = [](const std::string& id) { figures::view_by_id(id); },
            .steps_of_lesson =
                [](const std::string& id) { return lessons::lesson_by_id(id).steps.size(); },
            .theme = [](const std::string& name) { plot::theme_by_name(name); }};
}

}  // namespace

Linked read_link(std::string_view link) {
    return read_link(link, names_of_program());
}

}  // namespace ropescope::web
