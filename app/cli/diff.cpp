// `ropescope diff`: two models, two dumps or two tables side by side.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/junit.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/figures/difference/difference.h"
#include "app/plot/figure_file.h"
#include "app/plot/render_figure.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
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
    std::string a, b, axes, map, junit, output;
    std::optional<std::int64_t> context;
    GivenSettings given = no_settings();
};

/// What was found, and its figure, which is made if somebody wants it.
struct FoundDifference {
    diff::DiffReport report = {};
    std::function<plot::Figure()> figure = {};
};

enum class OperandKind { model, dump, tables };

/// A file of tensors is a dump or holds tables; anything else is a model, by its name or a path.
OperandKind operand_kind(const std::string& path) {
    if (path_kind(path) != PathKind::file || holds_scheme(path)) {
        return OperandKind::model;
    }
    if (diagnosis::is_table_file(path)) {
        return OperandKind::tables;
    }
    const OpenedFile file(path);
    if (is_npy(file)) {
        throw InputError(fmt::format(
            "{}: its name is not that of a table, such as cos_sin_cache.npy or inv_freq.npy; give "
            "tables so named, or a dump of several tensors (.safetensors, .npz)",
            printable(path)));
    }
    return is_safetensors(file) || is_npz(file) ? OperandKind::dump : OperandKind::model;
}

std::string_view words_for(OperandKind kind) {
    return kind == OperandKind::model  ? "a model"
           : kind == OperandKind::dump ? "a dump"
                                       : "a file of tables";
}

FoundDifference compare_two_tables(const DiffArguments& arguments) {
    if (arguments.context || !arguments.axes.empty() || !arguments.map.empty()) {
        throw InputError("diff: tables take no --context, --axes and --map; leave them out");
    }
    figures::BothTables both{diagnosis::read_tables(arguments.a),
                             diagnosis::read_tables(arguments.b)};
    std::vector<diff::TableDifference> tables = diff::compare_tables(both.a, both.b);
    diff::DiffReport report = report_of(tables, arguments.a, arguments.b);
    return {report, [tables = std::move(tables), both = std::move(both), report] {
                return figures::difference_figure(tables, both, report);
            }};
}

FoundDifference compare_two_dumps(const DiffArguments& arguments) {
    if (arguments.context) {
        throw InputError("--context: it is the length of a model; two dumps do not need it");
    }
    diagnosis::DumpOptions options{.axes = arguments.axes};
    if (!arguments.map.empty()) {
        options.names = diagnosis::parse_names(arguments.map);
    }
    const auto a = std::make_shared<const diagnosis::DumpFile>(
        diagnosis::DumpFile::open(arguments.a, options));
    const auto b = std::make_shared<const diagnosis::DumpFile>(
        diagnosis::DumpFile::open(arguments.b, options));
    diff::DumpDifference difference = diff::compare_dumps(*a, *b);
    diff::DiffReport report = report_of(difference);
    return {std::move(report), [a, b, difference = std::move(difference)] {
                return figures::difference_figure(difference,
                                                  diff::map_differences(*a, *b, difference));
            }};
}

FoundDifference compare_two_models(const DiffArguments& arguments) {
    if (!arguments.axes.empty() || !arguments.map.empty()) {
        throw InputError(fmt::format("{}: it is for dumps, and {} is none",
                                     arguments.axes.empty() ? "--map" : "--axes",
                                     in_quotes(arguments.a)));
    }
    const std::int64_t context = arguments.context.value_or(0);
    if (arguments.context && (context < 1 || context > kMaxSeqLen)) {
        throw InputError(fmt::format("--context: {} positions; give 1 to {}", context, kMaxSeqLen));
    }
    diff::ModelDifference difference =
        diff::compare_models(open_model(arguments.a), open_model(arguments.b), context);
    diff::DiffReport report = report_of(difference);
    return {std::move(report), [difference = std::move(difference)] {
                return figures::difference_figure(difference);
            }};
}

FoundDifference compare_both(const DiffArguments& arguments) {
    const OperandKind a = operand_kind(arguments.a), b = operand_kind(arguments.b);
    if (a != b) {
        if (a == OperandKind::model || b == OperandKind::model) {
            // Refuses, in its own words, what is no model either: a file that is missing or empty.
            open_model(a == OperandKind::model ? arguments.a : arguments.b);
        }
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

void write_picture(const DiffArguments& arguments, const plot::Figure& figure) {
    const plot::ExportOptions picture = plot::with_values({}, values_of("diff", arguments.given));
    write_file_whole(arguments.output, plot::figure_file(figure, arguments.output, picture));
    if (plot::is_picture(arguments.output)) {
        tell_what_is_left_out("diff", figure, picture, arguments.given);
    }
}

/// Settings of a picture that nobody asked for would be passed over.
void require_output_for_settings(const DiffArguments& arguments) {
    const plot::ExportValues values = values_of("diff", arguments.given);
    if (!values.empty() && arguments.output.empty()) {
        throw InputError(fmt::format("{}: it is for a picture; name its file by --output",
                                     values.begin()->first));
    }
    if (!arguments.output.empty()) {
        plot::require_figure_ending(arguments.output);  // before any work
    }
}

int diff_both(const DiffArguments& arguments, const GlobalOptions& options) {
    require_output_for_settings(arguments);
    const FoundDifference found = compare_both(arguments);
    print_beside(options.format == "json" ? report_json(found.report) : report_text(found.report),
                 [&] {
                     if (!arguments.output.empty()) {
                         write_picture(arguments, found.figure());
                     }
                     write_junit(arguments.junit, "diff", junit_cases(found.report, arguments.b));
                 });
    return found.report.verdict == diff::Sameness::different ? 1 : 0;
}

}  // namespace

Command diff_command(GlobalOptions& options) {
    auto arguments = std::make_shared<DiffArguments>();
    std::vector<Option> settings = setting_options(arguments->given);
    Command command{
        .name = "diff",
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
                {.names = "-o,--output",
                 .target = &arguments->output,
                 .type = "FILE",
                 .text = "Also write a figure of the difference: a name that ends in .png, "
                         ".svg, .pdf, .csv (its numbers) or .txt (in words)"},
                junit_option(arguments->junit),
            },
        .run = [arguments, &options] { return diff_both(*arguments, options); },
        .reads = {"--format"},
        .footer = R"(Examples:
  ropescope diff llama-3-8b llama-3.1-8b
  ropescope diff config.json other/config.json --context 32768
  ropescope diff reference.safetensors mine.safetensors
  ropescope diff reference.npz mine.npz --format json
  ropescope diff reference.safetensors mine.safetensors -o difference.svg
  ropescope diff cos_sin_cache.npy mine/cos_sin_cache.npy

Numbers of dumps and tables may differ by what rounding in the coarser of the two formats
explains; the report says how much that is.
Exit code: 0 if they are equal, or equivalent (another order of channels or heads
that leaves scores as they are), 1 if they differ, 2 if they cannot be compared.)"};
    std::ranges::move(settings, std::back_inserter(command.options));
    return command;
}

}  // namespace ropescope::cli
