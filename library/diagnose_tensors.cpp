// Makes a dump of tensors in memory and hands it to the analysis.
#include "library/diagnose_tensors.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/dump_file.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/rope/tensor_view.h"

namespace ropescope {
namespace {

[[noreturn]] void fail(const LentTensor& tensor, const std::string& what) {
    throw InputError(fmt::format("diagnose: {}: {}", tensor.name, what));
}

/// The bytes of the tensor in order: where they lie, or a copy that `copies` keeps.
TensorBytes in_order(const LentTensor& tensor, std::vector<Tensor>& copies) {
    if (const std::optional<TensorBytes> dense = dense_bytes(tensor, "diagnose")) {
        return *dense;
    }
    return copies.emplace_back(dense_copy(tensor, "diagnose")).view();
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
            throw InputError(
                fmt::format("diagnose: {0} without {1}; a rotation shows in a tensor "
                            "before and after it, give both {2} and {2}_rot",
                            before ? side : side + "_rot", before ? side + "_rot" : side, side));
        }
        any = any || before;
    }
    for (const auto& [before, after] :
         {std::pair("v", "v_rot"), std::pair("k_cache", "k_cache_after")}) {
        if (has(lent, before) != has(lent, after)) {
            throw InputError(fmt::format("diagnose: {0} without {1}; give {2} and {3}, or neither",
                                         has(lent, before) ? before : after,
                                         has(lent, before) ? after : before, before, after));
        }
    }
    if (!any) {
        throw InputError(
            "diagnose: neither q and q_rot nor k and k_rot; give one side at least, "
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
        const bool is_other = tensor.name.ends_with("positions") ||
                              tensor.name.ends_with("_norm") || tensor.name.ends_with("_scale");
        if (is_side && !is_other && tensor.shape.size() != axes.size()) {
            fail(tensor,
                 fmt::format("shape {}, and axes {} names {} axes; give one letter for each",
                             shape_text(tensor.shape), in_quotes(axes), axes.size()));
        }
    }
}

void check_positions(const LentDump& lent) {
    for (const LentTensor& tensor : lent.tensors) {
        const std::size_t rank = tensor.shape.size();
        const bool named = lent.position_axes.empty() || lent.position_axes.size() == rank;
        if (tensor.name.ends_with("positions") && (rank < 1 || rank > 3 || !named)) {
            fail(tensor,
                 fmt::format("shape {}; [L], [B, L], [axes, L] or [axes, B, L] is expected, "
                             "or position_axes with a letter for each axis",
                             shape_text(tensor.shape)));
        }
    }
}

/// The tensors of a dump in order, and what keeps the copies among them.
struct OrderedTensors {
    std::vector<TensorBytes> tensors = {};
    std::shared_ptr<const void> owner = {};
};

OrderedTensors all_in_order(const LentDump& lent) {
    const auto copies = std::make_shared<std::vector<Tensor>>();
    copies->reserve(lent.tensors.size());
    OrderedTensors ordered{.owner = copies};
    ordered.tensors.reserve(lent.tensors.size());
    for (const LentTensor& tensor : lent.tensors) {
        ordered.tensors.push_back(in_order(tensor, *copies));
    }
    return ordered;
}

diagnosis::DumpOptions options_of(const LentDump& lent, const diagnosis::Expectation* expectation) {
    return {.axes = lent.axes,
            .position_axes = lent.position_axes,
            .norm = lent.norm,
            .head_dim = expectation == nullptr ? 0 : diagnosis::head_dim_of(*expectation)};
}

}  // namespace

diagnosis::Diagnosis diagnose_tensors(const LentDump& lent,
                                      const diagnosis::Expectation* expectation) {
    check_sides(lent);
    check_axes(lent);
    check_positions(lent);
    const auto [tensors, owner] = all_in_order(lent);
    return diagnosis::diagnose(
        diagnosis::make_dump(tensors, owner, "diagnose", options_of(lent, expectation)),
        expectation);
}

diagnosis::LayeredDiagnosis diagnose_layers_of(const LentDump& lent,
                                               const diagnosis::Expectation* expectation) {
    auto [tensors, owner] = all_in_order(lent);
    return diagnosis::diagnose_layers(
        diagnosis::DumpFile::of(std::move(tensors), std::move(owner), "diagnose",
                                options_of(lent, expectation)),
        expectation);
}

}  // namespace ropescope
