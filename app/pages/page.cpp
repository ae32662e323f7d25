// Puts a page together from its parts and the style and script that are compiled in.
#include "app/pages/page.h"

#include <fmt/format.h>

#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/lessons/step_text.h"
#include "app/plot/svg_text.h"
#include "core/base/embedded.h"
#include "core/base/error.h"

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

// Makes the page of a figure with a slider, with as many frames as fit.

namespace {

std::string page_with(const Scene& scene, const Variation& variation, Engine& engine,
                      const Progress& progress) {
    std::vector<FrameScene> frames;
    for (std::size_t i = 0; i < variation.values.size(); ++i) {
        frames.push_back({value_label(variation, i), varied(scene, variation, i)});
    }
    Palette palette;
    const Film film = make_film(frames, engine, palette, progress);
    const figures::View& view = figures::view_by_id(scene.view);
    return page({.title = fmt::format("{}: {}", view.name, view.question),
                 .about = fmt::format("{} Move the slider to change {}.", view.what_you_see,
                                      variation.name),
                 .body = film_html(film, frames.size(), Motion::slider, variation.name)},
                palette);
}

}  // namespace

std::string figure_page(const Scene& scene, const Variation& variation, Engine& engine,
                        const Progress& progress) {
    Variation fitting = variation;
    while (true) {
        std::string html = page_with(scene, fitting, engine, progress);
        if (html.size() <= kMostPageBytes) {
            return html;
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

// Makes the page of a lesson.

namespace {

/// "base^{−2i/d}" as HTML.
std::string formula_html(std::string_view markup) {
    std::string html;
    for (std::size_t at = 0; at < markup.size();) {
        const char sign = markup[at];
        const bool opens = (sign == '^' || sign == '_') && markup.substr(at + 1).starts_with('{');
        const std::size_t end = opens ? markup.find('}', at) : std::string_view::npos;
        if (end == std::string_view::npos) {
            html += plot::escaped(markup.substr(at++, 1));
            continue;
        }
        const std::string tag = sign == '^' ? "sup" : "sub";
        html +=
            fmt::format("<{0}>{1}</{0}>", tag, plot::escaped(markup.substr(at + 2, end - at - 2)));
        at = end + 1;
    }
    return html;
}

std::string question_html(const lessons::Question& question, const lessons::StepText& text,
                          std::size_t number) {
    std::string choices;
    for (std::size_t i = 0; i < text.choices.size(); ++i) {
        choices += fmt::format(
            "<button type=\"button\" aria-pressed=\"false\" data-right=\"{}\">{}</button>",
            i == question.right ? "yes" : "no", plot::escaped(text.choices[i]));
    }
    return fmt::format(
        "<div class=\"question\" role=\"group\" aria-labelledby=\"question{0}\" data-why=\"{1}\">"
        "<p id=\"question{0}\">{2}</p><div class=\"choices\">{3}</div>"
        "<p class=\"verdict\" role=\"status\"></p></div>",
        number, plot::escaped(text.why), plot::escaped(text.asks), choices);
}

std::string task_html(const lessons::Step& step, const lessons::StepText& text,
                      std::size_t number) {
    if (!step.task) {
        return "";
    }
    const std::string what = step.task->question
                                 ? question_html(*step.task->question, text, number)
                                 : fmt::format("<p>In the app: {}</p>", plot::escaped(text.task));
    return fmt::format(
        "<div class=\"task\">{}<details><summary>Hint</summary><p>{}</p></details></div>", what,
        plot::escaped(text.hint));
}

/// Whether the figure is that of the step before: then it is not shown again.
bool shows_something_new(const lessons::Lesson& lesson, std::size_t i) {
    if (i == 0) {
        return true;
    }
    const lessons::Step& step = lesson.steps[i];
    const bool changes = step.task && !step.task->solution.empty();
    return changes || step.scene != lesson.steps[i - 1].scene;
}

std::string figure_html(const lessons::Step& step, bool solved, Engine& engine, Palette& palette) {
    std::vector<FrameScene> frames = {{"at first", step.scene}};
    if (solved && step.task && !step.task->solution.empty()) {
        frames.push_back({"done", lessons::solved_scene(step)});
    }
    const Film film = make_film(frames, engine, palette);
    return film_html(film, frames.size(), frames.size() > 1 ? Motion::toggle : Motion::none,
                     step.title);
}

/// `solved`: with the figures after what is to be done.
std::string whole_page(const lessons::Lesson& lesson, bool solved, Engine& engine,
                       const Progress& progress) {
    Palette palette;
    figures::FigureCache cache;
    std::string body;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const lessons::Step& step = lesson.steps[i];
        const lessons::StepText text = lessons::step_text(step, engine, cache);
        std::string formulas;
        for (const std::string& formula : step.formulas) {
            formulas += fmt::format("<p class=\"formula\">{}</p>", formula_html(formula));
        }
        body += fmt::format(
            "<section aria-labelledby=\"step{0}\"><h2 id=\"step{0}\">{0}. {1}</h2><p>{2}</p>{3}"
            "{4}{5}</section>\n",
            i + 1, plot::escaped(text.title), plot::escaped(text.text), formulas,
            shows_something_new(lesson, i) ? figure_html(step, solved, engine, palette) : "",
            task_html(step, text, i + 1));
        if (progress) {
            progress(static_cast<double>(i + 1) / static_cast<double>(lesson.steps.size()));
        }
    }
    if (!lesson.source.empty()) {
        body += fmt::format("<section><h2>Where it happened</h2><p>{}</p></section>\n",
                            plot::escaped(lesson.source));
    }
    return page({.title = lesson.title, .about = lesson.about, .body = body}, palette);
}

}  // namespace

std::string lesson_page(const lessons::Lesson& lesson, Engine& engine, const Progress& progress) {
    std::string html = whole_page(lesson, true, engine, progress);
    if (html.size() > kMostPageBytes) {
        html = whole_page(lesson, false, engine, progress);
    }
    if (html.size() > kMostPageBytes) {
        throw InputError(fmt::format("lesson {}: its page has {} bytes, more than {}", lesson.id,
                                     html.size(), kMostPageBytes));
    }
    return html;
}

}  // namespace ropescope::pages
