// `ropescope docs`: the book as a static site, whose pictures are drawn for it.
#include <filesystem>
#include <fmt/format.h>

#include "app/book/book.h"
#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/headless/egl_context.h"
#include "app/headless/screenshot.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;

struct DocsArguments {
    std::string output;
    bool no_pictures = false;
};

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || path_kind(folder) != PathKind::folder) {
        throw InputError(fmt::format("-o: {} cannot be made a folder{}{}; name another one",
                                     in_quotes(folder.string()), error ? ": " : "",
                                     error ? error.message() : ""));
    }
}

void draw(const book::BookPicture& picture, const fs::path& path, const GlobalOptions& options,
          Engine& engine) {
    GlobalOptions own = options;
    own.settings = picture.settings;
    Scene scene = scene_from(own);
    scene.view = picture.view;
    write_file_whole(
        path, headless::encode_png(headless::screenshot(scene, engine, {.theme = picture.theme})));
}

int run(const DocsArguments& arguments, const GlobalOptions& options) {
    const book::Book book = book::make_book(!arguments.no_pictures);
    if (!book.pictures.empty()) {
        headless::require_device();  // before anything is written
    }
    const fs::path folder(arguments.output);
    const auto place = [&](const std::string& name) {
        const fs::path path = folder / name;
        make_folder(path.parent_path());
        return path;
    };
    for (const book::BookFile& file : book.files) {
        write_file_whole(place(file.path), file.bytes);
    }
    if (!book.pictures.empty()) {
        const std::unique_ptr<Engine> engine = engine_from(options);
        ProgressLine line("docs");
        double done = 0.0;
        for (const book::BookPicture& picture : book.pictures) {
            draw(picture, place(picture.path), options, *engine);
            line(++done / static_cast<double>(book.pictures.size()));
        }
    }
    print(fmt::format("{}: {} files and {} pictures; begin at index.html\n",
                      printable(folder.string()), book.files.size(), book.pictures.size()));
    return 0;
}

}  // namespace

Command docs_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<DocsArguments>();
    return {.name = "docs",
            .text = "Write the book as a static site, which needs no server and no network",
            .options =
                {
                    {.names = "-o,--output",
                     .target = &arguments->output,
                     .type = "FOLDER",
                     .text = "Gets the pages; open its index.html. Files of the same names are "
                             "replaced",
                     .required = true},
                    {.names = "--no-pictures",
                     .target = &arguments->no_pictures,
                     .text = "Describe the pictures of the window instead of drawing them, which "
                             "needs EGL and some seconds"},
                },
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = {"--engine", "--device"},
            .footer = R"(Examples:
  ropescope docs -o book)"};
}

}  // namespace ropescope::cli
