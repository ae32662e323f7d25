// Puts a page together from its parts and the style and script that are compiled in.
#include "app/pages/page.h"

#include <fmt/format.h>

#include "app/plot/svg_text.h"
#include "core/base/embedded.h"

namespace ropescope::pages {
namespace {

std::string_view asset(std::string_view name) {
    return embedded_file(name).value_or("");
}

std::string controls(std::size_t frames, Motion motion, const std::string& name) {
    switch (motion) {
        case Motion::slider:
            return fmt::format(
                "<div class=\"controls\"><button type=\"button\" class=\"play\" "
                "aria-pressed=\"false\">Play</button>"
                "<input type=\"range\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"{}\">"
                "<output class=\"value\"></output></div>",
                frames - 1, plot::escaped(name));
        case Motion::toggle:
            return "<div class=\"controls\"><button type=\"button\" class=\"toggle\" "
                   "aria-pressed=\"false\">Show it done</button>"
                   "<output class=\"value\" hidden></output></div>";
        default:
            return "";
    }
}

}  // namespace

std::string film_html(const Film& film, std::size_t frames, Motion motion,
                      const std::string& name) {
    // Without scripts a small figure is still drawn; of a large one the words are left.
    constexpr std::size_t kMostStaticBytes = 12'000;
    const bool drawn = film.first_svg.size() <= kMostStaticBytes;
    return fmt::format(
        "<figure>{}<div class=\"film\" role=\"img\" tabindex=\"0\" aria-label=\"Figure: {}\">{}"
        "</div><output class=\"readout\" aria-live=\"polite\"></output>"
        "<figcaption>{}</figcaption>"
        "<details><summary>The figure in words and numbers</summary><pre tabindex=\"0\">{}</pre>"
        "</details><script type=\"text/plain\" class=\"data\">{}</script></figure>\n",
        controls(frames, motion, name), plot::escaped(film.title), drawn ? film.first_svg : "",
        plot::escaped(film.title), plot::escaped(film.first_text), film.data);
}

std::string page(const PageParts& parts, const Palette& palette) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"ropescope\">\n<link rel=\"icon\" href=\"data:,\">\n"
        "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n"
        "<header><h1>{}</h1><p class=\"about\">{}</p></header>\n<main>\n{}</main>\n"
        "<footer><p>Made by ropescope, an oscilloscope for rotary position embedding. Put the "
        "pointer over a figure to read its values; with the keyboard, move to the figure and use "
        "the arrow keys, page up and page down.</p></footer>\n<script>\n{}</script>\n</body>\n"
        "</html>\n",
        plot::escaped(parts.title), asset("assets/pages/page.css"), palette.css(),
        plot::escaped(parts.title), plot::escaped(parts.about), parts.body,
        asset("assets/pages/page.js"));
}

}  // namespace ropescope::pages
