// Checks a tensor and its positions, and turns it: in its own memory or through a buffer in fp32.
#include "library/rotate_tensor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/base/number_format.h"
#include "core/base/parallel.h"
#include "library/lent_tensor.h"

namespace ropescope {
namespace {

enum Axis { kBatch, kHeads, kPositions, kChannels };
constexpr std::array<const char*, 4> kAxisNames = {"batch", "heads", "positions", "head_dim"};

/// Elements of a buffer in fp32: 256 KiB, which stay in the cache of a core.
constexpr Index kBufferElements = 1 << 16;

Index tokens_of(const TensorMemory& x) {
    return x.shape[kBatch] * x.shape[kPositions];
}

bool is_empty(const TensorMemory& x) {
    return std::ranges::any_of(x.shape, [](Index size) { return size == 0; });
}

/// Throws InputError unless every element has memory of its own: from the smallest stride on, an
/// axis steps over all that the axes before it reach, and all lie in memory that there can be.
void refuse_shared_memory(const TensorMemory& x) {
    std::array<int, 4> order = {kBatch, kHeads, kPositions, kChannels};
    std::ranges::sort(order, {}, [&](int axis) { return x.stride[axis]; });
    Index reach = 0;  // of the largest element so far
    for (const int axis : order) {
        if (x.shape[axis] == 1) {
            continue;
        }
        Index span = 0;
        if (x.stride[axis] < 0) {
            throw InputError(fmt::format(
                "x: stride {} of the axis {}; one above 0 is expected, give a copy of the tensor",
                x.stride[axis], kAxisNames[axis]));
        }
        if (x.stride[axis] <= reach) {
            throw InputError(fmt::format(
                "x: stride {} of the axis {} makes elements share memory; give a tensor "
                "whose elements have memory of their own, for example a copy",
                x.stride[axis], kAxisNames[axis]));
        }
        if (__builtin_mul_overflow(x.shape[axis] - 1, x.stride[axis], &span) ||
            __builtin_add_overflow(reach, span, &reach) ||
            reach >= kMostBytesReached / static_cast<Index>(dtype_size(x.dtype))) {
            throw InputError(
                fmt::format("x: shape [{}] with strides [{}] is larger than memory can be",
                            fmt::join(x.shape, ", "), fmt::join(x.stride, ", ")));
        }
    }
}

void validate(const TensorMemory& x, const RotaryScheme& scheme) {
    if (x.dtype != Dtype::f32 && x.dtype != Dtype::f16 && x.dtype != Dtype::bf16) {
        throw InputError(
            fmt::format("x: dtype {}; F32, F16 or BF16 is expected", to_string(x.dtype)));
    }
    for (int axis = kBatch; axis <= kChannels; ++axis) {
        if (x.shape[axis] < 0) {
            throw InputError(fmt::format("x: size {} of the axis {}; give 0 or more", x.shape[axis],
                                         kAxisNames[axis]));
        }
    }
    if (x.shape[kChannels] != scheme.head_dim) {
        throw InputError(fmt::format("x: heads of {} channels, and the model's have {}",
                                     x.shape[kChannels], scheme.head_dim));
    }
    if (scheme.heads.size() > 1 && std::ssize(scheme.heads) != x.shape[kHeads]) {
        throw InputError(fmt::format(
            "x: {} heads, and each of the model's {} heads turns at its own speed; give "
            "all of them",
            x.shape[kHeads], scheme.heads.size()));
    }
    if (is_empty(x)) {
        return;
    }
    if (x.data == nullptr) {
        throw InputError("x: data is null; give the memory of the tensor");
    }
    if (reinterpret_cast<std::uintptr_t>(x.data) % dtype_size(x.dtype) != 0) {
        throw InputError(fmt::format(
            "x: its data do not begin at a multiple of the {} bytes of an element; give a copy",
            dtype_size(x.dtype)));
    }
    if (x.stride[kChannels] != 1) {
        throw InputError(
            fmt::format("x: stride {} of the channels; they must lie side by side, give "
                        "a tensor whose last axis is dense",
                        x.stride[kChannels]));
    }
    refuse_shared_memory(x);
}

/// The table of all positions, and the row of each token.
struct TensorTable {
    RotationTable table;
    std::vector<Index> rows;  ///< [positions], or [batch, positions]
    Index rows_per_head = 0;
};

TensorTable table_for(const RotaryScheme& scheme, const TensorMemory& x, TensorPositions positions,
                      int threads) {
    const Index axes = std::ssize(scheme.axes), length = x.shape[kPositions];
    std::vector<double> counted;
    if (positions.empty()) {
        if (axes != 1) {
            throw InputError(
                fmt::format("positions: none are given, and the model turns in {} axes "
                            "({}); give [axes, positions] numbers",
                            axes, fmt::join(scheme.axes, ", ")));
        }
        for (Index l = 0; l < length; ++l) {
            counted.push_back(static_cast<double>(l));
        }
        positions = counted;
    }
    const Index given = std::ssize(positions);
    if (given != axes * length && given != axes * tokens_of(x)) {
        throw InputError(
            fmt::format("positions: {} numbers; [{}, {}] for all batches or [{}, {}, {}] "
                        "are expected",
                        given, axes, length, axes, x.shape[kBatch], length));
    }
    const AxisPositions view{positions, axes};
    ropescope::validate(view, axes);
    TensorTable made;
    made.table = make_rotation_table(scheme, view, threads);
    for (Index row = 0; row < view.tokens(); ++row) {
        made.rows.push_back(row);
    }
    made.rows_per_head = scheme.heads.size() > 1 ? view.tokens() : 0;
    return made;
}

RotateOptions options_for(const RotaryScheme& scheme, const TensorTable& turns,
                          std::span<const Index> rows, Direction direction) {
    RotateOptions options = rotate_options(scheme, rows);
    options.rows_per_head = turns.rows_per_head;
    options.direction = direction;
    return options;
}

/// How 16 bits become fp32 and back.
struct Half {
    float (*read)(std::uint16_t bits);
    std::uint16_t (*round)(float value);
};

/// Turns positions first .. first + count - 1 of batch b through a buffer in fp32.
void rotate_rounded(const TensorMemory& x, const Half& half, const RotaryScheme& scheme,
                    const TensorTable& turns, Direction direction, Index b, Index first,
                    Index count) {
    const Index heads = x.shape[kHeads], channels = x.shape[kChannels];
    std::vector<float> buffer(static_cast<std::size_t>(heads * count * channels));
    auto* const bits = static_cast<std::uint16_t*>(x.data);
    const auto row_of = [&](Index h, Index l) {
        return bits + b * x.stride[kBatch] + h * x.stride[kHeads] +
               (first + l) * x.stride[kPositions];
    };
    const TensorView<float> view = bhld_view(buffer.data(), 1, heads, count, channels);
    for (Index h = 0; h < heads; ++h) {
        for (Index l = 0; l < count; ++l) {
            std::transform(row_of(h, l), row_of(h, l) + channels, view.row(0, h, l), half.read);
        }
    }
    const Index length = x.shape[kPositions];
    const Index start = std::ssize(turns.rows) == length ? first : b * length + first;
    RotateOptions options =
        options_for(scheme, turns, std::span(turns.rows).subspan(start, count), direction);
    options.threads = 1;
    rotate_in_place(view, turns.table.view(), options);
    for (Index h = 0; h < heads; ++h) {
        for (Index l = 0; l < count; ++l) {
            std::transform(view.row(0, h, l), view.row(0, h, l) + channels, row_of(h, l),
                           half.round);
        }
    }
}

void rotate_halves(const TensorMemory& x, const RotaryScheme& scheme, const TensorTable& turns,
                   Direction direction, int threads) {
    const Half half = x.dtype == Dtype::f16 ? Half{f32_from_f16, f16_from_f32}
                                            : Half{f32_from_bf16, bf16_from_f32};
    const Index length = x.shape[kPositions];
    const Index each =
        std::clamp<Index>(kBufferElements / (x.shape[kHeads] * x.shape[kChannels]), 1, length);
    const Index blocks = (length + each - 1) / each;
    parallel_for(x.shape[kBatch] * blocks, 1, threads, [&](Index begin, Index end) {
        for (Index block = begin; block < end; ++block) {
            const Index first = block % blocks * each;
            rotate_rounded(x, half, scheme, turns, direction, block / blocks, first,
                           std::min(each, length - first));
        }
    });
}

}  // namespace

void rotate_tensor(const RotaryScheme& scheme, const TensorMemory& x, TensorPositions positions,
                   Direction direction, int threads) {
    validate(x, scheme);
    if (is_empty(x)) {
        return;
    }
    threads = threads > 0 ? threads : default_threads();
    const TensorTable turns = table_for(scheme, x, positions, threads);
    if (x.dtype != Dtype::f32) {
        rotate_halves(x, scheme, turns, direction, threads);
        return;
    }
    RotateOptions options = options_for(scheme, turns, turns.rows, direction);
    options.threads = threads;
    rotate_in_place({static_cast<float*>(x.data), x.shape[0], x.shape[1], x.shape[2], x.shape[3],
                     x.stride[0], x.stride[1], x.stride[2]},
                    turns.table.view(), options);
}

// Chooses a part by its name, a type of its layers and a length.

namespace {

/// The rotary embedding of the layers of that type.
const Part& part_of_layers(const Model& model, const std::string& layer_type) {
    std::vector<std::string> types;
    for (const Part& part : model.parts) {
        if (!part.layer_type.empty()) {
            types.push_back(part.layer_type);
        }
    }
    if (types.empty()) {
        throw InputError(
            fmt::format("layer_type: {}, and all layers of {} turn alike; leave it out",
                        in_quotes(layer_type), printable(model.name)));
    }
    return element_named(model.parts, &Part::layer_type, layer_type, [&](const std::string&) {
        return fmt::format("layer_type: {} is not one of {}; give {}", in_quotes(layer_type),
                           printable(model.name), fmt::join(types, " or "));
    });
}

}  // namespace

Part chosen_part(const Model& model, const EmbeddingChoice& choice) {
    const Part& part = model.part(choice.part);
    if (!part.spec && !choice.layer_type.empty()) {
        throw InputError(
            fmt::format("layer_type: {}, and all layers of a model in several axes turn alike; "
                        "leave it out",
                        in_quotes(choice.layer_type)));
    }
    if (part.spec && (choice.seq_len < 0 || choice.seq_len > kMaxSeqLen)) {
        throw InputError(fmt::format("seq_len: {}; give 0 to {}", choice.seq_len, kMaxSeqLen));
    }
    return (choice.layer_type.empty() ? part : part_of_layers(model, choice.layer_type))
        .at_length(choice.seq_len);
}

}  // namespace ropescope
