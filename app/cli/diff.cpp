// `ropescope diff`: two models, two dumps or two tables side by side.
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/junit.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/diagnosis/dump_file.h"
#include "core/diagnosis/tables/rope_table.h"
#include "core/diff/dump_diff.h"
#include "core/diff/model_diff.h"
#include "core/diff/table_diff.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"

namespace ropescope::cli {
namespace {

struct DiffArguments {
    std::string a, b, axes, map, junit;
    std::optional<std::int64_t> context;
};

enum class OperandKind { model, dump, tables };

/// A file of tensors is a dump or holds tables; anything else is a model, by its name or a path.
OperandKind operand_kind(const std::string& path) {
    if (path_kind(path) != PathKind::file) {
        return OperandKind::model;
    }
    if (diagnosis::is_table_file(path)) {
        return OperandKind::tables;
    }
    const OpenedFile file(path);
    return is_safetensors(file) || is_npz(file) ? OperandKind::dump : OperandKind::model;
}

std::string_view words_for(OperandKind kind) {
    return kind == OperandKind::model  ? "a model"
           : kind == OperandKind::dump ? "a dump"
                                       : "a file of tables";
}

diff::DiffReport compare_two_tables(const DiffArguments& arguments) {
    if (arguments.context || !arguments.axes.empty() || !arguments.map.empty()) {
        throw InputError("diff: tables take no --context, --axes and --map; leave them out");
    }
    return report_of(diff::compare_tables(diagnosis::read_tables(arguments.a),
                                          diagnosis::read_tables(arguments.b)),
                     arguments.a, arguments.b);
}

diff::DiffReport compare_two_dumps(const DiffArguments& arguments) {
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

diff::DiffReport compare_two_models(const DiffArguments& arguments) {
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

diff::DiffReport compare_both(const DiffArguments& arguments) {
    const OperandKind a = operand_kind(arguments.a), b = operand_kind(arguments.b);
    if (a != b) {
        throw InputError(fmt::format(
            "{} is {} and {} is {}; give two of one kind, or hold tensors to a model by diagnose "
            "--expect",
            in_quotes(arguments.a), words_for(a), in_quotes(arguments.b), words_for(b)));
    }
    switch (a) {
        case OperandKind::dump:
            return compare_two_dumps(arguments);
        case OperandKind::tables:
            return compare_two_tables(arguments);
        default:
            return compare_two_models(arguments);
    }
}

int diff_both(const DiffArguments& arguments, const GlobalOptions& options) {
    const diff::DiffReport report = compare_both(arguments);
    write_junit(arguments.junit, "diff", junit_cases(report, arguments.b));
    print(options.format == "json" ? report_json(report) : report_text(report));
    return report.verdict == diff::Sameness::different ? 1 : 0;
}

}  // namespace

Command diff_command(GlobalOptions& options) {
    auto arguments = std::make_shared<DiffArguments>();
    return {.name = "diff",
            .text = "Say where two models, two dumps or two tables part first, and by how much",
            .options =
                {
                    {.names = "a",
                     .target = &arguments->a,
                     .type = "A",
                     .text = "The reference: a config.json, its folder, a published model, or a "
                             "file with a dump or tables (.safetensors, .npz)",
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
                    junit_option(arguments->junit),
                },
            .run = [arguments, &options] { return diff_both(*arguments, options); },
            .reads = {"--format"},
            .footer = R"(Examples:
  ropescope diff llama-3-8b llama-3.1-8b
  ropescope diff config.json other/config.json --context 32768
  ropescope diff reference.safetensors mine.safetensors
  ropescope diff reference.npz mine.npz --format json
  ropescope diff cos_sin_cache.npy mine/cos_sin_cache.npy

Numbers of dumps and tables may differ by what rounding in the coarser of the two formats
explains; the report says how much that is.
Exit code: 0 if they are equal, or equivalent (another order of channels or heads
that leaves scores as they are), 1 if they differ, 2 if they cannot be compared.)"};
}

}  // namespace ropescope::cli
