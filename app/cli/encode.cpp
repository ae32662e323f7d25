// `ropescope encode`: runs a whole encoder and writes its intermediate results to a file.
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "app/cli/encode_input.h"
#include "app/cli/engines.h"
#include "app/cli/progress_line.h"
#include "core/base/error.h"
#include "core/encoder/trace.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope::cli {
namespace {

/// What was computed, for readers of the file.
std::map<std::string, std::string> metadata_of(const EncodeArguments& arguments,
                                               const EncoderConfig& config) {
    const std::string rope =
        arguments.no_rope
            ? std::string("off")
            : fmt::format("base {:.17g}, {}, scaling {}, table {}, shift {}",
                          arguments.base.value_or(config.rope_base),
                          arguments.layout.value_or(std::string(to_string(config.rope().layout))),
                          arguments.scaling.value_or("none"), arguments.table_dtype,
                          arguments.shift);
    const std::string weights = arguments.notebook_config
                                    ? fmt::format("random, seed {}", arguments.seed.value_or(0))
                                    : "file";
    return {{"ropescope", ROPESCOPE_VERSION},
            {"architecture", std::string(to_string(config.architecture))},
            {"weights", weights},
            {"rope", rope}};
}

int run(const EncodeArguments& arguments, const GlobalOptions& options) {
    refuse_contradictions(arguments);
    if (!options.scene_file.empty() || !options.settings.empty()) {
        throw InputError(
            "encode: --scene and --set describe figures; see ropescope encode --help for what "
            "changes the encoder");
    }
    const EncoderInput input = read_encoder_input(arguments);
    const std::unique_ptr<Engine> engine = engine_from(options);
    EncoderFiles files = read_model(arguments);
    ForwardOptions forward;
    forward.rope = rope_options(arguments, files.config, input);
    forward.trace = trace_request(arguments, files.config.n_layers);
    bool read_again = false;
    const Trace trace = with_fallback(*engine, [&] {
        if (std::exchange(read_again, true)) {
            files = read_model(arguments);  // the first attempt has consumed the weights
        }
        const Encoder encoder(*engine, files.config, files.weights);
        files.weights = {};  // the encoder has what it needs
        ProgressLine line("encode");
        forward.progress = [&line](double done) {
            line(done);
            return true;
        };
        return encoder.forward(input, forward);
    });
    write_trace(arguments.output, trace, wanted_tensors(arguments),
                metadata_of(arguments, files.config));
    return 0;
}

void add_model_options(CLI::App& app, EncodeArguments& arguments) {
    app.add_option("--model", arguments.model,
                   "Folder with config.json and model.safetensors: Hugging Face's RoFormer or the "
                   "RoFormer notebook's")
        ->type_name("DIR");
    app.add_flag("--notebook-config", arguments.notebook_config,
                 "The RoFormer notebook's configuration (77.5 M parameters) with random weights");
    app.add_flag("--seed-config", arguments.notebook_config)->group("");  // its former name
    app.add_option("--seed", arguments.seed, "Seed of those weights (default 0)")
        ->type_name("N")
        ->check([](const std::string& text) {  // read as unsigned, it would wrap around
            return text.starts_with('-') ? text + " is below 0; give a whole number from 0 on" : "";
        });
}

void add_input_options(CLI::App& app, EncodeArguments& arguments) {
    app.add_option("--ids", arguments.ids, "Token ids [L] or [batch, L], whole numbers")
        ->type_name("FILE.npy");
    app.add_option("--text", arguments.text,
                   "Text, cut into the pieces of the model's vocab.txt (lower-case WordPiece)")
        ->type_name("TEXT");
    app.add_option("--mask", arguments.mask,
                   "1 for a key that is seen, 0 for padding: [L], [batch, L] or [batch, L, L]; "
                   "float, integer or bool")
        ->type_name("FILE.npy");
    app.add_option("--type-ids", arguments.type_ids, "Token types [L] or [batch, L]")
        ->type_name("FILE.npy");
    app.add_option("--positions", arguments.positions, "Positions [L] or [batch, L] (default 0 ..)")
        ->type_name("FILE.npy");
}

void add_rope_options(CLI::App& app, EncodeArguments& arguments) {
    app.add_flag("--no-rope", arguments.no_rope, "Leave queries and keys unrotated");
    app.add_option("--base", arguments.base, "Another rope_theta than the model's")
        ->type_name("NUMBER");
    app.add_option("--layout", arguments.layout, "Other channel pairs than the model's interleaved")
        ->type_name("half_split|interleaved");
    app.add_option("--scaling", arguments.scaling,
                   "A scaling method in the words of a config.json's rope_scaling, for example "
                   "'{\"rope_type\": \"linear\", \"factor\": 4}'")
        ->type_name("JSON");
    app.add_option("--table-dtype", arguments.table_dtype,
                   "Round cos and sin, as the RoFormer notebook does with bf16 (default fp32)")
        ->type_name("fp32|bf16")
        ->check(CLI::IsMember(enum_names<TableDtype>()));
    app.add_option("--shift", arguments.shift, "Added to every position (default 0)")
        ->type_name("N");
}

void add_output_options(CLI::App& app, EncodeArguments& arguments) {
    app.add_option("--layers", arguments.layers,
                   "Layers of which scores, probs, q_rot and k_rot are kept (default all)")
        ->type_name("0,2-3");
    app.add_option("--tensors", arguments.tensors, "Tensors to keep (default all)")
        ->type_name("logits,hidden,scores,probs,q_rot,k_rot");
    app.add_option("-o,--output", arguments.output, "The trace")
        ->type_name("TRACE.safetensors")
        ->required();
}

}  // namespace

Command add_encode(CLI::App& parent, GlobalOptions& options) {
    auto arguments = std::make_shared<EncodeArguments>();
    CLI::App* app = parent.add_subcommand(
        "encode", "Run a whole RoFormer and keep scores, probabilities, hidden states, logits");
    add_model_options(*app, *arguments);
    add_input_options(*app, *arguments);
    add_rope_options(*app, *arguments);
    add_output_options(*app, *arguments);
    app->footer(R"(Examples:
  ropescope encode --model roformer --ids ids.npy --mask mask.npy -o trace.safetensors
  ropescope encode --model roformer --text "rotate by position" -o trace.safetensors
  ropescope encode --notebook-config --ids ids.npy --table-dtype bf16 --shift 100 -o shifted.safetensors)");
    return {app, [arguments, &options] { return run(*arguments, options); }, kPictureOptions};
}

}  // namespace ropescope::cli
