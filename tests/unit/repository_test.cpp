// What the tree promises about itself: arrows between folders, no printing below the app, and
// documents that are linked and current.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>

#include "app/scene/describe_parameters.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_dir();

std::vector<fs::path> files_below(const std::string& folder, const std::set<std::string>& endings) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
        if (entry.is_regular_file() && endings.contains(entry.path().extension().string())) {
            files.push_back(entry.path().lexically_relative(kRoot));
        }
    }
    return files;
}

std::vector<fs::path> sources_below(const std::string& folder) {
    return files_below(folder, {".h", ".cpp"});
}

/// What each `#include` of the file names.
std::vector<std::string> includes_of(const fs::path& file) {
    static const std::regex kInclude(R"re((?:^|\n)#include [<"]([^>"]+)[>"])re");
    const std::string text = read_file(kRoot / file);
    std::vector<std::string> names;
    for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it) {
        names.push_back((*it)[1]);
    }
    return names;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const std::string& prefix) { return text.starts_with(prefix); });
}

TEST(Repository, CoreKnowsNoWindowAndDoesNotPrint) {
    const std::vector<std::string> windows = {"imgui", "GLFW", "cairo", "pango", "epoxy",   "EGL/",
                                              "GL/",   "png",  "app/",  "CLI/",  "iostream"};
    const std::regex printing(
        R"(\b(printf|fprintf|puts|fputs|putchar|perror)\(|std::cout|std::cerr)"
        R"(|fmt::print\()");
    const std::vector<fs::path> sources = sources_below("core");
    ASSERT_GT(sources.size(), 20U);
    for (const fs::path& file : sources) {
        if (file.string().starts_with("core/gpu/")) {
            continue;
        }
        for (const std::string& name : includes_of(file)) {
            EXPECT_FALSE(starts_with_any(name, windows)) << file << " includes " << name;
        }
        EXPECT_FALSE(std::regex_search(read_file(kRoot / file), printing)) << file << " prints";
    }
}

TEST(Repository, ArrowsPointOneWay) {
    // A folder, and the folders of ours that it may include.
    const std::map<std::string, std::vector<std::string>> allowed = {
        {"core/base", {"core/base/"}},
        {"core/scaling", {"core/base/", "core/scaling/"}},
        {"core/rope", {"core/base/", "core/scaling/", "core/rope/"}},
        {"core/analysis", {"core/base/", "core/scaling/", "core/rope/", "core/analysis/"}},
        {"core/formats", {"core/base/", "core/scaling/", "core/rope/", "core/formats/"}},
        {"core/kernels", {"core/base/", "core/kernels/"}},
        {"core/attention",
         {"core/base/", "core/rope/", "core/formats/", "core/kernels/", "core/attention/"}},
        {"core/engine",
         {"core/base/", "core/rope/", "core/analysis/", "core/formats/", "core/kernels/",
          "core/attention/", "core/engine/"}},
        {"core/gpu",
         {"core/base/", "core/analysis/", "core/rope/", "core/formats/", "core/kernels/",
          "core/engine/", "core/gpu/"}},
        {"core/encoder",
         {"core/base/", "core/rope/", "core/formats/", "core/kernels/", "core/attention/",
          "core/engine/", "core/encoder/"}},
        {"core/systems", {"core/base/", "core/rope/", "core/formats/", "core/systems/"}},
        {"core/checks", {"core/"}},
        {"core/claims", {"core/base/", "core/rope/", "core/systems/", "core/claims/"}},
        {"app/scene", {"core/", "app/scene/"}},
        {"app/plot", {"core/", "app/plot/"}},
        {"app/figures", {"core/", "app/scene/", "app/plot/", "app/figures/"}},
        {"app/gui", {"core/", "app/scene/", "app/plot/", "app/figures/", "app/gui/"}},
        {"app/headless",
         {"core/", "app/scene/", "app/plot/", "app/figures/", "app/gui/", "app/headless/"}},
        {"app/cli", {"core/", "app/"}},
    };
    for (const char* top : {"core", "app"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(source_dir()) / top)) {
            const std::string folder = top + ("/" + entry.path().filename().string());
            EXPECT_TRUE(!entry.is_directory() || allowed.contains(folder))
                << folder << " has no line here: what may it include?";
        }
    }
    for (const auto& [folder, may] : allowed) {
        const std::vector<fs::path> sources = sources_below(folder);
        EXPECT_FALSE(sources.empty()) << folder;
        for (const fs::path& file : sources) {
            for (const std::string& name : includes_of(file)) {
                const bool ours = starts_with_any(name, {"core/", "app/"});
                EXPECT_TRUE(!ours || starts_with_any(name, may)) << file << " includes " << name;
            }
        }
    }
}

TEST(Repository, EveryDocumentIsLinked) {
    std::vector<fs::path> pages = files_below("docs", {".md"});
    const std::vector<fs::path> documents = [&] {
        std::vector<fs::path> all = pages;
        const auto pictures = files_below("docs", {".png", ".svg"});
        all.insert(all.end(), pictures.begin(), pictures.end());
        return all;
    }();
    pages.insert(pages.end(), {"README.md", "CONTRIBUTING.md"});
    std::set<std::string> linked;
    static const std::regex kLink(R"(\]\(([^)#\s]+)|src="([^"]+)\")");
    for (const fs::path& page : pages) {
        const std::string text = read_file(kRoot / page);
        for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it) {
            const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
            if (!target.starts_with("http")) {
                const fs::path path = (page.parent_path() / target).lexically_normal();
                EXPECT_TRUE(fs::exists(kRoot / path)) << page << " links to " << target;
                linked.insert(path.string());
            }
        }
    }
    ASSERT_FALSE(documents.empty());
    for (const fs::path& document : documents) {
        EXPECT_TRUE(linked.contains(document.string())) << document << " is linked from no page";
    }
}

TEST(Repository, ScenePageIsCurrent) {
    EXPECT_EQ(read_file(kRoot / "docs/scene-parameters.md"), parameters_markdown())
        << "run tools/update_docs.sh";
}

}  // namespace
}  // namespace ropescope::test
