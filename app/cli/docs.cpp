// `ropescope docs`: the book as a static site, whose pictures are drawn for it.
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "app/book/book.h"
#include "app/cli/engines.h"
#include "app/cli/held_signals.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/headless/egl_context.h"
#include "app/headless/screenshot.h"
#include "core/base/characters.h"
#include "core/base/write_folder.h"

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;

struct DocsArguments {
    std::string output;
    bool no_pictures = false;
};

std::string drawn(const book::BookPicture& picture, const GlobalOptions& options, Engine& engine) {
    GlobalOptions own = options;
    own.settings = picture.settings;
    Scene scene = scene_from(own);
    scene.view = picture.view;
    return headless::encode_png(headless::screenshot(scene, engine, {.theme = picture.theme}));
}

/// Throws Interrupted.
void write_book(const book::Book& book, const fs::path& folder, const GlobalOptions& options,
                const HeldSignals& signals) {
    FolderUnderWay site(folder);
    for (const book::BookFile& file : book.files) {
        signals.throw_if_taken();
        site.write(file.path, file.bytes);
    }
    if (!book.pictures.empty()) {
        const std::unique_ptr<Engine> engine = engine_from(options);
        ProgressLine line("docs");
        double done = 0.0;
        for (const book::BookPicture& picture : book.pictures) {
            signals.throw_if_taken();
            site.write(picture.path, drawn(picture, options, *engine));
            line(++done / static_cast<double>(book.pictures.size()));
        }
    }
    site.publish();
}

int run(const DocsArguments& arguments, const GlobalOptions& options) {
    return with_held_signals([&](const HeldSignals& signals) {
        const book::Book book = book::make_book(!arguments.no_pictures);
        if (!book.pictures.empty()) {
            headless::require_device();  // before anything is written
        }
        write_book(book, arguments.output, options, signals);
        print(fmt::format("{}: {} files and {} pictures; begin at index.html\n",
                          printable(arguments.output), book.files.size(), book.pictures.size()));
        return 0;
    });
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
