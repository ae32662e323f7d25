// Puts a page together from its parts and the style and script that are compiled in.
#include "app/pages/page.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "app/figures/shared/choice_names.h"
#include "app/figures/view.h"
#include "app/plot/svg_text.h"
#include "app/scene/values.h"
#include "core/base/embedded.h"
#include "core/base/error.h"

namespace ropescope::pages {
namespace {

/// Between the thousands of a number, U+2009; a browser ends lines there, and not at U+202F.
constexpr std::string_view kThinSpace = "\u2009", kThinSpaceThatHolds = "\u202f";

std::string_view asset(std::string_view name) {
    return embedded_file(name).value_or("");
}

std::string list_html(const FilmControl& control, const std::string& id) {
    std::string choices;
    for (std::size_t i = 0; i < control.labels.size(); ++i) {
        choices +=
            fmt::format("<option value=\"{}\"{}>{}</option>", i,
                        i == control.start ? " selected" : "", plot::escaped(control.labels[i]));
    }
    return fmt::format("<label for=\"{}\">{}</label><select id=\"{}\">{}</select>", id,
                       plot::escaped(control.name), id, choices);
}

/// A finger cannot meet one of many values on a slider, so that two buttons go one step.
std::string slider_html(const FilmControl& control, const std::string& id, bool plays) {
    const std::string name = plot::escaped(control.name);
    const std::string slider =
        fmt::format("<input type=\"range\" min=\"0\" max=\"{}\" value=\"{}\" id=\"{}\"{}>",
                    control.labels.size() - 1, control.start, id,
                    plays ? fmt::format(" aria-label=\"{}\"", name) : "");
    if (plays) {
        return fmt::format(
            "<button type=\"button\" class=\"play\" aria-pressed=\"false\">Play</button>{}"
            "<output class=\"value\"></output>",
            slider);
    }
    const auto button = [&](std::string_view kind, std::string_view sign, std::string_view word) {
        return fmt::format("<button type=\"button\" class=\"{}\" aria-label=\"{} {}\">{}</button>",
                           kind, name, word, sign);
    };
    return fmt::format(
        "<label for=\"{}\">{}</label><output class=\"value\" for=\"{}\">{}</output>{}{}{}", id,
        name, id, plot::escaped(control.labels.at(control.start)), button("less", "−", "down"),
        slider, button("more", "+", "up"));
}

std::string controls_html(const FilmPlace& place) {
    if (place.controls.empty()) {
        return "";
    }
    std::string html = "<div class=\"moves\">";
    for (std::size_t i = 0; i < place.controls.size(); ++i) {
        const FilmControl& control = place.controls[i];
        const std::string id = fmt::format("{}-{}", place.id, i);
        html += fmt::format(
            "<div class=\"controls{}\" data-labels=\"{}\">{}</div>", place.plays ? "" : " named",
            plot::escaped(fmt::format("{}", fmt::join(control.labels, "|"))),
            control.is_list ? list_html(control, id) : slider_html(control, id, place.plays));
    }
    return html + "</div>";
}

}  // namespace

std::string page(const PageParts& parts, const Palette& palette) {
    std::string scripts;
    for (const std::string& name : parts.scripts) {
        scripts += fmt::format("<script>\n{}</script>\n", asset("assets/pages/" + name));
    }
    const auto unbroken = [](std::string text) {
        for (std::size_t at = 0; (at = text.find(kThinSpace, at)) != std::string::npos;) {
            text.replace(at, kThinSpace.size(), kThinSpaceThatHolds);
        }
        return text;
    };
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"ropescope\">\n<link rel=\"icon\" href=\"data:,\">\n"
        "<title>{}</title>\n{}<style>\n{}{}</style>\n</head>\n<body>\n"
        "<header>{}<h1>{}</h1><p class=\"about\">{}</p></header>\n<main>\n{}</main>\n"
        "<footer><p>Made by ropescope, an oscilloscope for rotary position embedding. Put the "
        "pointer over a figure to read its values; with the keyboard, move to the figure and use "
        "the arrow keys, page up and page down.</p></footer>\n{}</body>\n</html>\n",
        plot::escaped(parts.title), parts.head, asset("assets/pages/page.css"), palette.css(),
        parts.above, plot::escaped(parts.title), plot::escaped(parts.about), unbroken(parts.body),
        scripts);
}

std::vector<FilmControl> film_controls(const std::vector<StepControl>& controls) {
    std::vector<FilmControl> all;
    for (const StepControl& control : controls) {
        FilmControl made{.name = label_of(*control.parameter),
                         .labels = {},
                         .start = control.start,
                         .is_list = !is_number(*control.parameter)};
        for (const std::string& value : control.values) {
            made.labels.push_back(is_number(*control.parameter)
                                      ? control_value(value)
                                      : figures::choice_name(*control.parameter, value));
        }
        all.push_back(std::move(made));
    }
    return all;
}

std::string film_html(const Film& film, const FilmPlace& place) {
    // Without scripts a small figure is still drawn; of a large one the words are left. A page that
    // holds no films has room for more.
    const std::size_t most_static_bytes = place.source.empty() ? 12'000 : 16'000;
    std::string drawn;
    for (std::size_t i = 0; i < film.first_svgs.size(); ++i) {
        const std::string& svg = film.first_svgs[i];
        drawn += svg.size() > most_static_bytes
                     ? ""
                     : fmt::format("<div class=\"{}\">{}</div>", i == 0 ? "wide" : "narrow", svg);
    }
    const std::string title = plot::escaped(film.title);
    return fmt::format(
        "<figure id=\"{}\" data-film=\"{}\"{}{}>{}<div class=\"shown\"><div class=\"film\" "
        "role=\"img\" tabindex=\"0\" "
        "style=\"--wide:{};--narrow:{}\" aria-label=\"Figure: {}\">{}</div>"
        "<output class=\"readout\" aria-live=\"polite\"></output></div>"
        "<figcaption><b>{}.</b> {}</figcaption><p class=\"heard\" aria-live=\"polite\"></p>"
        "<details><summary>The figure in words and numbers</summary><pre tabindex=\"0\">{}</pre>"
        "</details></figure>\n",
        place.id, place.data_of,
        place.source.empty() ? "" : fmt::format(" data-source=\"{}\"", place.source),
        place.solved ? fmt::format(" data-solved=\"{}\"", *place.solved) : "", controls_html(place),
        film.shapes[0], film.shapes[1], title, drawn, title, plot::escaped(film.subtitle),
        plot::escaped(film.first_text));
}

std::string data_html(const Film& film, const std::string& id) {
    return fmt::format("<script type=\"text/plain\" id=\"data-{}\" class=\"data\">{}</script>\n",
                       id, film.data);
}

std::string formula_html(std::string_view markup) {
    std::string html;
    for (std::size_t at = 0; at < markup.size();) {
        const std::size_t sign = std::min(markup.find_first_of("^_", at), markup.size());
        const std::size_t end = markup.substr(std::min(sign + 1, markup.size())).starts_with('{')
                                    ? markup.find('}', sign)
                                    : std::string_view::npos;
        // A sign that opens nothing is a letter like any other.
        const std::size_t plain = end == std::string_view::npos ? sign + 1 : sign;
        html += plot::escaped(markup.substr(at, plain - at));
        at = plain;
        if (end != std::string_view::npos) {
            html += fmt::format("<{0}>{1}</{0}>", markup[sign] == '^' ? "sup" : "sub",
                                plot::escaped(markup.substr(sign + 2, end - sign - 2)));
            at = end + 1;
        }
    }
    return html;
}

// Makes the page of a figure with a slider, with as many frames as fit.

namespace {

std::string page_with(const Scene& scene, const Variation& variation, Engine& engine,
                      const PageProgress& progress) {
    FilmFrames frames;
    FilmControl slider{.name = variation.name, .labels = {}};
    for (std::size_t i = 0; i < variation.values.size(); ++i) {
        slider.labels.push_back(value_label(variation, i));
        frames.scenes.push_back({slider.labels.back(), varied(scene, variation, i)});
    }
    Palette palette;
    const Film film = make_film(frames, engine, palette, progress);
    const figures::View& view = figures::view_by_id(scene.view);
    return page({.title = fmt::format("{}: {}", view.name, view.question),
                 .about = fmt::format("{} Move the slider to change {}.", view.what_you_see,
                                      variation.name),
                 .body = film_html(film, {.id = "film",
                                          .data_of = "film",
                                          .controls = {slider},
                                          .plays = true,
                                          .solved = {},
                                          .source = {}}) +
                         data_html(film, "film"),
                 .scripts = {"page.js"}},
                palette);
}

std::string what_is_left_out(const Variation& all, const Variation& drawn) {
    return all.values.size() == drawn.values.size()
               ? ""
               : fmt::format(
                     "--vary: {} values make a page of more than {} bytes; {} of them are drawn, "
                     "from the first to the last",
                     all.values.size(), kMostPageBytes, drawn.values.size());
}

}  // namespace

FigurePage figure_page(const Scene& scene, const Variation& variation, Engine& engine,
                       const PageProgress& progress) {
    Variation fitting = variation;
    while (true) {
        std::string html = page_with(scene, fitting, engine, progress);
        if (html.size() <= kMostPageBytes) {
            return {std::move(html), what_is_left_out(variation, fitting)};
        }
        const std::size_t frames = fitting.values.size();
        if (frames <= 2) {
            throw InputError(fmt::format(
                "figure: two frames of {} already make a page of {} bytes, more than {}; show "
                "less, for example with a smaller range or fewer tokens",
                scene.view, html.size(), kMostPageBytes));
        }
        // Frames differ in size; a little less than the share that fits.
        const std::size_t fit = frames * kMostPageBytes / html.size();
        fitting = thinned(variation, std::max<std::size_t>(2, std::min(frames - 1, fit)));
    }
}

}  // namespace ropescope::pages
