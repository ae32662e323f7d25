// Diagnoses planted dumps of every kind and prints what was found for which, as a page of Markdown.
//   diagnosis_confusion [SEEDS [KIND]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "tests/support/planted_dumps.h"
#include "tests/support/planted_verdict.h"

namespace {

using namespace ropescope;

struct Row {
    int dumps = 0, right = 0;
    int undetermined = 0;  ///< not right, but no verdict either
    std::map<std::string, int> codes;
};

}  // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 40;
    int wrong = 0, undetermined = 0, all = 0;
    std::string table;
    for (const std::string& kind : test::planted_kinds()) {
        if (argc > 2 && kind != argv[2]) {
            continue;
        }
        Row row;
        for (int seed = 0; seed < seeds; ++seed) {
            const test::PlantedDump planted = test::plant(kind, static_cast<std::uint64_t>(seed));
            const diagnosis::Diagnosis found = diagnosis::diagnose(planted.dump);
            const std::string why = test::difference(planted, found);
            ++row.dumps;
            row.right += why.empty() ? 1 : 0;
            row.undetermined +=
                !why.empty() && found.verdict == diagnosis::Verdict::undetermined ? 1 : 0;
            if (!why.empty()) {
                std::fprintf(stderr, "%s\n  %s\n", planted.description.c_str(), why.c_str());
            }
            for (const diagnosis::Finding& finding : found.findings) {
                ++row.codes[finding.code];
            }
            ++row.codes[std::string(to_string(found.verdict))];
        }
        std::string codes;
        for (const auto& [code, count] : row.codes) {
            codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", code, count);
        }
        table += fmt::format("| {} | {} | {} | {} | {} |\n", kind, row.dumps, row.right,
                             row.undetermined, codes);
        all += row.dumps;
        undetermined += row.undetermined;
        wrong += row.dumps - row.right - row.undetermined;
    }
    fmt::print(
        "# What `diagnose` finds in planted dumps\n\n"
        "`./test.sh diagnosis` makes this page: {} dumps of implementations that\n"
        "`tests/support/emulated_implementation.cpp` turns in their own arithmetic, of {} kinds\n"
        "(`tests/support/planted_kinds.h`), and what was found in them. {} were answered wrongly, "
        "and\n{} were left undetermined although their kind has an answer. A dump counts as right "
        "if the\nverdict and all codes are those of its kind, and no other code is there.\n\n"
        "| kind | dumps | right | undetermined | found |\n|---|---|---|---|---|\n{}",
        all, test::planted_kinds().size(), wrong, undetermined, table);
    return wrong == 0 ? 0 : 1;
}
