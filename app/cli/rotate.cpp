// `ropescope rotate`: rotates a tensor in a file, by an embedding or by ready cos and sin tables.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/rotate_axes.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/tables/rope_table.h"
#include "core/formats/npy.h"
#include "core/formats/tensor.h"
#include "core/rope/table_rows.h"
#include "core/rope/tensor_view.h"

namespace ropescope::cli {
namespace {

struct RotateArguments {
    std::string input, output;
    std::string axes;
    std::optional<std::int64_t> heads;
    std::optional<std::string> layout;
    std::optional<double> base;
    std::optional<int> rotary_dim;
    std::optional<std::int64_t> seq_len;
    std::string dtype;
    std::string positions, config, cos, sin;
    std::string part, spec, position_axes, grid;
    std::optional<std::int64_t> layer;
    bool inverse = false;

    /// Options that describe an embedding in one axis, and tables of one.
    std::vector<std::string> one_axis_given() const {
        return names_given({{base.has_value(), "--base"},
                            {rotary_dim.has_value(), "--rotary-dim"},
                            {layout.has_value(), "--layout"},
                            {seq_len.has_value(), "--seq-len"},
                            {!cos.empty(), "--cos"},
                            {!sin.empty(), "--sin"}});
    }
    AxisArguments by_axes() const { return {part, spec, position_axes, grid, layer}; }
    bool tables_given() const { return !cos.empty() || !sin.empty(); }
};

/// Throws InputError, before any file is opened, for options that contradict each other and for a
/// name of the output that does not end in .npy.
void refuse_contradictions(const RotateArguments& arguments, const GlobalOptions& options) {
    if (!arguments.output.ends_with(".npy")) {
        throw InputError(fmt::format("-o: {} is written as NumPy's format; end the name in .npy",
                                     in_quotes(arguments.output)));
    }
    if (arguments.heads && *arguments.heads < 1) {
        throw InputError(
            fmt::format("--heads: {} heads; give a whole number from 1 on", *arguments.heads));
    }
    if (arguments.cos.empty() != arguments.sin.empty()) {
        throw InputError(fmt::format("rotate: {} without {}; ready tables come as a pair",
                                     arguments.cos.empty() ? "--sin" : "--cos",
                                     arguments.cos.empty() ? "--cos" : "--sin"));
    }
    if (arguments.tables_given() && (arguments.base || !arguments.config.empty())) {
        throw InputError(
            fmt::format("rotate: --cos and --sin replace the angles that {} describes; give one or "
                        "the other",
                        arguments.base ? "--base" : "--config"));
    }
    const std::vector<std::string> by_axes = arguments.by_axes().given();
    const std::vector<std::string> one_axis = arguments.one_axis_given();
    if (!by_axes.empty() && !one_axis.empty()) {
        throw InputError(fmt::format(
            "rotate: {} {} several axes; leave {} out", fmt::join(by_axes, " and "),
            by_axes.size() == 1 ? "describes" : "describe", fmt::join(one_axis, " and ")));
    }
    if (arguments.seq_len && arguments.config.empty()) {
        throw InputError(
            "--seq-len: without --config no frequency depends on the length; leave it out");
    }
    if (!options.scene_file.empty() || !options.settings.empty()) {
        throw InputError(
            "rotate: --scene and --set describe figures; give --base, --rotary-dim, --layout or "
            "--config");
    }
}

/// The embedding that --config and the other options describe, for heads of `head_dim` channels.
RopeSpec spec_from(const RotateArguments& arguments, const std::optional<RopeSpec>& of_model,
                   std::int64_t head_dim) {
    RopeSpec spec;
    if (!of_model) {
        spec.head_dim = spec.rotary_dim = static_cast<int>(std::min<std::int64_t>(
            head_dim, std::numeric_limits<int>::max()));  // validate() names what is too large
    } else {
        spec = *of_model;
        if (spec.head_dim != head_dim) {
            throw InputError(fmt::format("{}: head_dim {}, but {} has heads of {} channels",
                                         arguments.config, spec.head_dim, arguments.input,
                                         head_dim));
        }
    }
    spec.base = arguments.base.value_or(spec.base);
    spec.rotary_dim = arguments.rotary_dim.value_or(spec.rotary_dim);
    if (arguments.layout) {
        spec.layout = parse_layout(*arguments.layout);
    }
    validate(spec);
    return spec;
}

/// With --dtype bf16 a U16 array holds the bits of bf16.
Tensor as_values(Tensor tensor, const std::string& dtype) {
    const bool is_bits = !dtype.empty() && tensor.dtype == Dtype::u16;
    tensor.dtype = is_bits ? Dtype::bf16 : tensor.dtype;
    return tensor;
}

/// The length of the whole sequence: --seq-len, or up to the last position.
std::int64_t whole_length(const RotateArguments& arguments, std::int64_t reached) {
    const std::int64_t length = arguments.seq_len.value_or(reached);
    if (length < reached || length > kMaxSeqLen) {
        throw InputError(
            fmt::format("--seq-len: {} positions, and the tensor reaches position {}; "
                        "give {} to {}",
                        length, reached - 1, reached, kMaxSeqLen));
    }
    return length;
}

/// Refuses a file that cannot be positions of these tokens, before it is read. Files that are not
/// long are read and told in more words later.
void accept_positions(const RotateArguments& arguments, const TensorView<float>& x,
                      const TensorInfo& file) {
    constexpr Index kNotLong = 1 << 20, kMostOfAToken = 16;
    const Index count = file.bytes / static_cast<Index>(dtype_size(file.dtype));
    if (count > std::max(kNotLong, kMostOfAToken * x.batch * x.positions)) {
        throw InputError(fmt::format(
            "{}: shape {}; the tensor has {} x {} tokens, give a position for each, or one for "
            "each axis",
            arguments.positions, shape_text(file.shape), x.batch, x.positions));
    }
}

/// The files of --config and --positions.
ModelAndPositions read_files(const RotateArguments& arguments, const TensorView<float>& x) {
    ModelAndPositions read;
    if (!arguments.config.empty()) {
        read.model = open_model(arguments.config);
    }
    if (!arguments.positions.empty()) {
        read.positions = read_npy(arguments.positions, [&](const TensorInfo& file) {
            accept_positions(arguments, x, file);
        });
        read.positions->name = arguments.positions;  // messages call it so
    }
    return read;
}

/// Ids for a tensor of `count` positions.
PositionIds position_ids(const std::optional<Tensor>& tensor, std::int64_t count) {
    if (!tensor) {
        return {};
    }
    if (tensor->shape.empty()) {
        throw InputError(fmt::format(
            "{}: a single number; expected position ids [L] or [batch, L], or [1] for an "
            "offset",
            tensor->name));
    }
    return with_offset({to_i64(tensor->view()), tensor->shape, tensor->name}, count);
}

/// The part of --config as text in one axis, which is all axes at once if it turns in several.
std::optional<Part> as_text(const std::optional<Model>& model, const std::string& wanted) {
    if (!model) {
        return std::nullopt;
    }
    if (!model->text) {
        throw InputError(model->unread_text);
    }
    const Part& part = model->part(wanted);
    return part.spec ? part : part_of(model->text->rope, model->text->turns_backwards);
}

void rotate_by_spec(TensorView<float> x, const RotateArguments& arguments,
                    const ModelAndPositions& read, Engine& engine, RotateOptions rotation) {
    const std::optional<Part> part = as_text(read.model, arguments.part);
    RopeSpec spec = spec_from(arguments, part ? part->spec : std::nullopt, x.head_dim);
    const bool backwards = part && part->backwards;
    rotation.direction = backwards == arguments.inverse ? Direction::forward : Direction::inverse;
    const PositionIds ids = position_ids(read.positions, x.positions);
    spec.seq_len = whole_length(arguments, sequence_length(ids, x.positions));
    const Spectrum spectrum = make_spectrum(spec);
    RotationTable table;
    std::vector<std::int64_t> rows;
    if (ids.given()) {
        validate(ids, {x.batch, x.positions}, -kMaxPosition, kMaxPosition);
    }
    if (x.size() == 0) {
        return;  // a shape like [0, 131072, 4096] would ask for a table of gigabytes
    }
    if (ids.given()) {
        table = engine.table(spectrum, ids.values);
        rows = consecutive_rows(table.rows);
    } else {
        table = engine.table(spectrum, 0, x.positions);
    }
    rotation.layout = spec.layout;
    rotation.rows = rows;
    engine.rotate_in_place(x, table.view(), rotation);
}

/// A file of --cos or --sin for heads of head_dim channels, refused by its header if it cannot be
/// one.
Tensor read_table(const std::string& path, const std::string& dtype, Index head_dim) {
    return as_values(
        read_npy(path,
                 [&](const TensorInfo& file) {
                     validate_table_shape(file.shape, path, head_dim);
                     const Index size = static_cast<Index>(dtype_size(file.dtype));
                     if (file.bytes / size > diagnosis::kMostTableNumbers) {
                         throw InputError(fmt::format(
                             "{}: shape {}; a table of cos and sin has at most {} numbers", path,
                             shape_text(file.shape), diagnosis::kMostTableNumbers));
                     }
                 }),
        dtype);
}

void rotate_by_tables(TensorView<float> x, const RotateArguments& arguments,
                      const ModelAndPositions& read, Engine& engine, RotateOptions rotation) {
    const Tensor cos_file = read_table(arguments.cos, arguments.dtype, x.head_dim);
    const Tensor sin_file = read_table(arguments.sin, arguments.dtype, x.head_dim);
    const std::vector<float> cos = finite_f32(cos_file.view(), arguments.cos);
    const std::vector<float> sin = finite_f32(sin_file.view(), arguments.sin);
    const GivenTables given = {cos,           sin,          cos_file.shape, sin_file.shape,
                               arguments.cos, arguments.sin};
    const TableRows found = rows_of_given_tables(given, position_ids(read.positions, x.positions),
                                                 {x.batch, x.positions}, x.head_dim);
    if (arguments.rotary_dim && *arguments.rotary_dim != 2 * found.table.pairs) {
        throw InputError(fmt::format("--rotary-dim: {} differs from the tables' {} (2 x {} pairs)",
                                     *arguments.rotary_dim, 2 * found.table.pairs,
                                     found.table.pairs));
    }
    rotation.layout = arguments.layout ? parse_layout(*arguments.layout) : RopeSpec{}.layout;
    rotation.rows = found.rows;
    engine.rotate_in_place(x, found.table, rotation);
}

/// F16 and BF16 for input of that kind, BF16 as the input has it (V2 or U16), F32 for all others:
/// an F64 file would claim digits that fp32 does not have.
Tensor result_tensor(const Tensor& input, const std::vector<float>& values, Dtype stored) {
    if (input.dtype != Dtype::f16 && input.dtype != Dtype::bf16) {
        return make_tensor(input.name, input.shape, std::span<const float>(values));
    }
    const std::vector<double> wide(values.begin(), values.end());
    Tensor result = make_tensor_as(input.dtype, input.name, input.shape, wide);
    result.dtype = stored;
    return result;
}

/// The tensor to rotate, and the dtype in which its file has it.
struct Input {
    Tensor tensor;
    Dtype stored;
};

/// Throws InputError if --dtype does not fit.
Input read_input(const RotateArguments& arguments) {
    if (!arguments.dtype.empty() && arguments.dtype != "bf16") {
        throw InputError(
            fmt::format("--dtype: {} is not a meaning that U16 can have; bf16 is "
                        "expected",
                        in_quotes(arguments.dtype)));
    }
    Tensor input = read_npy(arguments.input);
    const Dtype stored = input.dtype;
    input = as_values(std::move(input), arguments.dtype);
    if (!arguments.dtype.empty() && input.dtype != Dtype::bf16) {
        throw InputError(
            fmt::format("--dtype: bf16 is what a U16 array can hold; {} is {}; leave "
                        "it out",
                        arguments.input, to_string(input.dtype)));
    }
    return {std::move(input), stored};
}

/// Whether the options may describe several axes: a config.json with nothing else does.
bool turns_in_axes(const RotateArguments& arguments) {
    return !arguments.by_axes().given().empty() ||
           (!arguments.config.empty() && arguments.one_axis_given().empty());
}

int run(const RotateArguments& arguments, const GlobalOptions& options) {
    refuse_contradictions(arguments, options);
    const std::unique_ptr<Engine> engine = engine_from(options);
    const auto [input, stored] = read_input(arguments);
    std::vector<float> values = finite_f32(input.view(), arguments.input);
    const AxisOrder order =
        arguments.axes.empty()
            ? default_axis_order(input.shape.size(), arguments.heads.value_or(0), arguments.input)
            : parse_axis_order(arguments.axes, arguments.heads.value_or(0));
    const TensorView<float> x = view_by_axes(values.data(), input.shape, order, arguments.input);
    RotateOptions rotation;
    rotation.direction = arguments.inverse ? Direction::inverse : Direction::forward;
    const ModelAndPositions read = read_files(arguments, x);
    std::optional<Part> of_axes;
    if (arguments.tables_given()) {
        rotate_by_tables(x, arguments, read, *engine, rotation);
    } else {
        if (turns_in_axes(arguments)) {
            of_axes = rotate_by_axes(x, read, arguments.by_axes(), *engine, rotation.direction);
        }
        if (!of_axes) {
            rotate_by_spec(x, arguments, read, *engine, rotation);
        }
    }
    write_npy(arguments.output, result_tensor(input, values, stored).view());
    if (of_axes) {
        tell_assumptions(of_axes->model, of_axes->assumptions);
    } else if (read.model) {
        tell_assumptions(*read.model->text);
    }
    return 0;
}

}  // namespace

Command rotate_command(GlobalOptions& options) {
    auto arguments = std::make_shared<RotateArguments>();
    return {
        .name = "rotate",
        .text = "Apply RoPE to a tensor (.npy in, .npy out)",
        .options =
            {
                {.names = "input",
                 .target = &arguments->input,
                 .type = "IN.npy",
                 .text = "Tensor [L, d], [H, L, d] or [B, H, L, d]; F16, BF16 (<V2), F32, F64",
                 .required = true},
                {.names = "-o,--output",
                 .target = &arguments->output,
                 .type = "OUT.npy",
                 .text = "Result: F16 or BF16 as the input, F32 otherwise",
                 .required = true},
                {.names = "--layout",
                 .target = &arguments->layout,
                 .type = "half_split|interleaved",
                 .text = "Which channels pair (default half_split)"},
                {.names = "--base",
                 .target = &arguments->base,
                 .type = "NUMBER",
                 .text = "rope_theta (default 10000)"},
                {.names = "--rotary-dim",
                 .target = &arguments->rotary_dim,
                 .type = "N",
                 .text = "Leading channels that rotate (default: all of a head)"},
                {.names = "--positions",
                 .target = &arguments->positions,
                 .type = "FILE.npy",
                 .text =
                     "Integer positions [L] or [B, L], or [1] for that of the first token (default "
                     "0 ..); for "
                     "several axes numbers [axes, L] or [axes, B, L]"},
                {.names = "--part",
                 .target = &arguments->part,
                 .type = "text|vision",
                 .text = "The part of the model of --config that turns x (default text)"},
                {.names = "--grid",
                 .target = &arguments->grid,
                 .type = "4x6|3x4x6|..",
                 .text =
                     "Patches of images: rows x columns, or frames x rows x columns; positions as "
                     "the model makes them"},
                {.names = "--position-axes",
                 .target = &arguments->position_axes,
                 .type = "al|la|abl|..",
                 .text =
                     "Order of --positions for several axes: a (axis), b (batch), l (default al, "
                     "abl)"},
                {.names = "--spec",
                 .target = &arguments->spec,
                 .type = "FILE.safetensors",
                 .text = "Frequencies omega [pairs, axes] and channels pairs [pairs, 2], or the "
                         "learned freqs of a mixed model (RoPE-ViT, timm)"},
                {.names = "--layer",
                 .target = &arguments->layer,
                 .type = "N",
                 .text = "Layer of learned frequencies (default 0)"},
                {.names = "--config",
                 .target = &arguments->config,
                 .type = "FILE|NAME",
                 .text = "Hugging Face config.json, or that of another model, which says how x "
                         "turns; or a "
                         "published model (llama-3-8b, qwen2-vl-7b)"},
                {.names = "--seq-len",
                 .target = &arguments->seq_len,
                 .type = "N",
                 .text =
                     "Length of the whole sequence, which dynamic and LongRoPE scaling of --config "
                     "look at (default: up to the last position here, so that the first part of a "
                     "long prompt turns as a short one)"},
                {.names = "--dtype",
                 .target = &arguments->dtype,
                 .type = "bf16",
                 .text = "What a U16 array holds: the bits of bf16"},
                {.names = "--cos",
                 .target = &arguments->cos,
                 .type = "FILE.npy",
                 .text = "Ready table [max_position, rotary_dim/2] or [B, L, rotary_dim/2]"},
                {.names = "--sin",
                 .target = &arguments->sin,
                 .type = "FILE.npy",
                 .text = "Its sine"},
                {.names = "--axes",
                 .target = &arguments->axes,
                 .type = "bhld|blhd|lhd|...",
                 .text = "Order of the input's axes (default ld, hld, bhld)"},
                {.names = "--heads",
                 .target = &arguments->heads,
                 .type = "N",
                 .text = "Heads side by side in the last axis: [B, L, heads * d]"},
                {.names = "--inverse", .target = &arguments->inverse, .text = "Rotate back"},
            },
        .run = [arguments, &options] { return run(*arguments, options); },
        .reads = {"--scene", "--set", "--engine", "--device"},
        .footer = R"(Examples:
  ropescope rotate q.npy -o q_rot.npy --base 500000
  ropescope rotate q.npy -o q_rot.npy --config config.json --positions ids.npy
  ropescope rotate q.npy -o q_rot.npy --config config.json --seq-len 32768
  ropescope rotate x.npy -o y.npy --config config.json --part vision --grid 4x6
  ropescope rotate x.npy -o y.npy --heads 32 --cos cos.npy --sin sin.npy)"};
}

}  // namespace ropescope::cli
