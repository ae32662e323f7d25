// `ropescope positions`: builds the position ids of text, images and videos, or judges some.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/positions_check.h"
#include "app/cli/positions_report.h"
#include "core/base/characters.h"
#include "core/base/error.h"

namespace ropescope::cli {
namespace {

struct PositionsArguments {
    std::string config, layout, output, name, part;
    std::string check, position_axes;
    std::string runtime = std::string(to_string(PositionVersion::transformers_5));
};

PositionVersion version_of(const PositionsArguments& arguments) {
    const auto version = enum_value<PositionVersion>(arguments.runtime);
    if (!version) {
        throw InputError(
            fmt::format("--runtime: {} is unknown; give transformers-4 or "
                        "transformers-5",
                        in_quotes(arguments.runtime)));
    }
    return *version;
}

/// Throws InputError, before any file is opened.
void refuse_contradictions(const PositionsArguments& arguments) {
    const std::string& path = arguments.output;
    if (!arguments.check.empty() && !path.empty()) {
        throw InputError("positions: --check judges ids, and -o writes some; give one of both");
    }
    if (arguments.check.empty() && !arguments.position_axes.empty()) {
        throw InputError(
            "--position-axes: it names the axes of the ids of --check; give both, or leave it out");
    }
    if (!path.empty() && !path.ends_with(".npy") && !path.ends_with(".safetensors")) {
        throw InputError(fmt::format("-o: {} is written as .npy or .safetensors; end the name so",
                                     in_quotes(path)));
    }
}

/// Tensors of several layouts are told apart by the layouts' names.
void check_names(const std::vector<PlacedLayout>& placed) {
    std::set<std::string> names;
    for (const PlacedLayout& each : placed) {
        const std::string& name = each.plan.layout.name;
        if (name.empty() || !names.insert(name).second) {
            throw InputError(
                fmt::format("{}: layouts: {}; give each a name of its own", each.origin,
                            name.empty() ? "one of several has no name"
                                         : fmt::format("two are called {}", in_quotes(name))));
        }
    }
}

std::string report(const std::vector<BuiltPositions>& built, bool json) {
    if (json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const BuiltPositions& each : built) {
            list.push_back(positions_json(each));
        }
        nlohmann::ordered_json all = confidence_json(*built.front().placed);
        all["layouts"] = std::move(list);
        return all.dump(2) + "\n";
    }
    std::string text;
    for (const BuiltPositions& each : built) {
        text += (text.empty() ? "" : "\n") + positions_text(each);
    }
    return confidence_line(*built.front().placed) + text;
}

int build(const std::vector<PlacedLayout>& placed, const std::string& output, bool json) {
    if (placed.size() > 1) {
        check_names(placed);
    }
    std::vector<BuiltPositions> built;
    for (const PlacedLayout& each : placed) {
        built.push_back({&each, each.positions()});
    }
    if (!output.empty()) {
        write_positions(output, built);
    }
    print(report(built, json));
    return 0;
}

void tell_each(const std::vector<std::string>& remarks) {
    for (const std::string& remark : remarks) {
        tell(remark);
    }
}

int run(const PositionsArguments& arguments, const GlobalOptions& options) {
    refuse_contradictions(arguments);
    const PositionVersion version = version_of(arguments);
    const PlacedLayouts read = read_placed_layouts(arguments.config, arguments.part,
                                                   arguments.layout, arguments.name, version);
    const std::vector<PlacedLayout>& placed = read.layouts;
    const bool json = options.format == "json";
    if (arguments.check.empty()) {
        const int code = build(placed, arguments.output, json);
        tell_each(read.remarks);
        return code;
    }
    if (placed.size() > 1) {
        throw InputError(fmt::format("--check: {} has {} layouts; choose one by --name",
                                     in_quotes(arguments.layout), placed.size()));
    }
    const int code =
        check_positions(placed.front(), arguments.check, arguments.position_axes, json);
    tell_each(read.remarks);
    return code;
}

}  // namespace

Command positions_command(GlobalOptions& options) {
    auto arguments = std::make_shared<PositionsArguments>();
    return {
        .name = "positions",
        .text = "Build position ids of text, images and videos, or say what is wrong with some",
        .options =
            {
                {.names = "--config",
                 .target = &arguments->config,
                 .type = "FILE|NAME",
                 .text = "Hugging Face config.json, or that of another model, which says how "
                         "positions are made; or a published model (llama-3-8b, qwen2-vl-7b)",
                 .required = true},
                {.names = "--layout",
                 .target = &arguments->layout,
                 .type = "FILE",
                 .text = "The tokens: segments of text, images and videos (JSON)",
                 .required = true},
                {.names = "-o,--output",
                 .target = &arguments->output,
                 .type = "IDS.npy|.safetensors",
                 .text = "Ids int64 [3, B, L]; .safetensors with rope_deltas and attention_mask"},
                {.names = "--runtime",
                 .target = &arguments->runtime,
                 .type = "transformers-4|transformers-5",
                 .text = "Whose numbers: transformers-4 (4.57, 5.0 to 5.2) or transformers-5 (5.3 "
                         "and later; default)"},
                {.names = "--check",
                 .target = &arguments->check,
                 .type = "IDS.npy|.safetensors",
                 .text = "Ids to judge: says since which token they are wrong and by which fault; "
                         "exit code 1 if they are"},
                {.names = "--position-axes",
                 .target = &arguments->position_axes,
                 .type = "al|la|abl|..",
                 .text = "Order of the axes of --check: a (axis), b (batch), l (default al, abl)"},
                {.names = "--name",
                 .target = &arguments->name,
                 .type = "NAME",
                 .text = "One layout of a file that has several"},
                {.names = "--part",
                 .target = &arguments->part,
                 .type = "text|vision",
                 .text =
                     "The part of the model that reads text or the one that sees (default text)"},
            },
        .run = [arguments, &options] { return run(*arguments, options); },
        .reads = {"--format"},
        .footer = R"(Examples:
  ropescope positions --config config.json --layout layout.json
  ropescope positions --config config.json --layout layout.json -o ids.npy --runtime transformers-4
  ropescope positions --config config.json --layout layout.json --check ids.npy)"};
}

}  // namespace ropescope::cli
