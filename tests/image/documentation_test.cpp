// The pictures of the documents are what the program draws now.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "app/headless/egl_context.h"
#include "core/base/file.h"
#include "tests/image/compare.h"
#include "tests/image/navigation.h"
#include "tests/support/needs_egl.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;

/// Other renderers antialias otherwise; the pictures were drawn by llvmpipe.
bool drawn_in_software() {
    const headless::EglContext context;
    return context.device().software;
}

/// "--set", "name=value" of the settings that tools/update_docs.sh draws the view with.
std::vector<std::string> settings_of(const std::string& view, const fs::path& pictures) {
    std::vector<std::string> arguments;
    std::istringstream lines(read_file(pictures / "settings.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(view + " ")) {
            arguments.insert(arguments.end(), {"--set", line.substr(view.size() + 1)});
        }
    }
    return arguments;
}

TEST(DocumentationPictures, AreCurrent) {
    ROPESCOPE_NEEDS_EGL();
    if (!drawn_in_software()) {
        GTEST_SKIP() << "the pictures are compared on llvmpipe only";
    }
    int compared = 0;
    const TempFolder folder;
    const fs::path pictures = fs::path(source_dir()) / "docs/pictures";
    for (const fs::directory_entry& entry : fs::directory_iterator(pictures)) {
        if (entry.path().extension() != ".png") {
            continue;
        }
        const std::string name = entry.path().stem().string();  // VIEW-THEME
        const std::size_t dash = name.rfind('-');
        const fs::path drawn = folder / (name + ".png");
        std::vector<std::string> arguments = settings_of(name.substr(0, dash), pictures);
        arguments.insert(arguments.end(), {"screenshot", name.substr(0, dash), "--theme",
                                           name.substr(dash + 1), "-o", drawn.string()});
        const RunResult run = run_ropescope(arguments);
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const plot::Rect apart = navigation_of({.theme = name.substr(dash + 1)});
        const auto shown = [&](const fs::path& path) {
            return without(decode_png(read_file(path)), apart);
        };
        const Difference difference = compare(shown(drawn), shown(entry.path()));
        EXPECT_TRUE(difference.passes())
            << entry.path() << " differs in " << difference.different
            << " pixels from what the program draws; run tools/update_docs.sh "
            << name.substr(0, dash);
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace ropescope::test
