// Codes of faults are declared once, and everything that names one uses the declaration.
#include "core/faults/codes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/positions/id_faults.h"
#include "tests/support/paths.h"

namespace ropescope::faults {
namespace {

namespace fs = std::filesystem;

/// "layout|spectrum|...": what stands before the points of codes. Words without one may be anything
/// else, too.
std::string kinds_of_codes() {
    std::set<std::string_view> kinds;
    for (const FaultCode& fault : kFaultCodes) {
        if (const std::size_t point = fault.code.find('.'); point != fault.code.npos) {
            kinds.insert(fault.code.substr(0, point));
        }
    }
    return fmt::format("{}", fmt::join(kinds, "|"));
}

/// What stands in quotes in a source and looks like a code: "spectrum.flat".
std::vector<std::string> literals_in(const fs::path& source) {
    // code("spectrum.flat") asks the list, which compiles only if it stands there.
    static const std::regex kLiteral(
        fmt::format(R"re((?:[^(]|[^e]\()"((?:{})\.[a-z_0-9]+)")re", kinds_of_codes()));
    const std::string text = read_file(source);
    return {std::sregex_token_iterator(text.begin(), text.end(), kLiteral, 1),
            std::sregex_token_iterator()};
}

std::vector<fs::path> sources_below(const std::string& folder) {
    std::vector<fs::path> sources;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(test::source_dir()) / folder)) {
        if (entry.path().extension() == ".cpp") {
            sources.push_back(entry.path());
        }
    }
    return sources;
}

TEST(FaultCodes, AreDeclaredOnceForAllInstruments) {
    for (const char* folder : {"core/diagnosis", "core/probe", "core/vectors", "core/positions",
                               "core/faults/rotation", "app/cli", "app/scene", "library"}) {
        for (const fs::path& source : sources_below(folder)) {
            const std::vector<std::string> literals = literals_in(source);
            EXPECT_TRUE(literals.empty())
                << source << " has " << literals.front() << "; use core/faults/codes.h";
        }
    }
}

/// The pages whose tables have the codes.
std::map<fs::path, std::string> pages_with_codes() {
    const fs::path docs = fs::path(test::source_dir()) / "docs";
    std::map<fs::path, std::string> pages;
    for (const char* page : {"verify/README.md", "verify/probe.md", "user-guide/positions.md"}) {
        pages[docs / page] = read_file(docs / page);
    }
    return pages;
}

/// Where the row of a code begins and ends in a page; empty if it has none.
std::optional<std::pair<std::size_t, std::size_t>> row_of(const std::string& page,
                                                          std::string_view code) {
    const std::size_t begin = page.find(fmt::format("| `{}` |", code));
    if (begin == page.npos) {
        return {};
    }
    return std::pair(begin, page.find('\n', begin) + 1);
}

/// Puts the row of a code in the place of its old one, or behind that of the code before it.
void write_row(std::string_view code, const std::string& row) {
    const auto* const at = std::ranges::find(kFaultCodes, code, &FaultCode::code);
    for (auto& [path, page] : pages_with_codes()) {
        if (const auto old = row_of(page, code)) {
            write_file_whole(path, page.substr(0, old->first) + row + page.substr(old->second));
            return;
        }
    }
    for (auto& [path, page] : pages_with_codes()) {
        const auto before =
            at == std::begin(kFaultCodes) ? std::nullopt : row_of(page, at[-1].code);
        if (before) {
            write_file_whole(path,
                             page.substr(0, before->second) + row + page.substr(before->second));
            return;
        }
    }
}

TEST(FaultCodes, StandInTheDocuments) {
    for (const auto& [code, meaning, repair] : kFaultCodes) {
        const std::string row = fmt::format("| `{}` | {} |\n", code, meaning);
        const auto stands = [&] {
            return std::ranges::any_of(pages_with_codes(), [&](const auto& page) {
                return page.second.find(row) != page.second.npos;
            });
        };
        if (!stands() && std::getenv("ROPESCOPE_UPDATE_DOCUMENTS") != nullptr) {
            write_row(code, row);
        }
        EXPECT_TRUE(stands()) << "ROPESCOPE_UPDATE_DOCUMENTS=1 writes the row\n" << row;
    }
}

TEST(FaultCodes, SayWhatToChangeInCode) {
    for (const FaultCode& fault : kFaultCodes) {
        EXPECT_FALSE(fault.repair.empty()) << fault.code;
        EXPECT_FALSE(fault.repair.ends_with('.')) << fault.code;  // the reports end the sentence
        EXPECT_EQ(repair_of(fault.code), fault.repair);
    }
    EXPECT_TRUE(repair_of("base").empty());
}

TEST(FaultCodes, AreEachListedOnce) {
    for (const FaultCode& fault : kFaultCodes) {
        EXPECT_EQ(std::ranges::count(kFaultCodes, fault.code, &FaultCode::code), 1) << fault.code;
    }
}

TEST(IdFaults, HaveCodesOfTheirOwn) {
    std::set<std::string_view> codes, sentences;
    for (const IdFault& fault : id_faults()) {
        EXPECT_TRUE(fault.code.starts_with("ids."));
        EXPECT_TRUE(codes.insert(fault.code).second) << fault.code;
        EXPECT_EQ(find_id_fault(fault.code), &fault);
        for (const IdVariation& variation : fault.variations) {
            EXPECT_TRUE(sentences.insert(variation.how).second) << variation.how;
        }
    }
    EXPECT_EQ(find_id_fault("ids.nothing"), nullptr);
}

}  // namespace
}  // namespace ropescope::faults
