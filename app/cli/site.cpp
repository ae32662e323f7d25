// `ropescope site`: the pages of lessons and views around the app of a browser.
#include "app/pages/site.h"

#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/cli/engines.h"
#include "app/cli/held_signals.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/write_folder.h"

namespace ropescope::cli {
namespace {

struct SiteArguments {
    std::string output, address, only;
};

/// Cards join it to paths.
std::string whole_address(std::string address) {
    if (!address.empty() && !address.starts_with("https://") && !address.starts_with("http://")) {
        throw InputError(fmt::format(
            "--address: {} does not begin with https:// or http://; give the address of the "
            "site's folder, for example https://example.org/ropescope/",
            in_quotes(address)));
    }
    if (!address.empty() && !address.ends_with('/')) {
        address += '/';
    }
    return address;
}

int run(const SiteArguments& arguments, const GlobalOptions& options) {
    const pages::SiteOptions site{.address = whole_address(arguments.address),
                                  .only = arguments.only};
    return with_held_signals([&](const HeldSignals& signals) {
        const std::unique_ptr<Engine> engine = engine_from(options);
        FolderUnderWay folder(arguments.output);
        {
            ProgressLine line("site");
            pages::make_site(
                site, *engine,
                [&](const std::string& path, std::string_view bytes) {
                    signals.throw_if_taken();
                    folder.write(path, bytes);
                },
                std::ref(line));
        }
        folder.publish();
        print(fmt::format("{}: {} files; begin at index.html\n", printable(arguments.output),
                          folder.files()));
        return 0;
    });
}

}  // namespace

Command site_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<SiteArguments>();
    return {.name = "site",
            .text = "Write the site around the app of a browser: lessons and views as pages",
            .options =
                {
                    {.names = "-o,--output",
                     .target = &arguments->output,
                     .type = "FOLDER",
                     .text = "Gets the pages; ./web.sh puts them beside app.html. Files of the "
                             "same names are replaced",
                     .required = true},
                    {.names = "--address",
                     .target = &arguments->address,
                     .type = "URL",
                     .text = "Where the site will be found, for the pictures that a shared link "
                             "shows"},
                    {.names = "--only",
                     .target = &arguments->only,
                     .type = "NAME",
                     .text = "The one lesson or view to make, with the first page"},
                },
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = {"--engine", "--device"},
            .footer = R"(Examples:
  ropescope site --only one-pair -o site
  ropescope site -o site --address https://example.org/ropescope/)"};
}

}  // namespace ropescope::cli
