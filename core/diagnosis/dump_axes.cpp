// Finds out which axis of a dump's tensors counts heads and which counts tokens.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/diagnosis/pairing.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/turns.h"
#include "core/rope/axes.h"

namespace ropescope::diagnosis {
namespace {

std::vector<std::string> possible_axes(std::size_t rank) {
    switch (rank) {
        case 2:
            return {"ld"};
        case 3:
            return {"hld", "lhd"};
        default:
            return {"bhld", "blhd"};
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

/// By the angles, which heads share and tokens do not. A part of the tensors is enough.
std::string by_angles(const std::vector<std::string>& possible, const UnplacedSide& side) {
    std::string found;
    for (const std::string& axes : possible) {
        DumpSide part{placed(side.before, axes), placed(side.after, axes)};
        for (DumpTensor* tensor : {&part.before, &part.after}) {
            tensor->batch = 1;
            tensor->heads = std::min<Index>(tensor->heads, 8);
            tensor->length = std::min<Index>(tensor->length, 64);
        }
        const FloatFormat format = effective_format(part.after);
        const Pairing pairing = find_pairing(part, format);
        if (pairing.kind != PairingKind::found || part.before.heads < 2) {
            return "";
        }
        const Turns turns = recover_turns(part, pairing, format);
        if (std::ranges::all_of(turns.misfit, [](double misfit) { return misfit < 2.0; })) {
            if (!found.empty()) {
                return "";
            }
            found = axes;
        }
    }
    return found;
}

}  // namespace

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
    const std::vector<std::string> possible = possible_axes(rank);
    if (possible.size() == 1) {
        return {possible.front(), ""};
    }
    if (std::string found = by_positions(possible, tensor, position_shape); !found.empty()) {
        return {found, "the length of positions"};
    }
    if (q != nullptr && k != nullptr) {
        if (std::string found = by_heads(possible, q->before, k->before); !found.empty()) {
            return {found, "the heads of q and k"};
        }
    }
    if (std::string found = by_angles(possible, q != nullptr ? *q : *k); !found.empty()) {
        return {found, "the angles, which heads share"};
    }
    return {possible.front(), "assumed; give axes for another order"};
}

}  // namespace ropescope::diagnosis
