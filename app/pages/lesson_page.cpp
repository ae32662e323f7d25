// Makes the page of a lesson.
#include "app/pages/lesson_page.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include "app/lessons/lesson_checks.h"
#include "app/lessons/main_panels.h"
#include "app/lessons/step_text.h"
#include "app/plot/svg_text.h"
#include "core/base/error.h"

namespace ropescope::pages {
namespace {

std::string question_html(const lessons::ChoiceQuestion& question, const lessons::StepText& text,
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

/// What of the page does a task whose words name what the app has: "On this page, move the slider
/// “base”."
std::string here_html(std::string_view kind, const std::vector<FilmControl>& controls) {
    if (kind == "point") {
        return "<p class=\"here\">On this page, point at it with a mouse or a finger, or: <button "
               "type=\"button\" class=\"look\">Show its values</button></p>";
    }
    if (kind != "until") {
        return "";
    }
    std::vector<std::string> moves;
    for (const FilmControl& control : controls) {
        moves.push_back(fmt::format("{} “{}”",
                                    control.is_list ? "choose from the list" : "move the slider",
                                    plot::escaped(control.name)));
    }
    return fmt::format("<p class=\"here\">On this page, {}.</p>", fmt::join(moves, " and "));
}

/// `controls`: of the step's film; without any its task can be done in the app alone.
std::string task_html(const lessons::Step& step, const lessons::StepText& text, std::size_t number,
                      const std::vector<FilmControl>& controls) {
    if (!step.task) {
        return "";
    }
    const lessons::Task& task = *step.task;
    const std::string kind = task.question            ? "question"
                             : !task.point_at.empty() ? "point"
                             : !controls.empty()      ? "until"
                                                      : "app";
    const std::string what = task.question
                                 ? question_html(*task.question, text, number)
                                 : fmt::format("<p>{}{}</p>{}", kind == "app" ? "In the app: " : "",
                                               plot::escaped(text.task), here_html(kind, controls));
    return fmt::format(
        "<div class=\"task\" data-kind=\"{}\"{}>{}<details><summary>Hint</summary><p>{}{}</p>{}"
        "</details><p class=\"state\" role=\"status\"></p></div>",
        kind,
        task.point_at.empty() ? ""
                              : fmt::format(" data-panel=\"{}\"", plot::escaped(task.point_at)),
        what, kind == "until" ? "In the app: " : "", plot::escaped(text.hint),
        kind == "until" ? "<button type=\"button\" class=\"solve\">Show it done</button>" : "");
}

/// Makes the steps one after the other. A step without controls shows the film of one before,
/// if that has the same scene, speaks of the same panels and has no controls either.
class LessonMaker {
  public:
    LessonMaker(const lessons::Lesson& lesson, std::size_t most_values, Engine& engine)
        : lesson_(lesson), most_values_(most_values), engine_(engine) {}

    std::string step_html(std::size_t i, const std::string& app) {
        const lessons::Step& step = lesson_.steps[i];
        const lessons::StepText text = lessons::step_text(step, engine_, cache_);
        std::string formulas;
        for (const std::string& formula : step.formulas) {
            formulas += fmt::format("<p class=\"formula\" role=\"math\" aria-label=\"{}\">{}</p>",
                                    plot::escaped(lessons::formula_in_words(formula)),
                                    formula_html(formula));
        }
        const std::vector<StepControl> controls = choose_film(step, i + 1);
        const FilmPlace place{
            .id = fmt::format("film-{}", i + 1),
            .data_of = name_of(film_step_),
            .controls = film_controls(controls),
            .solved = controls.empty() ? std::nullopt : std::optional(solved_frame(controls)),
            .source = in_files_ ? fmt::format("films/{}.js", name_of(film_step_)) : ""};
        const std::string link =
            app.empty() ? ""
                        : fmt::format(
                              "<p class=\"app\"><a href=\"{}#lesson={}&amp;step={}\">Open "
                              "this step in the app</a></p>",
                              app, lesson_.id, i + 1);
        return fmt::format(
            "<section class=\"step\" data-step=\"{0}\" aria-labelledby=\"step{0}\"><h2 "
            "id=\"step{0}\">{0}. {1}</h2><div class=\"beside\"><div class=\"words\"><p>{2}</p>{3}"
            "{4}{5}</div>{6}</div></section>\n",
            i + 1, plot::escaped(text.title), plot::escaped(text.text), formulas,
            task_html(step, text, i + 1, place.controls), link, film_html(film_, place));
    }

    /// Films go to files from here on.
    void keep_films_in_files() { in_files_ = true; }
    const std::vector<StoredFilm>& stored() const { return stored_; }
    const std::string& data() const { return data_; }
    const Palette& palette() const { return palette_; }

  private:
    std::string name_of(std::size_t number) const {
        return fmt::format("{}.{}", lesson_.id, number);
    }

    Film film_of(const lessons::Step& step, const std::vector<StepControl>& controls) {
        FilmFrames frames{.scenes = {},
                          .first = start_frame(controls),
                          .kind = FilmKind::beside_words,
                          .step = &step};
        for (std::size_t frame = 0; frame < frame_count(controls); ++frame) {
            const Scene scene = frame_scene(step.scene, controls, frame);
            const bool done =
                !controls.empty() && lessons::is_fulfilled(*step.task, scene, engine_, cache_);
            frames.scenes.push_back({"", scene, done});
        }
        return make_film(frames, engine_, palette_);
    }

    /// The film of the step, made or found. Returns its controls.
    std::vector<StepControl> choose_film(const lessons::Step& step, std::size_t number) {
        if (step.task && !step.task->solution.empty()) {
            return make_film_of(step, number);
        }
        std::vector<std::string> named = lessons::names_of_panels(step);
        if (step.task) {
            named.push_back(step.task->point_at);
        }
        const auto found = std::ranges::find_if(still_, [&](const StillFilm& still) {
            return still.scene == step.scene && still.named == named;
        });
        if (found != still_.end()) {
            film_ = found->film;
            film_step_ = found->number;
        } else {
            make_film_of(step, number);
            still_.push_back({step.scene, std::move(named), film_, number});
        }
        return {};
    }

    /// Has fewer and fewer values until the film is small enough to be loaded while somebody waits,
    /// and none that cannot be drawn. Returns the controls.
    std::vector<StepControl> make_film_of(const lessons::Step& step, std::size_t number) {
        std::vector<StepControl> controls;
        for (std::size_t most = most_values_;;) {
            controls = most < 2 ? std::vector<StepControl>() : controls_of(step, most);
            try {
                film_ = film_of(step, controls);
            } catch (const InputError&) {
                controls = drawable(step.scene, controls, engine_);
                film_ = film_of(step, controls);
            }
            if (!in_files_ || film_.data.size() <= kMostFilmBytes || most <= kFewestValues) {
                break;
            }
            most = fewer_values(most, film_);
        }
        film_step_ = number;
        if (in_files_) {
            stored_.push_back({name_of(number) + ".js", film_script(name_of(number), film_)});
        } else {
            data_ += data_html(film_, name_of(number));
        }
        return controls;
    }

    const lessons::Lesson& lesson_;
    std::size_t most_values_;
    Engine& engine_;
    Palette palette_;
    figures::FigureCache cache_;
    Film film_;
    std::size_t film_step_ = 0;  ///< whose film it is
    /// The films of one frame.
    struct StillFilm {
        Scene scene;
        std::vector<std::string> named;  ///< panels of which its step speaks
        Film film;
        std::size_t number = 0;
    };
    std::vector<StillFilm> still_;
    bool in_files_ = false;
    std::vector<StoredFilm> stored_;
    std::string data_;
};

std::string steps_html(const lessons::Lesson& lesson) {
    std::string links;
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        links +=
            fmt::format("<li><a href=\"#step{0}\" aria-label=\"Step {0}\">{0}</a></li>", i + 1);
    }
    return fmt::format(
        "<nav class=\"steps\" aria-label=\"Steps\" data-lesson=\"{}\"><ol>{}</ol><p "
        "class=\"progress\" role=\"status\"></p></nav>\n",
        lesson.id, links);
}

std::string whole_lesson(const lessons::Lesson& lesson, const LessonPlace& place,
                         LessonMaker& maker, const PageProgress& progress) {
    std::string body = steps_html(lesson);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        body += maker.step_html(i, place.app);
        if (progress) {
            progress(static_cast<double>(i + 1) / static_cast<double>(lesson.steps.size()));
        }
    }
    if (!lesson.source.empty()) {
        body += fmt::format("<section><h2>Where it happened</h2><p>{}</p></section>\n",
                            plot::escaped(lesson.source));
    }
    std::vector<std::string> scripts = {"page.js", "lesson.js"};
    if (!place.app.empty()) {
        scripts.emplace_back("keep.js");
    }
    return page({.title = lesson.title,
                 .about = lesson.about,
                 .body = body + place.below + maker.data(),
                 .head = place.head,
                 .above = place.above,
                 .scripts = std::move(scripts)},
                maker.palette());
}

}  // namespace

std::size_t fewer_values(std::size_t most, const Film& film) {
    // Frames differ in size; a little less than the share that fits.
    return std::clamp(most * kMostFilmBytes / film.data.size(), kFewestValues, most - 1);
}

std::string film_script(const std::string& id, const Film& film) {
    return fmt::format("ropescope_film(\"{}\",\"{}\");\n", id, film.data);
}

LessonOfSite lesson_of_site(const lessons::Lesson& lesson, const LessonPlace& place,
                            Engine& engine) {
    LessonMaker maker(lesson, kMostValues, engine);
    maker.keep_films_in_files();
    std::string html = whole_lesson(lesson, place, maker, {});
    return {std::move(html), maker.stored()};
}

std::string lesson_page(const lessons::Lesson& lesson, Engine& engine,
                        const PageProgress& progress) {
    std::string html;
    for (const std::size_t most_values : {4, 0}) {
        LessonMaker maker(lesson, most_values, engine);
        html = whole_lesson(lesson, {}, maker, progress);
        if (html.size() <= kMostPageBytes) {
            return html;
        }
    }
    throw InputError(fmt::format("lesson {}: its page has {} bytes, more than {}", lesson.id,
                                 html.size(), kMostPageBytes));
}

}  // namespace ropescope::pages
