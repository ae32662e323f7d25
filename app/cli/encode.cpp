// `ropescope encode`: runs a whole encoder and writes its intermediate results to a file.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/encode_input.h"
#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/encoder/encoder_config.h"
#include "core/encoder/predictions.h"
#include "core/encoder/trace.h"
#include "core/engine/dispatched_engine.h"
#include "core/formats/word_pieces.h"

namespace ropescope::cli {
namespace {

bool is_mask(const WordPieces& pieces, Index id) {
    return pieces.id_of("[MASK]") == id;
}

std::vector<PlacePredictions> masked_places(const WordPieces& pieces, const std::vector<Index>& ids,
                                            const TraceTensor& logits) {
    std::vector<Index> masked;
    for (Index token = 0; token < std::ssize(ids); ++token) {
        if (is_mask(pieces, ids[token])) {
            masked.push_back(token);
        }
    }
    return predictions_at(masked, logits);
}

void require_predictable(const WordPieces& pieces, const std::vector<Index>& ids,
                         const EncoderConfig& config) {
    if (!config.has_head) {
        throw InputError(
            "--predict: the model has no masked-language-model head; give the folder of a "
            "RoFormerForMaskedLM");
    }
    if (std::ranges::none_of(ids, [&](Index id) { return is_mask(pieces, id); })) {
        throw InputError(
            "--predict: the text contains no [MASK]; write it where a word is to be named, for "
            "example --text \"the [MASK] of a house\"");
    }
    if (config.vocab_size != pieces.size()) {
        throw InputError(
            fmt::format("--predict: the model knows {} pieces and vocab.txt has {}; put the "
                        "vocabulary of the model beside it",
                        config.vocab_size, pieces.size()));
    }
}

/// `ids` are the tokens of the text, in which [MASK] stands for itself; `logits` is [1, tokens,
/// vocab].
std::string predictions_text(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits) {
    std::string text;
    for (const PlacePredictions& place : masked_places(pieces, ids, logits)) {
        text += fmt::format("token {} is [MASK]; the model would put there:\n", place.position);
        for (const Prediction& named : place.best) {
            text += fmt::format("  {:5.1f} %  {}\n", 100.0 * named.probability,
                                printable(pieces.text(named.id)));
        }
    }
    return text;
}

/// The same as JSON: [{"token": 3, "predictions": [{"piece": "a", "id": 7, "probability": 0.5}]}]
std::string predictions_json(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const PlacePredictions& place : masked_places(pieces, ids, logits)) {
        nlohmann::ordered_json named = nlohmann::ordered_json::array();
        for (const Prediction& one : place.best) {
            named.push_back({{"piece", printable(pieces.text(one.id))},
                             {"id", one.id},
                             {"probability", one.probability}});
        }
        all.push_back({{"token", place.position}, {"predictions", std::move(named)}});
    }
    return all.dump(2) + "\n";
}

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
    const std::string weights = arguments.d2l_roformer
                                    ? fmt::format("random, seed {}", arguments.seed.value_or(0))
                                    : std::string(arguments.model.empty() ? "demo" : "file");
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
    const std::optional<WordPieces> pieces = read_vocabulary(arguments);
    const EncoderInput input = read_encoder_input(arguments, pieces);
    const std::unique_ptr<Engine> engine = engine_from(options);
    EncoderFiles files = read_model(arguments);
    ForwardOptions forward;
    forward.rope = rope_options(arguments, files.config, input);
    forward.trace = trace_request(arguments, files.config.n_layers);
    if (arguments.predict) {
        require_predictable(*pieces, input.ids, files.config);
    }
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
    if (!arguments.output.empty()) {
        write_trace(arguments.output, trace, wanted_tensors(arguments),
                    metadata_of(arguments, files.config));
    }
    if (arguments.predict) {
        const auto say = options.format == "json" ? predictions_json : predictions_text;
        print(say(*pieces, input.ids, trace.logits));
    }
    return 0;
}

std::vector<Option> model_options(EncodeArguments& arguments) {
    return {
        {.names = "--model",
         .target = &arguments.model,
         .type = "DIR",
         .text = "Folder with config.json and model.safetensors: Hugging Face's RoFormer or the "
                 "RoFormer notebook's (default: the trained demo model)"},
        {.names = "--d2l-roformer",
         .target = &arguments.d2l_roformer,
         .text =
             "The configuration of the d2l RoFormer notebook (77.5 M parameters), random weights"},
        {.names = "--seed-config", .target = &arguments.d2l_roformer},  // its former name
        {.names = "--seed",
         .target = &arguments.seed,
         .type = "N",
         .text = "Seed of those weights (default 0)"},
    };
}

std::vector<Option> input_options(EncodeArguments& arguments) {
    return {
        {.names = "--ids",
         .target = &arguments.ids,
         .type = "FILE.npy",
         .text = "Token ids [L] or [batch, L], whole numbers"},
        {.names = "--text",
         .target = &arguments.text,
         .type = "TEXT",
         .text =
             "Text, cut into the pieces of the model's vocab.txt (lower-case WordPiece); [MASK] "
             "in it hides a piece"},
        {.names = "--mask",
         .target = &arguments.mask,
         .type = "FILE.npy",
         .text = "1 for a key that is seen, 0 for padding: [L], [batch, L] or [batch, L, L]; "
                 "float, integer or bool"},
        {.names = "--type-ids",
         .target = &arguments.type_ids,
         .type = "FILE.npy",
         .text = "Token types [L] or [batch, L]"},
        {.names = "--positions",
         .target = &arguments.positions,
         .type = "FILE.npy",
         .text = "Positions [L] or [batch, L] (default 0 ..)"},
    };
}

std::vector<Option> rope_options(EncodeArguments& arguments) {
    return {
        {.names = "--no-rope",
         .target = &arguments.no_rope,
         .text = "Leave queries and keys unrotated"},
        {.names = "--base",
         .target = &arguments.base,
         .type = "NUMBER",
         .text = "Another rope_theta than the model's"},
        {.names = "--layout",
         .target = &arguments.layout,
         .type = "half_split|interleaved",
         .text = "Other channel pairs than the model's interleaved"},
        {.names = "--scaling",
         .target = &arguments.scaling,
         .type = "JSON",
         .text = "A scaling method in the words of a config.json's rope_scaling, for example "
                 "'{\"rope_type\": \"linear\", \"factor\": 4}'"},
        {.names = "--table-dtype",
         .target = &arguments.table_dtype,
         .type = "fp32|bf16",
         .text = "Round cos and sin, as the RoFormer notebook does with bf16 (default fp32)",
         .choices = {"fp32", "bf16"}},
        {.names = "--shift",
         .target = &arguments.shift,
         .type = "N",
         .text = "Added to every position (default 0)"},
    };
}

std::vector<Option> output_options(EncodeArguments& arguments) {
    return {
        {.names = "--layers",
         .target = &arguments.layers,
         .type = "0,2-3",
         .text = "Layers of which scores, probs, q_rot and k_rot are kept (default all)"},
        {.names = "--tensors",
         .target = &arguments.tensors,
         .type = "logits,hidden,scores,probs,q_rot,k_rot",
         .text = "Tensors to keep (default all)"},
        {.names = "--predict",
         .target = &arguments.predict,
         .text = "Print the five likeliest pieces for each [MASK] in --text"},
        {.names = "-o,--output",
         .target = &arguments.output,
         .type = "TRACE.safetensors",
         .text = "The trace; needed unless --predict is given"},
    };
}

}  // namespace

Command encode_command(GlobalOptions& options) {
    auto arguments = std::make_shared<EncodeArguments>();
    std::vector<Option> own;
    for (const auto& part : {model_options(*arguments), input_options(*arguments),
                             rope_options(*arguments), output_options(*arguments)}) {
        own.insert(own.end(), part.begin(), part.end());
    }
    return {.name = "encode",
            .text = "Run a whole RoFormer and keep scores, probabilities, hidden states, logits",
            .options = std::move(own),
            .run = [arguments, &options] { return run(*arguments, options); },
            .footer = R"(Examples:
  ropescope encode --text "the [MASK] of a house" --predict
  ropescope encode --model roformer --ids ids.npy --mask mask.npy -o trace.safetensors
  ropescope encode --model roformer --text "rotate by position" -o trace.safetensors
  ropescope encode --d2l-roformer --ids ids.npy --table-dtype bf16 --shift 100 -o shifted.safetensors)"};
}

}  // namespace ropescope::cli
