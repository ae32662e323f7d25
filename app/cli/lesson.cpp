// `ropescope lesson`: the lessons as a list, and one of them as a page.
#include "app/lessons/lesson.h"

#include <fmt/format.h>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/pages/lesson_page.h"
#include "core/base/error.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

struct LessonArguments {
    std::optional<std::string> name;
    std::string output;
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

int run(const LessonArguments& arguments, const GlobalOptions& options) {
    if (arguments.list) {
        print(listing());
        return 0;
    }
    if (!arguments.name) {
        throw InputError("lesson: no lesson is named; give a name of ropescope lesson --list");
    }
    const lessons::Lesson& lesson = lessons::lesson_by_id(*arguments.name);
    if (arguments.output.empty()) {
        throw InputError(
            "lesson: no file is named; give -o FILE.html, or open the lesson in the window: "
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
            .text = "List the lessons, or write one as a page of its own",
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
                },
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = {"--engine", "--device"},
            .footer = R"(Examples:
  ropescope lesson --list
  ropescope lesson one-pair -o one-pair.html)"};
}

}  // namespace ropescope::cli
