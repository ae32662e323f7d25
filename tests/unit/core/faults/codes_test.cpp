// Codes of faults are declared once, and everything that names one uses the declaration.
#include "core/faults/codes.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "core/base/file.h"
#include "core/positions/id_faults.h"
#include "tests/support/paths.h"

namespace ropescope::faults {
namespace {

namespace fs = std::filesystem;

/// What stands in quotes in a source and looks like a code: "spectrum.flat". Words without a point
/// may be anything else, too.
std::vector<std::string> literals_in(const fs::path& source) {
    // code("spectrum.flat") asks the list, which compiles only if it stands there.
    static const std::regex kLiteral(
        R"re((?:[^(]|[^e]\()"((?:layout|spectrum|axes|positions|rows|sign|k|softmax|scores|table|gain|answer|ids)\.[a-z_0-9]+)")re");
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

TEST(FaultCodes, StandInTheDocuments) {
    const std::string docs = test::source_dir() + "/docs/";
    const std::string text = read_file(docs + "verify/README.md") +
                             read_file(docs + "verify/probe.md") +
                             read_file(docs + "user-guide/positions.md");
    for (const auto& [code, meaning] : kFaultCodes) {
        const std::string row = fmt::format("| `{}` | {} |\n", code, meaning);
        EXPECT_NE(text.find(row), text.npos) << "no table of the documents has the row\n" << row;
    }
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
