// Finds out which axis of a dump's tensors counts heads and which counts tokens.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/measure/turns.h"
#include "core/diagnosis/read_dump.h"
#include "core/rope/tensor_view.h"

namespace ropescope::diagnosis {
namespace {

std::vector<std::string> possible_axes(std::size_t rank) {
    switch (rank) {
        case 2:
            return {"ld"};
        case 3:
            return {"hld", "lhd"};
        default:
            return {"bhld", "blhd", "lbhd"};
    }
}

std::int64_t size_of(const TensorBytes& tensor, const std::string& axes, char letter) {
    const std::size_t place = axes.find(letter);
    return place == axes.npos ? 1 : tensor.shape[place];
}

/// By the length of the positions.
std::string by_positions(const std::vector<std::string>& possible, const TensorBytes& tensor,
                         std::span<const std::int64_t> position_shape) {
    std::string found;
    for (const std::string& axes : possible) {
        const std::int64_t length = size_of(tensor, axes, 'l');
        if (!position_shape.empty() && position_shape.back() == length) {
            if (!found.empty()) {
                return "";
            }
            found = axes;
        }
    }
    return found;
}

/// By heads of which k has fewer than q, or tokens of which it has more.
std::string by_heads(const std::vector<std::string>& possible, const TensorBytes& q,
                     const TensorBytes& k) {
    std::string found;
    for (const std::string& axes : possible) {
        const std::int64_t heads_q = size_of(q, axes, 'h'), heads_k = size_of(k, axes, 'h');
        const std::int64_t length_q = size_of(q, axes, 'l'), length_k = size_of(k, axes, 'l');
        const bool grouped = heads_q > heads_k && heads_q % heads_k == 0 && length_q == length_k;
        const bool cached = heads_q == heads_k && length_q < length_k;
        if (grouped || cached) {
            if (!found.empty()) {
                return "";
            }
            found = axes;
        }
    }
    return found;
}

/// One sequence of some heads and tokens, which is enough to see what turns alike.
DumpSide some_of(const UnplacedSide& side, const std::string& axes) {
    DumpSide part{placed(side.before, axes), placed(side.after, axes)};
    for (DumpTensor* tensor : {&part.before, &part.after}) {
        tensor->batch = 1;
        tensor->heads = std::min<Index>(tensor->heads, 8);
        tensor->length = std::min<Index>(tensor->length, 64);
    }
    return part;
}

bool turn_alike(const Turns& turns) {
    return turns.torn_token < 0;
}

/// By the angles, which heads share and tokens do not. A part of the tensors is enough.
std::string by_angles(const std::vector<std::string>& possible, const UnplacedSide& side) {
    std::string found;
    for (const std::string& axes : possible) {
        const DumpSide part = some_of(side, axes);
        const FloatFormat format = side.format_behind(part.after);
        const Pairing pairing = find_pairing(part, format);
        if (pairing.kind != PairingKind::found || part.before.heads < 2) {
            return "";
        }
        if (turn_alike(recover_turns(part, pairing, format))) {
            if (!found.empty()) {
                return "";
            }
            found = axes;
        }
    }
    return found;
}

/// Whether the first axis of four may count the tokens: no shorter one is taken for them.
bool first_is_longest(const std::vector<std::int64_t>& shape) {
    return shape.size() == 4 && shape[0] > std::max(shape[1], shape[2]);
}

/// Whether positions are [rows, 1] and the tensor [rows, 1, 1, channels]: one step of several
/// sequences, whose angles change along the first axis as those of neighbours do.
bool states_rows_of_one_token(const std::vector<std::int64_t>& shape,
                              std::span<const std::int64_t> positions) {
    return shape.size() == 4 && shape[1] == 1 && shape[2] == 1 && positions.size() == 2 &&
           positions[0] == shape[0] && positions[1] == 1;
}

/// Whether the first axis of four counts the tokens, as in Megatron: it is the longest, the angles
/// change along it, and they do not along the two behind it.
bool turns_along_first(const UnplacedSide& side) {
    const std::vector<std::int64_t>& shape = side.before.shape;
    if (!first_is_longest(shape)) {
        return false;
    }
    const DumpSide first = some_of(side, "lbhd");
    const FloatFormat format = side.format_behind(first.after);
    const Pairing pairing = find_pairing(first, format);
    if (pairing.kind != PairingKind::found) {
        return false;
    }
    // Seen as heads, the entries of an axis along which nothing turns agree.
    const auto agrees_along_tokens = [&](DumpSide part) {
        for (DumpTensor* tensor : {&part.before, &part.after}) {
            tensor->heads = tensor->length;
            tensor->head_stride = tensor->position_stride;
            tensor->length = 1;
        }
        return turn_alike(recover_turns(part, pairing, format));
    };
    return turn_alike(recover_turns(first, pairing, format)) && !agrees_along_tokens(first) &&
           agrees_along_tokens(some_of(side, "blhd"));
}

/// The rows before the rotation with the lengths that they have behind it.
ChangedTensor with_lengths_behind(const DumpSide& side) {
    const auto length_of = [](std::span<const double> row) {
        double squares = 0.0;
        for (const double x : row) {
            squares += x * x;
        }
        return std::sqrt(squares);
    };
    return changed(side.before, Dtype::f64, [&](Index b, Index h, Index l, std::span<double> row) {
        std::vector<double> behind(row.size());
        side.after.read(b, h, l, behind);
        const double length = length_of(row);
        const double share = length > 0.0 ? length_of(behind) / length : 1.0;
        for (double& x : row) {
            x *= share;
        }
    });
}

}  // namespace

FloatFormat UnplacedSide::format_behind(const DumpTensor& placed) const {
    return grid_after ? format_of_grid(grid_after->quantised) : effective_format(placed);
}

DumpTensor placed(const TensorBytes& tensor, const std::string& axes) {
    DumpTensor view{.name = tensor.name, .dtype = tensor.dtype, .data = tensor.bytes.data()};
    view.channels = tensor.shape.back();
    Index stride = view.channels;
    for (std::size_t axis = axes.size() - 1; axis-- > 0;) {
        const Index size = tensor.shape[axis];
        switch (axes[axis]) {
            case 'b':
                view.batch = size;
                view.batch_stride = stride;
                break;
            case 'h':
                view.heads = size;
                view.head_stride = stride;
                break;
            default:
                view.length = size;
                view.position_stride = stride;
        }
        stride *= size;
    }
    return view;
}

namespace {

/// Whether the channels of a head pair, and turn alike in every head.
bool turns_well(const UnplacedSide& side, const std::string& axes, bool normed) {
    DumpSide part = some_of(side, axes);
    const ChangedTensor scaled = normed ? with_lengths_behind(part) : ChangedTensor();
    part.before = normed ? scaled.view : part.before;
    const FloatFormat format = side.format_behind(part.after);
    const Pairing pairing = find_pairing(part, format);
    return pairing.kind == PairingKind::found && turn_alike(recover_turns(part, pairing, format));
}

}  // namespace

bool turns_as_one_head(const UnplacedSide& side, bool normed) {
    return std::ranges::any_of(
        possible_axes(side.before.shape.size()),
        [&](const std::string& axes) { return turns_well(side, axes, normed); });
}

Index heads_side_by_side(const UnplacedSide& side, std::int64_t channels_of_both, bool normed) {
    constexpr std::int64_t kSmallest = 16, kFewest = 128;
    const std::vector<std::int64_t>& whole = side.before.shape;
    const std::int64_t channels = whole.back();
    const bool has_batch = whole.size() == 3;
    if ((whole.size() != 2 && !has_batch) || channels < kFewest) {
        return 0;
    }
    for (std::int64_t size = kSmallest; size < channels; size += 2) {
        if (channels_of_both % size != 0) {
            continue;
        }
        UnplacedSide split = side;
        for (TensorBytes* tensor : {&split.before, &split.after}) {
            tensor->shape.back() = channels / size;
            tensor->shape.push_back(size);
        }
        if (turns_well(split, has_batch ? "blhd" : "lhd", normed)) {
            return size;
        }
    }
    return 0;
}

FoundAxes find_axes(const std::string& asked, const UnplacedSide* q, const UnplacedSide* k,
                    std::span<const std::int64_t> position_shape, const std::string& origin) {
    const TensorBytes& tensor = (q != nullptr ? q : k)->before;
    const std::size_t rank = tensor.shape.size();
    if (!asked.empty()) {
        const AxisOrder order = parse_axis_order(asked, 0);
        if (order.axes.size() != rank) {
            throw InputError(fmt::format("{}: tensor {} has {} axes, and --axes names {}", origin,
                                         in_quotes(tensor.name), rank, asked.size()));
        }
        return {asked, ""};
    }
    std::vector<std::string> possible = possible_axes(rank);
    if (possible.size() == 1) {
        return {possible.front(), ""};
    }
    if (!first_is_longest(tensor.shape)) {
        std::erase(possible, "lbhd");
    }
    if (std::string found = by_positions(possible, tensor, position_shape); !found.empty()) {
        return {found, "the length of positions"};
    }
    if (states_rows_of_one_token(tensor.shape, position_shape)) {
        return {"bhld", "the shape of positions"};
    }
    const UnplacedSide& either = q != nullptr ? *q : *k;
    if (turns_along_first(either)) {
        return {"lbhd", "the angles, which change along the first axis", true};
    }
    std::erase(possible, "lbhd");  // tokens before the batch are known by angles or positions alone
    if (q != nullptr && k != nullptr) {
        if (std::string found = by_heads(possible, q->before, k->before); !found.empty()) {
            return {found, "the heads of q and k"};
        }
    }
    if (std::string found = by_angles(possible, either); !found.empty()) {
        return {found, "the angles, which heads share", true};
    }
    return {possible.front(), "assumed; give axes for another order"};
}

}  // namespace ropescope::diagnosis
