// Reads the model and the tokens of `ropescope encode`.
#include "app/cli/encode_input.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/parse_list.h"
#include "core/demo/demo_models.h"
#include "core/encoder/trace.h"
#include "core/formats/json_object.h"
#include "core/formats/npy.h"
#include "core/formats/rope_scaling.h"
#include "core/scaling/method.h"

namespace ropescope::cli {
namespace {

[[noreturn]] void fail(const std::string& what) {
    throw InputError("encode: " + what);
}

/// Whole numbers [L] or [batch, L], returned as [batch, L]; of no more rows than the tokens, if
/// they are known.
Tensor read_rows(const std::string& path, const char* what,
                 std::optional<SequenceShape> tokens = {}) {
    Tensor tensor = read_npy(path, [&](const TensorInfo& file) {
        const std::size_t rank = file.shape.size();
        if (rank == 2 && tokens && file.shape[0] > tokens->batch) {
            throw InputError(fmt::format("{}: shape {}; the tokens' [{}, {}] is expected",
                                         printable(path), shape_text(file.shape), tokens->batch,
                                         tokens->positions));
        }
        if (rank < 1 || rank > 2 || file.shape.back() > kMaxPosition + 1) {
            throw InputError(fmt::format(
                "{}: shape {}; {} are [positions] or [batch, positions], of at most {} positions",
                printable(path), shape_text(file.shape), what, kMaxPosition + 1));
        }
    });
    if (tensor.shape.size() == 1) {
        tensor.shape.insert(tensor.shape.begin(), 1);
    }
    tensor.name = path;
    return tensor;
}

/// The first and the last layer of "3" or "1-3".
std::pair<std::int64_t, std::int64_t> parse_range(std::string_view text, std::int64_t n_layers) {
    const std::vector<std::string_view> ends = split(text, '-');
    if (const std::string wrong = misread(ends); !wrong.empty()) {
        throw InputError("--layers: " + wrong);
    }
    const auto first = parse_number<std::int64_t>(ends.front());
    const auto last = parse_number<std::int64_t>(ends.back());
    if (ends.size() > 2 || !first || !last || *last < *first || *last >= n_layers) {
        throw InputError(
            fmt::format("--layers: {} is not a layer or range within the model's 0 .. {}; give "
                        "for example 0,2-3",
                        in_quotes(text), n_layers - 1));
    }
    return {*first, *last};
}

/// The method in --scaling. Tells on standard error what the JSON left open.
Scaling parse_scaling(const std::string& json, const RopeSpec& spec, std::int64_t max_positions) {
    constexpr const char* kPlace = "--scaling";
    const nlohmann::json parsed = parse_json_object(json, kPlace);
    ScalingSurroundings around;
    around.max_positions = max_positions;
    std::vector<std::string> assumptions;
    const Scaling scaling = read_scaling(ConfigObject(parsed, kPlace), around, assumptions);
    validate(scaling, frequency_input(spec), kPlace);
    tell_assumptions(kPlace, assumptions);
    return scaling;
}

}  // namespace

void refuse_contradictions(const EncodeArguments& arguments) {
    if (!arguments.model.empty() && arguments.d2l_roformer) {
        fail("--model and --d2l-roformer are two models; give one");
    }
    if (arguments.seed && !arguments.d2l_roformer) {
        fail("--seed draws the weights of --d2l-roformer; leave it out with other models");
    }
    if (arguments.ids.empty() != arguments.text.has_value()) {
        fail(arguments.text ? "--ids and --text are two inputs; give one"
                            : "no tokens; give --ids FILE.npy or --text TEXT");
    }
    if (arguments.text && arguments.d2l_roformer) {
        fail(
            "--text needs the vocabulary of a model; --d2l-roformer has none, give --ids "
            "FILE.npy");
    }
    if (arguments.predict && !arguments.text) {
        fail("--predict names words of a text; give --text TEXT with [MASK] in it");
    }
    if (arguments.output.empty() && !arguments.predict) {
        fail("no output; give -o TRACE.safetensors, or --predict");
    }
    if (arguments.no_rope && (arguments.base || arguments.layout || arguments.scaling ||
                              arguments.shift != 0 || arguments.table_dtype != "fp32")) {
        fail(
            "--no-rope leaves nothing for --base, --layout, --scaling, --table-dtype and --shift "
            "to change; leave one or the other out");
    }
    wanted_tensors(arguments);
}

std::optional<WordPieces> read_vocabulary(const EncodeArguments& arguments) {
    if (!arguments.text) {
        return std::nullopt;
    }
    if (arguments.model.empty()) {
        return demo::demo_vocabulary();
    }
    const std::filesystem::path file = std::filesystem::path(arguments.model) / "vocab.txt";
    if (path_kind(file) == PathKind::nothing) {
        throw InputError(
            fmt::format("--text: {} does not exist; put the model's vocabulary there (one word "
                        "piece a line), or "
                        "give token ids with --ids FILE.npy",
                        printable(file.string())));
    }
    return WordPieces::read(file);
}

EncoderFiles read_model(const EncodeArguments& arguments) {
    if (arguments.model.empty() && !arguments.d2l_roformer) {
        return demo::demo_model(demo::DemoModel::rope);
    }
    if (arguments.d2l_roformer) {
        const EncoderConfig config;
        return {config, random_weights(config, arguments.seed.value_or(0))};
    }
    if (path_kind(arguments.model) != PathKind::folder) {
        refuse_pickle(arguments.model);
        throw InputError(
            fmt::format("--model: {} is not a folder; give one with config.json and "
                        "model.safetensors",
                        in_quotes(arguments.model)));
    }
    return open_encoder(arguments.model);
}

EncoderInput read_encoder_input(const EncodeArguments& arguments,
                                const std::optional<WordPieces>& pieces) {
    EncoderInput input;
    if (pieces) {
        input.ids = pieces->encode(*arguments.text, SpecialPieces::as_pieces);
        input.shape = {1, std::ssize(input.ids)};
    } else {
        const Tensor ids = read_rows(arguments.ids, "token ids");
        input.ids = to_i64(ids.view());
        input.shape = {ids.shape[0], ids.shape[1]};
    }
    if (!arguments.mask.empty()) {
        const auto& [batch, positions] = input.shape;
        const Tensor keep = read_npy(arguments.mask, [&](const TensorInfo& file) {
            queries_of_mask(file.shape, input.shape.batch, input.shape.positions, arguments.mask);
        });
        input.mask = make_attention_mask(keep.view(), batch, positions, arguments.mask);
    }
    if (!arguments.type_ids.empty()) {
        const Tensor types = read_rows(arguments.type_ids, "type ids", input.shape);
        if (types.shape != std::vector{input.shape.batch, input.shape.positions}) {
            throw InputError(fmt::format("{}: shape {}; the tokens' [{}, {}] is expected",
                                         printable(arguments.type_ids), shape_text(types.shape),
                                         input.shape.batch, input.shape.positions));
        }
        input.type_ids = to_i64(types.view());
    }
    if (!arguments.positions.empty()) {
        const Tensor positions = read_rows(arguments.positions, "positions", input.shape);
        input.positions = {to_i64(positions.view()), positions.shape, arguments.positions};
    }
    return input;
}

EncoderRope rope_options(const EncodeArguments& arguments, const EncoderConfig& config,
                         const EncoderInput& input) {
    EncoderRope rope;
    rope.enabled = !arguments.no_rope;
    rope.base = arguments.base;
    if (arguments.layout) {
        rope.layout = parse_layout(*arguments.layout);
    }
    rope.table_dtype = enum_value<NumberFormat>(arguments.table_dtype).value();
    rope.shift = arguments.shift;
    if (arguments.scaling) {
        RopeSpec spec = config.rope();
        spec.base = arguments.base.value_or(spec.base);
        spec.scaling = parse_scaling(*arguments.scaling, spec, config.max_positions);
        spec.seq_len = sequence_length(input.positions, input.shape.positions, arguments.shift);
        rope.spectrum = make_spectrum(spec);
    }
    return rope;
}

std::set<std::string> wanted_tensors(const EncodeArguments& arguments) {
    const std::vector<std::string>& known = trace_tensor_names();
    if (arguments.tensors.empty()) {
        return {known.begin(), known.end()};
    }
    std::set<std::string> wanted;
    for (const std::string_view name : split_list(arguments.tensors)) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw InputError(fmt::format("--tensors: {} is not one of {}{}", in_quotes(name),
                                         fmt::join(known, ", "), did_you_mean(name, known)));
        }
        wanted.emplace(name);
    }
    return wanted;
}

TraceRequest trace_request(const EncodeArguments& arguments, std::int64_t n_layers) {
    const std::set<std::string> wanted = wanted_tensors(arguments);
    TraceRequest request;
    request.q_and_k = wanted.contains("q_rot") || wanted.contains("k_rot");
    request.scores = wanted.contains("scores");
    request.probs = wanted.contains("probs");
    request.hidden = wanted.contains("hidden");
    request.logits = wanted.contains("logits") || arguments.predict;
    if (arguments.layers.empty()) {
        return request;
    }
    for (const std::string_view part : split_list(arguments.layers)) {
        const auto [first, last] = parse_range(part, n_layers);
        for (std::int64_t layer = first; layer <= last; ++layer) {
            request.layers.push_back(layer);
        }
    }
    return request;
}

}  // namespace ropescope::cli
