// `ropescope diff`: two models or two dumps side by side.
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/diagnosis/dump_file.h"
#include "core/diff/dump_diff.h"
#include "core/diff/model_diff.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"

namespace ropescope::cli {
namespace {

struct DiffArguments {
    std::string a, b, axes, map;
    std::optional<std::int64_t> context;
};

/// A file of tensors; anything else is a model, by its name or a path.
bool is_dump(const std::string& path) {
    if (path_kind(path) != PathKind::file) {
        return false;
    }
    const OpenedFile file(path);
    return is_safetensors(file) || is_npz(file);
}

diff::Report compare_two_dumps(const DiffArguments& arguments) {
    if (arguments.context) {
        throw InputError("--context: it is the length of a model; two dumps do not need it");
    }
    diagnosis::DumpOptions options{.axes = arguments.axes};
    if (!arguments.map.empty()) {
        options.names = diagnosis::parse_names(arguments.map);
    }
    return report_of(diff::compare_dumps(diagnosis::DumpFile::open(arguments.a, options),
                                         diagnosis::DumpFile::open(arguments.b, options)));
}

diff::Report compare_two_models(const DiffArguments& arguments) {
    if (!arguments.axes.empty() || !arguments.map.empty()) {
        throw InputError(fmt::format("{}: it is for dumps, and {} is none",
                                     arguments.axes.empty() ? "--map" : "--axes",
                                     in_quotes(arguments.a)));
    }
    const std::int64_t context = arguments.context.value_or(0);
    if (arguments.context && (context < 1 || context > kMaxSeqLen)) {
        throw InputError(fmt::format("--context: {} positions; give 1 to {}", context, kMaxSeqLen));
    }
    return report_of(
        diff::compare_models(open_model(arguments.a), open_model(arguments.b), context));
}

diff::Report compare_both(const DiffArguments& arguments) {
    const bool a = is_dump(arguments.a), b = is_dump(arguments.b);
    if (a != b) {
        throw InputError(fmt::format(
            "{} is a file of tensors and {} is a model; give two of one kind, or hold the tensors "
            "to the model by diagnose --expect",
            in_quotes(a ? arguments.a : arguments.b), in_quotes(a ? arguments.b : arguments.a)));
    }
    return a ? compare_two_dumps(arguments) : compare_two_models(arguments);
}

int diff_both(const DiffArguments& arguments, const GlobalOptions& options) {
    const diff::Report report = compare_both(arguments);
    print(options.format == "json" ? report_json(report) : report_text(report));
    return report.verdict == diff::Sameness::different ? 1 : 0;
}

}  // namespace

Command diff_command(GlobalOptions& options) {
    auto arguments = std::make_shared<DiffArguments>();
    return {.name = "diff",
            .text = "Say where two models, or two dumps of q and k, part first and by how much",
            .options =
                {
                    {.names = "a",
                     .target = &arguments->a,
                     .type = "A",
                     .text = "The reference: a config.json, its folder, a published model, or a "
                             "dump (.safetensors, .npz)",
                     .required = true},
                    {.names = "b",
                     .target = &arguments->b,
                     .type = "B",
                     .text = "The other one, of the same kind",
                     .required = true},
                    {.names = "--context",
                     .target = &arguments->context,
                     .type = "N",
                     .text = "Length of the sequence in positions, for models whose scaling "
                             "depends on it (default: a short one)"},
                    {.names = "--axes",
                     .target = &arguments->axes,
                     .type = "ORDER",
                     .text = "Axes of q and k in both dumps by their letters: bhld, blhd, hld, "
                             "lhd, ld (default: found)"},
                    {.names = "--map",
                     .target = &arguments->map,
                     .type = "q=NAME,..",
                     .text = "What the dumps call q, q_rot, k, k_rot and positions; a * stands "
                             "for the number of a layer"},
                },
            .run = [arguments, &options] { return diff_both(*arguments, options); },
            .reads = {"--format"},
            .footer = R"(Examples:
  ropescope diff llama-3-8b llama-3.1-8b
  ropescope diff config.json other/config.json --context 32768
  ropescope diff reference.safetensors mine.safetensors
  ropescope diff reference.npz mine.npz --format json

Numbers of dumps may differ by what rounding in the coarser of the two formats
explains; the report says how much that is.
Exit code: 0 if they are equal, or equivalent (another order of channels or heads
that leaves scores as they are), 1 if they differ, 2 if they cannot be compared.)"};
}

}  // namespace ropescope::cli
