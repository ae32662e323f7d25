// `ropescope glossary`: the words of the field in a sentence or two each.
#include "app/scene/glossary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/output.h"

namespace ropescope::cli {
namespace {

std::string as_text(const std::vector<GlossaryEntry>& entries) {
    std::string text;
    for (const GlossaryEntry& entry : entries) {
        text += fmt::format("{}: {}\n", entry.term, entry.text);
    }
    return text;
}

std::string as_json(const std::vector<GlossaryEntry>& entries) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const GlossaryEntry& entry : entries) {
        json.push_back({{"term", entry.term}, {"text", entry.text}});
    }
    return json.dump(2) + "\n";
}

}  // namespace

Command glossary_command(GlobalOptions& options) {
    const auto term = std::make_shared<std::optional<std::string>>();
    return {.name = "glossary",
            .text = "Explain the words of the field in a sentence or two each",
            .options = {{.names = "term",
                         .target = term.get(),
                         .type = "TERM",
                         .text = "One word, for example wavelength (default: all)"}},
            .run =
                [term, &options] {
                    const std::vector<GlossaryEntry> entries =
                        *term ? std::vector{glossary_entry(**term)} : glossary();
                    print(options.format == "json" ? as_json(entries) : as_text(entries));
                    return 0;
                },
            .reads = {"--format"},
            .footer = R"(Examples:
  ropescope glossary
  ropescope glossary yarn)"};
}

}  // namespace ropescope::cli
