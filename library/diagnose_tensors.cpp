// Makes a dump of tensors in memory and hands it to the analysis.
#include "library/diagnose_tensors.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/diagnosis/read_dump.h"
#include "core/rope/axes.h"

namespace ropescope {
namespace {

[[noreturn]] void fail(const LentTensor& tensor, const std::string& what) {
    throw InputError(fmt::format("diagnose: {}: {}", tensor.name, what));
}

/// Bytes of the values. Throws InputError for sizes that no memory has and for strides that lead
/// beyond it.
std::int64_t checked_bytes(const LentTensor& tensor) {
    const auto below_zero = [](Index size) { return size < 0; };
    if (std::ranges::any_of(tensor.shape, below_zero)) {
        fail(tensor, fmt::format("shape {}; sizes of 0 or more are expected",
                                 shape_text(tensor.shape)));
    }
    const std::optional<std::int64_t> bytes = byte_count(tensor.dtype, tensor.shape);
    bool fits = bytes.has_value();
    Index reach = static_cast<Index>(dtype_size(tensor.dtype));
    for (std::size_t axis = 0; fits && axis < tensor.shape.size(); ++axis) {
        Index span = 0;
        fits = !__builtin_mul_overflow(tensor.shape[axis], tensor.stride[axis], &span) &&
               !__builtin_mul_overflow(span, static_cast<Index>(dtype_size(tensor.dtype)), &span) &&
               !__builtin_add_overflow(reach, std::max(span, -span), &reach);
    }
    if (!fits) {
        fail(tensor, fmt::format("shape {} is larger than memory can be", shape_text(tensor.shape)));
    }
    if (*bytes > 0 && tensor.data == nullptr) {
        fail(tensor, "its data is null; give the memory of the tensor");
    }
    return *bytes;
}

bool is_dense(const LentTensor& tensor) {
    Index expected = 1;
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
        if (tensor.shape[axis] != 1 && tensor.stride[axis] != expected) {
            return false;
        }
        expected *= tensor.shape[axis];
    }
    return true;
}

/// Copies the elements from axis `axis` on, row by row.
void copy_from(const LentTensor& tensor, std::size_t axis, const std::byte* from, std::byte*& to) {
    const std::size_t size = dtype_size(tensor.dtype);
    if (axis == tensor.shape.size()) {
        std::memcpy(to, from, size);
        to += size;
        return;
    }
    const bool dense_row = axis + 1 == tensor.shape.size() && tensor.stride[axis] == 1;
    if (dense_row) {
        const std::size_t bytes = size * static_cast<std::size_t>(tensor.shape[axis]);
        std::memcpy(to, from, bytes);
        to += bytes;
        return;
    }
    for (Index i = 0; i < tensor.shape[axis]; ++i) {
        copy_from(tensor, axis + 1, from + i * tensor.stride[axis] * static_cast<Index>(size), to);
    }
}

using Copies = std::vector<std::vector<std::byte>>;

/// The bytes of the tensor in order: where they lie, or a copy that `copies` keeps.
TensorBytes in_order(const LentTensor& tensor, Copies& copies) {
    const auto bytes = static_cast<std::size_t>(checked_bytes(tensor));
    TensorBytes view{tensor.name, tensor.dtype, tensor.shape, {}};
    const auto* data = static_cast<const std::byte*>(tensor.data);
    if (bytes == 0 || is_dense(tensor)) {
        view.bytes = {data, bytes};
        return view;
    }
    std::vector<std::byte>& copy = copies.emplace_back(bytes);
    std::byte* to = copy.data();
    copy_from(tensor, 0, data, to);
    view.bytes = copy;
    return view;
}

bool has(const LentDump& lent, const std::string& name) {
    return std::ranges::find(lent.tensors, name, &LentTensor::name) != lent.tensors.end();
}

/// Says what is missing in the words of a caller, who has no file and no options of a command.
void check_sides(const LentDump& lent) {
    bool any = false;
    for (const std::string side : {"q", "k"}) {
        const bool before = has(lent, side), after = has(lent, side + "_rot");
        if (before != after) {
            throw InputError(fmt::format("diagnose: {0} without {1}; a rotation shows in a tensor "
                                         "before and after it, give both {2} and {2}_rot",
                                         before ? side : side + "_rot",
                                         before ? side + "_rot" : side, side));
        }
        any = any || before;
    }
    if (!any) {
        throw InputError("diagnose: neither q and q_rot nor k and k_rot; give one side at least, "
                         "before and after its rotation");
    }
}

void check_axes(const LentDump& lent) {
    if (lent.axes.empty()) {
        return;
    }
    const std::string axes = parse_axis_order(lent.axes, 0).axes;
    for (const LentTensor& tensor : lent.tensors) {
        const bool is_side = tensor.name[0] == 'q' || tensor.name[0] == 'k';
        const bool is_positions = tensor.name.ends_with("positions");
        if (is_side && !is_positions && tensor.shape.size() != axes.size()) {
            fail(tensor, fmt::format("shape {}, and axes {} names {} axes; give one letter for each",
                                     shape_text(tensor.shape), in_quotes(axes), axes.size()));
        }
    }
}

void check_positions(const LentDump& lent) {
    for (const LentTensor& tensor : lent.tensors) {
        const std::size_t rank = tensor.shape.size();
        const bool named = lent.position_axes.empty() || lent.position_axes.size() == rank;
        if (tensor.name.ends_with("positions") && (rank < 1 || rank > 3 || !named)) {
            fail(tensor, fmt::format("shape {}; [L], [B, L], [axes, L] or [axes, B, L] is expected, "
                                     "or position_axes with a letter for each axis",
                                     shape_text(tensor.shape)));
        }
    }
}

}  // namespace

diagnosis::Expectation expectation_of(const Embedding& embedding, const std::string& name) {
    diagnosis::Expectation expectation{.name = name};
    if (embedding.rope) {
        expectation.specs = {*embedding.rope};
    } else {
        expectation.schemes = {embedding.scheme};
    }
    return expectation;
}

diagnosis::Diagnosis diagnose_tensors(const LentDump& lent,
                                      const diagnosis::Expectation* expectation) {
    check_sides(lent);
    check_axes(lent);
    check_positions(lent);
    const auto copies = std::make_shared<Copies>();
    std::vector<TensorBytes> tensors;
    for (const LentTensor& tensor : lent.tensors) {
        tensors.push_back(in_order(tensor, *copies));
    }
    const diagnosis::DumpOptions options{.axes = lent.axes, .position_axes = lent.position_axes};
    return diagnosis::diagnose(diagnosis::make_dump(tensors, copies, "diagnose", options),
                               expectation);
}

}  // namespace ropescope
