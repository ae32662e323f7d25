// `ropescope lesson`: the lessons as a list, and one of them as a page.
#include "app/lessons/lesson.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <span>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/pages/handout.h"
#include "app/pages/lesson_page.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

struct LessonArguments {
    std::optional<std::string> name;
    std::string output, handout;
    bool list = false;
};

std::string listing() {
    std::size_t width = 0;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        width = std::max(width, lesson.id.size());
    }
    std::string text;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        text += fmt::format("{:2}  {:<{}}  {}: {}\n", lesson.order, lesson.id, width, lesson.title,
                            lesson.about);
    }
    return text;
}

/// One lesson, or without a name the whole course, as pages to print.
int write_handout(const LessonArguments& arguments, const GlobalOptions& options) {
    if (std::filesystem::path(arguments.handout).extension() != ".pdf") {
        throw InputError(fmt::format("--handout: {} is not the name of a PDF; end it in .pdf",
                                     in_quotes(arguments.handout)));
    }
    const std::span<const lessons::Lesson> printed =
        arguments.name ? std::span(&lessons::lesson_by_id(*arguments.name), 1)
                       : std::span(lessons::all_lessons());
    const std::unique_ptr<Engine> engine = engine_from(options);
    const std::string pdf = [&] {
        ProgressLine line("handout");
        return pages::handout(printed, *engine, std::ref(line));
    }();
    write_file_whole(arguments.handout, pdf);
    return 0;
}

int run(const LessonArguments& arguments, const GlobalOptions& options) {
    if (arguments.list) {
        print(listing());
        return 0;
    }
    if (!arguments.handout.empty()) {
        if (!arguments.output.empty()) {
            throw InputError("lesson: -o writes a page and --handout a PDF; give one of them");
        }
        return write_handout(arguments, options);
    }
    if (!arguments.name) {
        throw InputError("lesson: no lesson is named; give a name of ropescope lesson --list");
    }
    const lessons::Lesson& lesson = lessons::lesson_by_id(*arguments.name);
    if (arguments.output.empty()) {
        throw InputError(
            "lesson: no file is named; give -o FILE.html or --handout FILE.pdf, or open the lesson "
            "in the window: "
            "ropescope app --lesson " +
            lesson.id);
    }
    require_page_ending(arguments.output);
    const std::unique_ptr<Engine> engine = engine_from(options);
    const std::string html = [&] {
        ProgressLine line("lesson");
        return pages::lesson_page(lesson, *engine, std::ref(line));
    }();
    write_file_whole(arguments.output, html);
    return 0;
}

}  // namespace

Command lesson_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<LessonArguments>();
    return {.name = "lesson",
            .text = "List the lessons, or write them as pages, on screen or on paper",
            .options =
                {
                    {.names = "name",
                     .target = &arguments->name,
                     .type = "NAME",
                     .text = "The lesson, as --list names it"},
                    {.names = "--list",
                     .target = &arguments->list,
                     .text = "Name the lessons in their order"},
                    {.names = "-o,--output",
                     .target = &arguments->output,
                     .type = "FILE.html",
                     .text = "The page: one file that needs no other and no network"},
                    {.names = "--handout",
                     .target = &arguments->handout,
                     .type = "FILE.pdf",
                     .text = "The lesson on A4 paper, with room to write and the answers at the "
                             "end; without a name, all lessons"},
                },
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = {"--engine", "--device"},
            .footer = R"(Examples:
  ropescope lesson --list
  ropescope lesson one-pair -o one-pair.html
  ropescope lesson one-pair --handout one-pair.pdf
  ropescope lesson --handout course.pdf)"};
}

}  // namespace ropescope::cli
