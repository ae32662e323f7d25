// `ropescope inspect`: says what a config.json, a GGUF file, a model's folder or tensors contain.
#include "app/cli/inspect.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/compare_runtimes.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/encoder/encoder.h"
#include "core/formats/config_object.h"
#include "core/formats/gguf/file.h"
#include "core/formats/json_object.h"

namespace ropescope::cli {
namespace {

struct InspectArguments {
    std::string path;
    std::optional<std::int64_t> seq_len;
    std::optional<std::int64_t> context;
    bool d2l_roformer = false;
    std::string part;                    ///< "text" or "vision"
    std::optional<std::string> compare;  ///< names of runtimes, separated by commas
};

/// The batch size in the notebook's summary by torchinfo; its sequences are as long as the model
/// allows.
constexpr std::int64_t kSummaryBatch = 4;

/// The model at a sequence of `seq_len`.
ModelConfig at_length(ModelConfig model, std::int64_t seq_len) {
    model.rope.seq_len = seq_len;
    for (LayerRope& layer : model.layer_ropes) {
        layer.rope.seq_len = seq_len;
    }
    return model;
}

Model open(const InspectArguments& arguments) {
    if (arguments.d2l_roformer != arguments.path.empty()) {
        throw InputError(arguments.d2l_roformer
                             ? "inspect: --d2l-roformer and a path are two models; give one"
                             : "inspect: no input; give a path, a published model or "
                               "--d2l-roformer");
    }
    return arguments.d2l_roformer ? open_model("roformer-notebook")
                                  : open_with_tensors(arguments.path);
}

/// The config of an encoder; empty if the model is of another kind.
std::optional<EncoderConfig> encoder_config(const InspectArguments& arguments, const Model& model) {
    if (arguments.d2l_roformer) {
        return EncoderConfig{};
    }
    const auto config =
        model.text && !model.published ? find_encoder_config(model.config) : std::nullopt;
    if (!config || model.files.empty()) {
        return config;
    }
    const EncoderFiles files = open_encoder(arguments.path);
    match_weights(files.config, files.weights);
    return files.config;
}

void apply_length(std::int64_t seq_len, const InspectArguments& arguments, Inspected& result) {
    if (result.part && !result.part->spec && !result.part->shared) {
        throw InputError("--seq-len: no length changes the frequencies of this part; leave it out");
    }
    if (!result.model.text && !result.part) {
        throw InputError(
            fmt::format("--seq-len: {} has no config.json, whose frequencies could "
                        "depend on it; leave it out",
                        arguments.path));
    }
    if (seq_len < 1 || seq_len > kMaxSeqLen) {
        throw InputError(fmt::format("--seq-len: {} positions; give 1 to {}", seq_len, kMaxSeqLen));
    }
    if (result.model.text) {
        result.model.text = at_length(*std::move(result.model.text), seq_len);
    }
    if (result.part) {
        result.part = result.part->at_length(seq_len);
    }
}

/// The parts that turn as the one that is shown, or its type of layer alone if that was asked for.
JudgedContext judged_context(const InspectArguments& arguments, const Inspected& inspected) {
    validate_context(*arguments.context);
    JudgedContext judged{.parts = {}, .context = *arguments.context};
    for (const Part& part : inspected.model.parts) {
        const bool is_asked = arguments.part.empty() || arguments.part == part.kind ||
                              arguments.part == part.layer_type;
        const bool is_shown = is_asked && part.kind == inspected.part->kind;
        if (is_shown && (part.spec || part.shared)) {
            judged.parts.push_back(arguments.seq_len ? part.at_length(*arguments.seq_len) : part);
        }
    }
    if (judged.parts.empty()) {
        throw InputError(
            fmt::format("--context: {} has no text in a config.json whose base could allow a "
                        "length; leave it out",
                        arguments.d2l_roformer ? "the notebook" : printable(arguments.path)));
    }
    return judged;
}

Inspected inspected(const InspectArguments& arguments) {
    Inspected result{.model = open(arguments), .part_asked = !arguments.part.empty()};
    if (!result.model.parts.empty()) {
        result.part = result.model.part(arguments.part);
    } else if (result.part_asked) {
        throw InputError(
            fmt::format("--part: {} has no config.json with parts; leave it out", arguments.path));
    }
    if (arguments.seq_len) {
        apply_length(*arguments.seq_len, arguments, result);
    }
    if (arguments.context) {
        result.context = judged_context(arguments, result);
    }
    try {
        if (const auto encoder = encoder_config(arguments, result.model)) {
            result.encoder = parameter_table(*encoder, kSummaryBatch,
                                             arguments.seq_len.value_or(encoder->max_positions));
        }
    } catch (const InputError& error) {
        result.no_encoder_reason = error.what();
    }
    return result;
}

/// The file as several runtimes read it.
std::string comparison(const InspectArguments& arguments, const GlobalOptions& options) {
    if (arguments.path.empty() || arguments.d2l_roformer || arguments.seq_len ||
        arguments.context) {
        throw InputError(
            "--compare: it reads one config.json as the runtimes do; give its path, and neither "
            "--d2l-roformer, --seq-len nor --context");
    }
    const ConfigText config = open_config(arguments.path);
    if (const nlohmann::json keys = parse_json_object(config.text, config.origin);
        gguf::is_metadata(ConfigObject(keys, config.origin))) {
        throw InputError(
            fmt::format("--compare: {} is a GGUF file; the runtimes are compared by how they read "
                        "a config.json, so give that of the model",
                        printable(config.origin)));
    }
    const runtimes::Comparison found =
        runtimes::compare(runtimes::runtimes_named(*arguments.compare), config);
    return options.format == "json" ? comparison_json(found).dump(2) + "\n"
                                    : comparison_text(found);
}

}  // namespace

Command inspect_command(GlobalOptions& options) {
    auto arguments = std::make_shared<InspectArguments>();
    return {
        .name = "inspect",
        .text =
            "Show what a config.json, a .gguf, a model's folder, a .safetensors, .npy or .npz "
            "contains",
        .options =
            {
                {.names = "path",
                 .target = &arguments->path,
                 .type = "PATH|NAME",
                 .text =
                     "config.json, .gguf, folder, .safetensors, .npy or .npz, or a published model "
                     "(llama-3-8b, qwen2-vl-7b)"},
                {.names = "--d2l-roformer",
                 .target = &arguments->d2l_roformer,
                 .text = "The configuration of the d2l RoFormer notebook in place of a path"},
                {.names = "--seed-config", .target = &arguments->d2l_roformer},  // its former name
                {.names = "--seq-len",
                 .target = &arguments->seq_len,
                 .type = "N",
                 .text = "Length of the sequence, which dynamic and LongRoPE scaling look at"},
                {.names = "--context",
                 .target = &arguments->context,
                 .type = "N",
                 .text = "Whether the base allows a context of N positions, and which bases do"},
                {.names = "--part",
                 .target = &arguments->part,
                 .type = "text|vision|..",
                 .text = "The part of a model that reads text, the one that sees, or another that "
                         "inspect lists (default: all in text, the first in JSON)"},
                {.names = "--compare",
                 .target = &arguments->compare,
                 .type = "A,B,..",
                 .text = "How these runtimes read a config.json, and where they differ: "
                         "transformers-4, transformers-5, llama.cpp, vllm"},
            },
        .run =
            [arguments, &options] {
                if (arguments->compare) {
                    print(comparison(*arguments, options));
                    return 0;
                }
                const Inspected found = inspected(*arguments);
                print(options.format == "json" ? inspection_json(found).dump(2) + "\n"
                                               : inspection_text(found));
                return 0;
            },
        .reads = {"--format"},
        .footer = R"(Examples:
  ropescope inspect llama-3.1-8b
  ropescope inspect config.json --compare transformers-5,llama.cpp,vllm
  ropescope inspect model.gguf --format json)"};
}

}  // namespace ropescope::cli
