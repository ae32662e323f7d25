// `ropescope diagnose`: says what the implementation behind a dump of q and k does.
#include <fmt/format.h>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/junit.h"
#include "app/cli/norm_options.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/layers.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/tables/table_diagnosis.h"
#include "core/schemes/part.h"

namespace ropescope::cli {
namespace {

struct DiagnoseArguments {
    std::string dump, axes, position_axes, map, junit;
    std::optional<std::string> expect, layout;
    std::optional<std::int64_t> context;
    NormArguments norm;
};

/// Runtimes that choose a spectrum once, by the length of their whole context.
void fix_length(std::int64_t context, diagnosis::Expectation& expectation) {
    if (context < 1 || context > kMaxSeqLen) {
        throw InputError(fmt::format("--context: {} positions; give 1 to {}", context, kMaxSeqLen));
    }
    for (RopeSpec& spec : expectation.specs) {
        spec.seq_len = context;
    }
}

/// Weights whose channels were permuted turn by pairs of another layout than the file of the model.
void fix_layout(const std::string& layout, diagnosis::Expectation& expectation) {
    if (expectation.specs.empty()) {
        throw layout_is_fixed(expectation.name);
    }
    for (RopeSpec& spec : expectation.specs) {
        spec.layout = parse_layout(layout);
    }
}

int diagnose_table_file(const DiagnoseArguments& arguments,
                        const diagnosis::Expectation* expectation, bool json) {
    const std::vector<diagnosis::TableDiagnosis> found =
        diagnosis::diagnose_tables(diagnosis::read_tables(arguments.dump), expectation);
    print_beside(json ? diagnosis::tables_json(found) : diagnosis::tables_text(found), [&] {
        write_junit(arguments.junit, "diagnose", junit_cases(found, arguments.dump));
    });
    return diagnosis::passes(found) ? 0 : 1;
}

int diagnose_file(const DiagnoseArguments& arguments, const GlobalOptions& options) {
    diagnosis::DumpOptions dump_options{.axes = arguments.axes,
                                        .position_axes = arguments.position_axes,
                                        .norm = norm_of(arguments.norm)};
    if (!arguments.map.empty()) {
        dump_options.names = diagnosis::parse_names(arguments.map);
    }
    std::optional<diagnosis::Expectation> expectation;
    if (arguments.expect) {
        expectation = diagnosis::read_expectation(*arguments.expect);
    }
    if (arguments.context) {
        if (!expectation) {
            throw InputError("--context: it is the length of a model; name that by --expect");
        }
        fix_length(*arguments.context, *expectation);
    }
    if (arguments.layout) {
        if (!expectation) {
            throw InputError("--layout: it is the layout of a model; name that by --expect");
        }
        fix_layout(*arguments.layout, *expectation);
    }
    const diagnosis::Expectation* const expected = expectation ? &*expectation : nullptr;
    if (arguments.map.empty() && diagnosis::is_table_file(arguments.dump)) {
        return diagnose_table_file(arguments, expected, options.format == "json");
    }
    dump_options.head_dim = expected == nullptr ? 0 : diagnosis::head_dim_of(*expected);
    const auto file = diagnosis::DumpFile::open(arguments.dump, std::move(dump_options));
    const diagnosis::LayeredDiagnosis found = diagnosis::diagnose_layers(file, expected);
    print_beside(
        options.format == "json" ? diagnosis::diagnosis_json(found)
                                 : diagnosis::diagnosis_text(found),
        [&] { write_junit(arguments.junit, "diagnose", junit_cases(found, arguments.dump)); });
    return diagnosis::passes(found.whole) ? 0 : 1;
}

}  // namespace

Command diagnose_command(GlobalOptions& options) {
    auto arguments = std::make_shared<DiagnoseArguments>();
    return {.name = "diagnose",
            .text = "Say what the implementation behind a dump of q and k does, and what is wrong",
            .options = with_options_before(
                "--map",
                norm_options(arguments->norm,
                             "The norm of q and k beside the rotation, with weights q_norm and "
                             "k_norm if the dump has them (default: rms if it has)"),
                {
                    {.names = "dump",
                     .target = &arguments->dump,
                     .type = "DUMP",
                     .text = ".safetensors or .npz with q and q_rot, k and k_rot, or both; perhaps "
                             "positions and scores; or tables alone: cos and sin, "
                             "cos_sin_cache, freqs_cis, inv_freq, rope_freqs",
                     .required = true},
                    {.names = "--expect",
                     .target = &arguments->expect,
                     .type = "config.json|NAME",
                     .text = "What it should do: a model's configuration, or a published model; "
                             "exit code 1 if it does otherwise"},
                    {.names = "--context",
                     .target = &arguments->context,
                     .type = "N",
                     .text = "Length of the whole context, for a runtime that chooses dynamic or "
                             "LongRoPE scaling by it once (default: the length of the dump)"},
                    {.names = "--layout",
                     .target = &arguments->layout,
                     .type = "interleaved|half_split",
                     .text = "The pairs of these weights, if their channels were permuted: "
                             "interleaved for checkpoints of Meta, torchtune and gpt-fast, and for "
                             "GGUF of llama.cpp (default: what the model's file says)",
                     .choices = {"interleaved", "half_split"}},
                    {.names = "--axes",
                     .target = &arguments->axes,
                     .type = "ORDER",
                     .text = "Axes of q and k by their letters: bhld, blhd, hld, lhd, ld "
                             "(default: found)"},
                    {.names = "--position-axes",
                     .target = &arguments->position_axes,
                     .type = "ORDER",
                     .text = "Axes of positions by the letters a (axis), b, l (default: found)"},
                    {.names = "--map",
                     .target = &arguments->map,
                     .type = "q=NAME,..",
                     .text = "What the file calls q, q_rot, k, k_rot, positions, q_positions, "
                             "k_positions, q_norm, k_norm, scores and q_scale, q_rot_scale, "
                             "k_scale, k_rot_scale; * stands for the number of "
                             "a layer"},
                    junit_option(arguments->junit),
                }),
            .run = [arguments, &options] { return diagnose_file(*arguments, options); },
            .reads = {"--format"},
            .footer = R"(Examples:
  ropescope diagnose dump.safetensors
  ropescope diagnose dump.npz --expect config.json --axes blhd
  ropescope diagnose trace.npz --map q=query,q_rot=query_turned --format json

Axes: b batch, h heads, l tokens, d channels of a head.
Verdicts: valid; equivalent (other numbers, the same scores for weights that
were trained so); invalid; undetermined (the dump is too small to tell, and the
report says what to dump).
Exit code: 0, or 1 if the verdict is invalid or --expect is not met.)"};
}

}  // namespace ropescope::cli
