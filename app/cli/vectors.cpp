// `ropescope vectors`: writes test vectors for other people's code, and judges their answers.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/held_signals.h"
#include "app/cli/junit.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/faults/codes.h"
#include "core/models/model.h"
#include "core/vectors/judge.h"
#include "core/vectors/pack_file.h"

namespace ropescope::cli {
namespace {

using vectors::CaseJudgement;
using vectors::CaseVerdict;
using vectors::Pack;

struct VectorsArguments {
    std::string pack, config, output, check, results, junit;
    bool list = false;
};

/// Throws InputError unless exactly one thing is asked for.
void refuse_contradictions(const VectorsArguments& arguments) {
    const int asked = static_cast<int>(arguments.list) + static_cast<int>(!arguments.pack.empty()) +
                      static_cast<int>(!arguments.config.empty()) +
                      static_cast<int>(!arguments.check.empty());
    if (asked != 1) {
        throw InputError("vectors: give one of --pack, --config, --check and --list");
    }
    const bool writes = !arguments.pack.empty() || !arguments.config.empty();
    if (writes == arguments.output.empty()) {
        throw InputError(writes ? "vectors: -o is missing; give the folder that is to be written"
                                : "-o: nothing is written; leave it out");
    }
    if (!arguments.junit.empty() && arguments.check.empty()) {
        throw InputError("--junit: nothing is judged without --check; leave it out");
    }
    if (arguments.check.empty() != arguments.results.empty()) {
        throw InputError("vectors: --check and --results belong together; give both");
    }
}

Pack pack_of_config(const std::string& config) {
    const Model model = open_model(config);
    for (const Part& part : model.kinds()) {
        if (!part.inferred.empty()) {
            tell(fmt::format("{}: inferred, not known: {}", printable(config), part.inferred));
        }
    }
    return vectors::pack_of_model(model);
}

/// Cases and wrong answers of a pack.
std::string counts(const Pack& pack) {
    std::size_t wrong = 0;
    for (const auto& made : pack.rotations) {
        wrong += made.wrong.size();
    }
    for (const auto& made : pack.positions) {
        wrong += made.wrong.size();
    }
    return fmt::format("{} cases with {} wrong answers",
                       pack.rotations.size() + pack.positions.size(), wrong);
}

int list() {
    for (const vectors::PackFacts& facts : vectors::packs()) {
        print(fmt::format("{:<10} {}: {}\n", facts.name, counts(facts.make()), facts.text));
    }
    return 0;
}

int write(const VectorsArguments& arguments) {
    const Pack pack = arguments.pack.empty() ? pack_of_config(arguments.config)
                                             : vectors::pack_named(arguments.pack).make();
    {
        const HeldSignals signals;  // until nothing is left beside the folder
        vectors::write_pack(arguments.output, pack);
    }
    print(fmt::format("{}: {}\n", printable(arguments.output), counts(pack)));
    return 0;
}

std::string line_of(const CaseJudgement& judgement) {
    const std::string text = text_of(judgement);
    std::string line = fmt::format("{:<8} {}{}{}\n", to_string(judgement.judged), judgement.id,
                                   text.empty() ? "" : ": ", text);
    for (const faults::NamedFault& fault : judgement.faults) {
        if (const std::string_view repair = faults::repair_of(fault.code); !repair.empty()) {
            line += fmt::format("  to repair: {}.\n", repair);
        }
    }
    return line;
}

/// What was inferred about models, and what the answers have in its place; each once.
std::string lines_about_inferred(const std::vector<CaseJudgement>& judgements) {
    std::vector<std::string> lines;
    const auto add = [&](std::string line) {
        if (std::ranges::find(lines, line) == lines.end()) {
            lines.push_back(std::move(line));
        }
    };
    for (const CaseJudgement& judgement : judgements) {
        if (!judgement.inferred.empty()) {
            add(fmt::format("INFERRED, not known: {}\n", judgement.inferred));
        }
        if (!judgement.unlike_inferred.empty()) {
            add(fmt::format("right but for what was inferred: {}\n", judgement.unlike_inferred));
        }
    }
    return fmt::format("{}", fmt::join(lines, ""));
}

nlohmann::ordered_json json_of(const CaseJudgement& judgement) {
    nlohmann::ordered_json entry{{"id", judgement.id}, {"judged", to_string(judgement.judged)}};
    if (!judgement.inferred.empty()) {
        entry["confidence"] = "inferred";
        entry["inferred"] = judgement.inferred;
    }
    if (!judgement.unlike_inferred.empty()) {
        entry["unlike_inferred"] = judgement.unlike_inferred;
    }
    if (!judgement.faults.empty()) {
        entry["faults"] = nlohmann::ordered_json::array();
        for (const faults::NamedFault& fault : judgement.faults) {
            const std::string repair(faults::repair_of(fault.code));
            entry["faults"].push_back(
                {{"code", fault.code},
                 {"text", fault.text},
                 {"repair", repair.empty() ? nlohmann::ordered_json(nullptr)
                                           : nlohmann::ordered_json(repair)}});
        }
    }
    if (judgement.off > 0) {
        entry["off"] = judgement.off;
        entry["numbers"] = judgement.numbers;
        entry["worst_in_tolerances"] = std::isfinite(judgement.worst_in_tolerances)
                                           ? nlohmann::ordered_json(judgement.worst_in_tolerances)
                                           : nlohmann::ordered_json();
        entry["worst_at"] = judgement.worst_at;
        entry["inexact"] = judgement.inexact;
    }
    return entry;
}

std::ptrdiff_t count_of(const std::vector<CaseJudgement>& judgements, CaseVerdict judged) {
    return std::ranges::count(judgements, judged, &CaseJudgement::judged);
}

std::string judgements_json(const std::vector<CaseJudgement>& judgements) {
    nlohmann::ordered_json cases = nlohmann::ordered_json::array();
    for (const CaseJudgement& judgement : judgements) {
        cases.push_back(json_of(judgement));
    }
    return nlohmann::ordered_json{{"right", count_of(judgements, CaseVerdict::right)},
                                  {"missing", count_of(judgements, CaseVerdict::missing)},
                                  {"cases", std::move(cases)}}
               .dump(2) +
           "\n";
}

std::string judgements_text(const std::vector<CaseJudgement>& judgements) {
    std::string text = lines_about_inferred(judgements);
    for (const CaseJudgement& judgement : judgements) {
        if (judgement.judged != CaseVerdict::right) {
            text += line_of(judgement);
        }
    }
    return text + fmt::format("{} of {} answers are right\n",
                              count_of(judgements, CaseVerdict::right), judgements.size());
}

int check(const VectorsArguments& arguments, bool json) {
    const std::vector<CaseJudgement> judgements =
        vectors::judge(arguments.check, arguments.results);
    if (count_of(judgements, CaseVerdict::missing) == std::ssize(judgements)) {
        throw InputError(fmt::format("{}: holds no answer; name each tensor by the id of its case",
                                     printable(arguments.results)));
    }
    print_beside(json ? judgements_json(judgements) : judgements_text(judgements), [&] {
        write_junit(arguments.junit, "vectors", junit_cases(judgements, arguments.check));
    });
    return count_of(judgements, CaseVerdict::right) == std::ssize(judgements) ? 0 : 1;
}

int run(const VectorsArguments& arguments, const GlobalOptions& options) {
    refuse_contradictions(arguments);
    if (arguments.list) {
        return list();
    }
    return arguments.check.empty() ? write(arguments) : check(arguments, options.format == "json");
}

}  // namespace

Command vectors_command(GlobalOptions& options) {
    auto arguments = std::make_shared<VectorsArguments>();
    return {.name = "vectors",
            .text = "Write test vectors with named wrong answers, or judge somebody's answers",
            .options =
                {
                    {.names = "--pack",
                     .target = &arguments->pack,
                     .type = "text|axes|positions|fused",
                     .text = "The cases to write"},
                    {.names = "--config",
                     .target = &arguments->config,
                     .type = "FILE|NAME",
                     .text = "Cases of one model instead: a config.json or a published model"},
                    {.names = "-o,--output",
                     .target = &arguments->output,
                     .type = "FOLDER",
                     .text = "Gets index.json and a .safetensors with the arrays"},
                    {.names = "--check",
                     .target = &arguments->check,
                     .type = "FOLDER",
                     .text = "A pack whose cases were computed by other code"},
                    {.names = "--results",
                     .target = &arguments->results,
                     .type = "FILE",
                     .text = "Its answers, .safetensors or .npz: a tensor by the id of each case"},
                    junit_option(arguments->junit),
                    {.names = "--list",
                     .target = &arguments->list,
                     .text = "Print the packs there are"},
                },
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = {"--format"},
            .footer = R"(--pack or --config writes with -o; --check judges with --results.
Examples:
  ropescope vectors --list
  ropescope vectors --pack text -o vectors/text
  ropescope vectors --config config.json -o vectors/mine
  ropescope vectors --check vectors/text --results answers.safetensors)"};
}

}  // namespace ropescope::cli
