// Makes the page of a lesson.
#include <fmt/format.h>

#include "app/lessons/step_text.h"
#include "app/lessons/task_state.h"
#include "app/pages/page.h"
#include "app/plot/svg_text.h"
#include "core/base/error.h"

namespace ropescope::pages {
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
