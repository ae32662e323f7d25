// Probes planted implementations of every class and right ones of every model, and prints what was
// found, as a page of Markdown.
//   probe_classes [CLASS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

#include "core/formats/presets.h"
#include "tests/support/planted_implementations.h"

namespace {

using namespace ropescope;

struct Row {
    int planted = 0, named = 0, failed = 0;
    std::map<std::string, int> codes;
};

std::vector<std::string> faults(const probe::Report& report) {
    std::vector<std::string> codes;
    for (const diagnosis::Finding& finding : report.diagnosis.findings) {
        if (finding.weight != diagnosis::Weight::note) {
            codes.push_back(finding.code);
        }
    }
    return codes;
}

std::string codes_text(const std::map<std::string, int>& codes) {
    std::string text;
    for (const auto& [code, count] : codes) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", code, count);
    }
    return text;
}

Row probed(const std::vector<test::PlantedImplementation>& planted, int number) {
    Row row;
    for (const test::PlantedImplementation& each : planted) {
        if (each.fault_class != number) {
            continue;
        }
        const probe::Report report = probe::probe(each.subject, each.settings, each.ask);
        const std::vector<std::string> codes = faults(report);
        const bool named = std::ranges::any_of(
            codes, [&](const std::string& code) { return each.codes.contains(code); });
        ++row.planted;
        row.named += named ? 1 : 0;
        row.failed += report.smallest_failing ? 1 : 0;
        for (const std::string& code : codes) {
            ++row.codes[code];
        }
        if (!named) {
            std::fprintf(stderr, "class %d, %s, %s: %s\n", number, each.variant.c_str(),
                         each.model.c_str(), report.diagnosis.summary().c_str());
        }
    }
    return row;
}

/// How many right implementations there are, and how many were accused.
std::pair<int, int> right_ones() {
    std::vector<std::string> models;
    std::ranges::transform(model_presets(), std::back_inserter(models), &ModelConfig::id);
    std::ranges::transform(several_axes_presets(), std::back_inserter(models), &Preset::name);
    int all = 0, accused = 0;
    for (const std::string& model : models) {
        for (const test::PlantedImplementation& each : test::right_implementations(model)) {
            const probe::Report report = probe::probe(each.subject, each.settings, each.ask);
            ++all;
            if (report.diagnosis.verdict != diagnosis::Verdict::valid) {
                ++accused;
                std::fprintf(stderr, "right, %s, %s: %s\n", each.variant.c_str(),
                             each.model.c_str(), report.diagnosis.summary().c_str());
            }
        }
    }
    return {all, accused};
}

}  // namespace

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    const std::vector<test::PlantedImplementation> planted = test::planted_implementations();
    std::string table, unseen;
    int all = 0, named = 0, classes = 0;
    for (const test::FaultClass& each : test::fault_classes()) {
        if (only >= 0 && each.number != only) {
            continue;
        }
        if (!each.unseen.empty()) {
            unseen += fmt::format("| {} | {} | {} |\n", each.number, each.text, each.unseen);
            continue;
        }
        const Row row = probed(planted, each.number);
        all += row.planted;
        named += row.named;
        classes += row.named == row.planted ? 1 : 0;
        table += fmt::format("| {} | {} | {} | {} | {} |\n", each.number, each.text, row.planted,
                             row.named, codes_text(row.codes));
    }
    const auto [right, accused] = only >= 1 ? std::pair{0, 0} : right_ones();
    fmt::print(
        "# What `probe` finds\n\n"
        "`./test.sh probe` makes this page: {} implementations with faults that people made, by "
        "the\n"
        "{} classes of public threads, and {} right ones of every published model, in fp32, in "
        "fp64, with\n"
        "tables in 16 bits for tensors in 16 bits, and with frequencies multiplied up as in ggml. "
        "Each runs in\n"
        "the same process, in its own arithmetic (`tests/support/faulty_calls.h`).\n\n"
        "- {} of {} faulty ones were named by a code of their class, and {} classes whole.\n"
        "- {} of {} right ones were accused.\n\n"
        "| class | fault | planted | named | codes |\n|---|---|---|---|---|\n{}\n"
        "A planted fault may have several codes: a second one that follows from it counts too.\n\n"
        "## What a probe cannot see\n"
        "| class | fault | why |\n|---|---|---|\n{}",
        all, test::fault_classes().size(), right, named, all, classes, accused, right, table,
        unseen);
    return accused == 0 ? 0 : 1;
}
