// What the tree promises about itself: arrows between folders, headers that lead to their sources,
// no printing below the app, and documents that are linked and current.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <ranges>
#include <regex>
#include <set>
#include <sstream>

#include "app/scene/parameters.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_dir();
const std::vector<std::string> kTops = {"core", "app", "library", "python"};

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

// It costs the compiler three seconds in every source that includes it.
TEST(Repository, OnlyTheParserKnowsTheLibraryOfCommandLines) {
    for (const fs::path& file : sources_below("app")) {
        for (const std::string& name : includes_of(file)) {
            EXPECT_FALSE(name.starts_with("CLI/") && file != "app/cli/parser.cpp")
                << file << " includes " << name << "; use app/cli/command.h";
        }
    }
}

// Elsewhere there is no limit of depth: what walks a tree that nests without end overflows the
// stack.
TEST(Repository, JsonOfOthersComesThroughOneDoor) {
    const std::regex parsing(R"(\b[Jj]son::(parse|accept|sax_parse|from_\w+)\()");
    const std::set<std::string> own = {
        // the door, and the strings of headers
        "core/formats/json_object.cpp", "core/formats/json_reader.cpp",
        // literals of our own tables
        "core/formats/schemes/timm_schemes.cpp",
        // what came through the door before, in the order in which it was written
        "core/vectors/pack_file.cpp", "core/probe/report.cpp"};
    for (const std::string& top : kTops) {
        for (const fs::path& file : sources_below(top)) {
            EXPECT_TRUE(own.contains(file.string()) ||
                        !std::regex_search(read_file(kRoot / file), parsing))
                << file << " parses JSON; use core/formats/json_object.h";
        }
    }
}

/// The words of a cell of a Markdown table, without backticks and commas.
std::vector<std::string> words_of(const std::string& cell) {
    static const std::regex kWord(R"([\w/]+)");
    return {std::sregex_token_iterator(cell.begin(), cell.end(), kWord),
            std::sregex_token_iterator()};
}

/// The table of folders in docs/architecture.md: a folder, and the folders that it may include.
/// Only rows above a row may stand in its last column, so that no two folders can include each
/// other.
std::map<std::string, std::vector<std::string>> folders_of_architecture() {
    static const std::regex kRow(
        R"(\| `((?:core|app)/[\w/]+|library|python)` \|[^|\n]*\|([^|\n]*)\|)");
    const std::string page = read_file(kRoot / "docs/architecture.md");
    std::map<std::string, std::vector<std::string>> folders;
    for (std::sregex_iterator row(page.begin(), page.end(), kRow), end; row != end; ++row) {
        const std::string folder = (*row)[1];
        const std::string top = folder.substr(0, folder.find('/') + 1);
        std::vector<std::string>& may = folders[folder];
        may.push_back(folder + "/");
        for (const std::string& word : words_of((*row)[2])) {
            may.push_back((fs::exists(kRoot / word) ? word : top + word) + "/");
            EXPECT_TRUE(fs::is_directory(kRoot / may.back())) << folder << " may use " << word;
            const bool above = std::ranges::any_of(folders, [&](const auto& known) {
                return (known.first + "/").starts_with(may.back());
            });
            EXPECT_TRUE(above) << word << " must stand above " << folder;
        }
    }
    return folders;
}

/// The row that a file belongs to: the longest folder that its path begins with.
std::string folder_of(const fs::path& file,
                      const std::map<std::string, std::vector<std::string>>& folders) {
    std::string best;
    for (const auto& [folder, may] : folders) {
        if (file.string().starts_with(folder + "/") && folder.size() > best.size()) {
            best = folder;
        }
    }
    return best;
}

TEST(Repository, ArrowsPointOneWay) {
    const auto folders = folders_of_architecture();
    ASSERT_GT(folders.size(), 15U);
    for (const std::string& top : kTops) {
        for (const fs::path& file : sources_below(top)) {
            const std::string folder = folder_of(file, folders);
            ASSERT_FALSE(folder.empty()) << file << " is in no folder of docs/architecture.md";
            for (const std::string& name : includes_of(file)) {
                const bool ours = starts_with_any(name, {"core/", "app/", "library/", "python/"});
                EXPECT_TRUE(!ours || starts_with_any(name, folders.at(folder)))
                    << file << " includes " << name << "; docs/architecture.md does not allow it";
            }
        }
    }
}

TEST(Repository, AViewKnowsNoOtherView) {
    for (const fs::path& file : sources_below("app/figures")) {
        const std::string folder = file.parent_path().string() + "/";
        for (const std::string& name : includes_of(file)) {
            const bool of_a_view =
                std::ranges::count(name, '/') > 2 && name.starts_with("app/figures/") &&
                !starts_with_any(name, {"app/figures/encoder/", "app/figures/shared/"});
            EXPECT_TRUE(!of_a_view || name.starts_with(folder) || file == "app/figures/views.cpp")
                << file << " includes " << name;
        }
    }
}

TEST(Repository, AViewHasAtMostFourFiles) {
    // A header, what it computes, its figure and its report: a reader finds each by its name.
    std::ptrdiff_t entries = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "app/figures")) {
        ++entries;
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && name != "encoder" && name != "shared") {
            EXPECT_LE(std::distance(fs::directory_iterator(entry.path()), {}), 4) << name;
            EXPECT_TRUE(fs::exists(entry.path() / (name + ".h"))) << name;
        }
    }
    EXPECT_LE(entries, 30) << "what several views share lies in app/figures/shared";
}

/// The lines of comment that a file begins with.
std::string first_comment(const fs::path& file) {
    std::istringstream lines(read_file(kRoot / file));
    std::string comment;
    for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
        comment += line + "\n";
    }
    return comment;
}

TEST(Repository, EverySourceSaysWhatItDoes) {
    for (const std::string& top : kTops) {
        for (const fs::path& file : sources_below(top)) {
            const bool in_c = read_file(kRoot / file).starts_with("/* ");
            EXPECT_TRUE(in_c || first_comment(file).starts_with("// "))
                << file << " must begin with a line of comment that says what it does";
        }
    }
}

/// The constants that a file declares outside of functions: "kMostTokens".
std::set<std::string> constants_of(const fs::path& file) {
    static const std::regex kConstant(
        R"((?:^|\n)(?:inline )?constexpr [^;(]*?\b(k[A-Z]\w*) ?[={\[])");
    const std::string text = read_file(kRoot / file);
    return {std::sregex_token_iterator(text.begin(), text.end(), kConstant, 1),
            std::sregex_token_iterator()};
}

/// "ropescope::gui::" of a file whose first namespace that is.
std::string namespace_of(const fs::path& file) {
    static const std::regex kNamespace(R"(\nnamespace ([\w:]+) \{)");
    const std::string text = read_file(kRoot / file);
    std::smatch found;
    return std::regex_search(text, found, kNamespace) ? found.str(1) + "::" : "";
}

// The release build compiles the sources of a folder as one. There a constant of one source would
// stand in front of a header's constant of that name in all others, without a word of the compiler.
TEST(Repository, AConstantOfASourceHasANameOfItsOwn) {
    std::multimap<std::string, fs::path> public_ones;
    for (const std::string& top : kTops) {
        for (const fs::path& header : files_below(top, {".h"})) {
            for (const std::string& name : constants_of(header)) {
                public_ones.emplace(name, header);
            }
        }
    }
    for (const std::string top : {"core", "app"}) {
        std::map<std::pair<fs::path, std::string>, fs::path> own;
        for (const fs::path& source : files_below(top, {".cpp"})) {
            for (const std::string& name : constants_of(source)) {
                const auto [first, is_new] = own.try_emplace({source.parent_path(), name}, source);
                EXPECT_TRUE(is_new) << source << " and " << first->second << " declare " << name;
                const auto [begin, end] = public_ones.equal_range(name);
                for (const auto& [_, header] : std::ranges::subrange(begin, end)) {
                    EXPECT_FALSE(namespace_of(source).starts_with(namespace_of(header)))
                        << source << " declares " << name << ", and so does " << header;
                }
            }
        }
    }
}

/// The types and aliases that a header declares outside of functions and types.
std::vector<std::string> types_of(const fs::path& header) {
    static const std::regex kType(
        R"re((?:template <.*> *)?(?:struct|class|enum class|enum|using) +(?:\[\[\w+\]\] *)?(\w+)(?: final)?(?: *[{=].*| *:[^:].*)?)re");
    std::istringstream lines(read_file(kRoot / header));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, kType)) {
            names.push_back(found[1]);
        }
    }
    return names;
}

// A reader who meets a type's name knows which one is meant, whatever its namespace.
TEST(Repository, ANameIsThatOfOneType) {
    std::map<std::string, fs::path> known;
    for (const std::string& top : kTops) {
        for (const fs::path& header : files_below(top, {".h"})) {
            for (const std::string& name : types_of(header)) {
                const auto [first, is_new] = known.try_emplace(name, header);
                EXPECT_TRUE(is_new) << header << " and " << first->second << " declare " << name;
            }
        }
    }
    EXPECT_GT(known.size(), 500U);
}

TEST(Repository, AFileThatACommentNamesExists) {
    static const std::regex kNamed(R"(//[^\n]*?\b([a-z0-9_]+\.(?:h|cpp))\b)");
    std::set<std::string> names = {"llama.cpp",
                                   "omp.h"};  // a program, and a header of the compiler
    for (const std::string top : {"core", "app", "library", "python", "tests"}) {
        for (const fs::path& file : files_below(top, {".h", ".cpp"})) {
            names.insert(file.filename().string());
        }
    }
    for (const std::string& top : kTops) {
        for (const fs::path& file : files_below(top, {".h", ".cpp"})) {
            const std::string text = read_file(kRoot / file);
            for (std::sregex_iterator at(text.begin(), text.end(), kNamed), end; at != end; ++at) {
                EXPECT_TRUE(names.contains(at->str(1))) << file << " speaks of " << at->str(1);
            }
        }
    }
}

TEST(Repository, AHeaderLeadsToItsSources) {
    // A source has a header of its name, or a header of its folder names it in its first comment.
    for (const std::string& top : kTops) {
        std::map<fs::path, std::string> named;  // by folder
        for (const fs::path& header : files_below(top, {".h"})) {
            named[header.parent_path()] += first_comment(header);
        }
        for (const fs::path& source : files_below(top, {".cpp"})) {
            const bool own = fs::exists(kRoot / fs::path(source).replace_extension(".h"));
            const std::regex name("\\b" + source.stem().string() + "\\.cpp\\b");
            EXPECT_TRUE(own || source == "app/cli/main.cpp" || source == "python/module.cpp" ||
                        std::regex_search(named[source.parent_path()], name))
                << source << " has no header of its name, and no header beside it names it";
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
