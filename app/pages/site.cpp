// Makes the first page, the pages of views and the cards; lesson_page.cpp makes those of lessons.
#include "app/pages/site.h"

#include <fmt/format.h>
#include <vector>

#include "app/figures/view.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_checks.h"
#include "app/pages/lesson_page.h"
#include "app/pages/step_controls.h"
#include "app/plot/render_figure.h"
#include "app/plot/svg_text.h"
#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::pages {
namespace {

constexpr std::string_view kName = "ropescope";
constexpr std::string_view kWhatItIs =
    "See how rotary position embedding (RoPE) turns queries and keys: figures that move, lessons "
    "with something to do, and every number checked.";

/// A page as those who share its link see it.
struct Card {
    std::string title, text;
    std::string page;     ///< its path in the site
    std::string picture;  ///< the same of its picture
};

/// What services that show links read (Open Graph); `up` leads from the page to the site's folder.
std::string head_html(const Card& card, const SiteOptions& options, const std::string& up) {
    const std::string root = options.address.empty() ? up : options.address;
    const auto meta = [](std::string_view kind, std::string_view name, const std::string& value) {
        return fmt::format("<meta {}=\"{}\" content=\"{}\">\n", kind, name, plot::escaped(value));
    };
    std::string head =
        meta("name", "description", card.text) + meta("property", "og:title", card.title) +
        meta("property", "og:description", card.text) + meta("property", "og:type", "article") +
        meta("property", "og:site_name", std::string(kName)) +
        meta("property", "og:image", root + card.picture) +
        meta("property", "og:image:width", "1200") + meta("property", "og:image:height", "630") +
        meta("name", "twitter:card", "summary_large_image");
    if (!options.address.empty()) {
        head += meta("property", "og:url", options.address + card.page);
    }
    return head;
}

/// The figure in the shape that cards have, with letters that are read in a small picture of it.
std::string card_picture(const Scene& scene, Engine& engine) {
    const plot::Figure figure =
        figures::make_figure(scene, engine, {.more_checks = lessons::further_checks()});
    return plot::render_figure(
        figure, plot::ImageFormat::png,
        {.width_px = 800, .height_px = 420, .scale = 1.5, .theme = plot::dark_theme()});
}

std::string link_html(const std::string& address, const std::string& text) {
    return fmt::format("<a href=\"{}\">{}</a>", address, plot::escaped(text));
}

std::string way_back() {
    return fmt::format("<nav aria-label=\"Site\">{}</nav>",
                       link_html("../index.html", "ropescope"));
}

/// The links at the end of a page; `name` of each goes with where it leads.
std::string ways_html(const std::vector<std::string>& links) {
    std::string html = "<nav class=\"ways\" aria-label=\"On\">";
    for (const std::string& link : links) {
        html += link;
    }
    return html + "</nav>\n";
}

Card card_of(const lessons::Lesson& lesson) {
    return {fmt::format("{}: a lesson on RoPE", lesson.title), lesson.about,
            fmt::format("lessons/{}.html", lesson.id),
            fmt::format("cards/lesson-{}.png", lesson.id)};
}

Card card_of(const figures::View& view) {
    return {fmt::format("{}: {}", view.name, view.question), view.what_you_see,
            fmt::format("views/{}.html", view.id), fmt::format("cards/{}.png", view.id)};
}

/// The picture of a lesson: what its first task leads to.
Scene scene_of(const lessons::Lesson& lesson) {
    for (const lessons::Step& step : lesson.steps) {
        if (step.task && !step.task->solution.empty()) {
            return lessons::solved_scene(step);
        }
    }
    return lesson.steps.front().scene;
}

void add_lesson(std::size_t i, const SiteOptions& options, Engine& engine, const KeepFile& keep) {
    const std::vector<lessons::Lesson>& all = lessons::all_lessons();
    const lessons::Lesson& lesson = all[i];
    const Card card = card_of(lesson);
    std::vector<std::string> ways;
    if (i > 0) {
        ways.push_back(link_html(all[i - 1].id + ".html", "← " + all[i - 1].title));
    }
    if (i + 1 < all.size()) {
        ways.push_back(link_html(all[i + 1].id + ".html", all[i + 1].title + " →"));
    }
    ways.push_back(link_html("../index.html", "All lessons and views"));
    const LessonOfSite made = lesson_of_site(lesson,
                                             {.head = head_html(card, options, "../"),
                                              .above = way_back(),
                                              .below = ways_html(ways),
                                              .app = "../app.html"},
                                             engine);
    keep(card.page, made.html);
    for (const StoredFilm& film : made.films) {
        keep("lessons/films/" + film.name, film.script);
    }
    keep(card.picture, card_picture(scene_of(lesson), engine));
}

Film film_of_view(const Scene& scene, const std::vector<StepControl>& controls, Engine& engine,
                  Palette& palette) {
    FilmFrames frames{.scenes = {}, .first = start_frame(controls), .kind = FilmKind::beside_words};
    for (std::size_t frame = 0; frame < frame_count(controls); ++frame) {
        frames.scenes.push_back({"", frame_scene(scene, controls, frame)});
    }
    return make_film(frames, engine, palette);
}

void add_view(std::size_t i, const SiteOptions& options, Engine& engine, const KeepFile& keep) {
    const figures::View& view = figures::views()[i];
    const Card card = card_of(view);
    Scene scene;
    scene.view = view.id;
    Palette palette;
    std::vector<StepControl> controls;
    Film film;
    for (std::size_t most = 21;; most = fewer_values(most, film)) {
        controls = controls_of(view, scene, most, engine);
        palette = {};
        film = film_of_view(scene, controls, engine, palette);
        if (film.data.size() <= kMostFilmBytes || most <= kFewestValues) {
            break;
        }
    }
    keep(fmt::format("views/films/{}.js", view.id), film_script(view.id, film));
    std::string formulas;
    for (const std::string& formula : view.formulas) {
        formulas += fmt::format("<p class=\"formula\">{}</p>", formula_html(formula));
    }
    const std::string words = fmt::format(
        "<div class=\"words\"><p>{}</p>{}<p class=\"app\">{}</p><p>In the app: {}</p></div>",
        plot::escaped(view.what_you_see), formulas,
        link_html("../app.html#view=" + view.id, "Open this figure in the app, with all controls"),
        plot::escaped(view.what_to_try));
    const std::vector<figures::View>& all = figures::views();
    std::vector<std::string> ways;
    if (i > 0) {
        ways.push_back(link_html(all[i - 1].id + ".html", "← " + all[i - 1].name));
    }
    if (i + 1 < all.size()) {
        ways.push_back(link_html(all[i + 1].id + ".html", all[i + 1].name + " →"));
    }
    ways.push_back(link_html("../index.html", "All lessons and views"));
    const std::string body =
        fmt::format("<section class=\"step\"><div class=\"beside\">{}{}</div></section>\n", words,
                    film_html(film, {.id = "film",
                                     .data_of = view.id,
                                     .controls = film_controls(controls),
                                     .solved = {},
                                     .source = fmt::format("films/{}.js", view.id)}));
    keep(card.page, page({.title = view.name,
                          .about = view.question,
                          .body = body + ways_html(ways),
                          .head = head_html(card, options, "../"),
                          .above = way_back(),
                          .scripts = {"page.js", "keep.js"}},
                         palette));
    keep(card.picture, card_picture(scene, engine));
}

std::string first_page(const SiteOptions& options) {
    const std::vector<lessons::Lesson>& lessons = lessons::all_lessons();
    std::string body = fmt::format(
        "<p class=\"ways\"><a class=\"start\" href=\"{}\">Begin with “{}”</a> {}</p>\n"
        "<section aria-labelledby=\"lessons\"><h2 id=\"lessons\">Lessons</h2><ol class=\"list\">",
        card_of(lessons.front()).page, plot::escaped(lessons.front().title),
        link_html("app.html", "Open the app, with every view and control"));
    for (const lessons::Lesson& lesson : lessons) {
        body += fmt::format(
            "<li data-lesson=\"{}\" data-steps=\"{}\">{}. {}<p>{}</p><p "
            "class=\"progress\"></p></li>",
            lesson.id, lesson.steps.size(), lesson.order,
            link_html(card_of(lesson).page, lesson.title), plot::escaped(lesson.about));
    }
    body +=
        "</ol></section>\n<section aria-labelledby=\"views\"><h2 id=\"views\">Views</h2><ul "
        "class=\"list\">";
    for (const figures::View& view : figures::views()) {
        body += fmt::format("<li>{}: {}</li>", link_html(card_of(view).page, view.name),
                            plot::escaped(view.question));
    }
    body += "</ul></section>\n";
    const Card card = {"ropescope: an oscilloscope for RoPE", std::string(kWhatItIs), "index.html",
                       card_of(figures::views().front()).picture};
    return page({.title = std::string(kName),
                 .about = std::string(kWhatItIs),
                 .body = body,
                 .head = head_html(card, options, ""),
                 .scripts = {"index.js", "keep.js"}},
                {});
}

}  // namespace

void make_site(const SiteOptions& options, Engine& engine, const KeepFile& keep,
               const PageProgress& progress) {
    const auto wanted = [&](const std::string& id) {
        return options.only.empty() || options.only == id;
    };
    std::vector<std::function<void()>> parts;
    for (std::size_t i = 0; i < lessons::all_lessons().size(); ++i) {
        if (wanted(lessons::all_lessons()[i].id)) {
            parts.emplace_back(
                [&options, &engine, &keep, i] { add_lesson(i, options, engine, keep); });
        }
    }
    for (std::size_t i = 0; i < figures::views().size(); ++i) {
        if (wanted(figures::views()[i].id)) {
            parts.emplace_back(
                [&options, &engine, &keep, i] { add_view(i, options, engine, keep); });
        }
    }
    if (parts.empty()) {
        throw InputError(fmt::format(
            "--only: {} is neither a lesson nor a view; ropescope lesson --list names the lessons, "
            "ropescope figure --help the views",
            in_quotes(options.only)));
    }
    keep("index.html", first_page(options));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i]();
        if (progress) {
            progress(static_cast<double>(i + 1) / static_cast<double>(parts.size()));
        }
    }
}

}  // namespace ropescope::pages
