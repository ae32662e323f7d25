// The tensors of one layer of two dumps, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump_file.h"
#include "core/diff/matched_layer.h"
#include "core/diff/report.h"
#include "core/diff/tensor_difference.h"

namespace ropescope::diff {

/// The channels or heads of a tensor, in another order.
struct OrderFound {
    std::string tensor = {};
    std::string noun = {};          ///< "channels", "heads"
    std::vector<Index> order = {};  ///< [channels] or [heads]: which of A each of B is

    bool operator==(const OrderFound&) const = default;
};

/// A tensor that has 8 bits in one of the dumps, and is compared as far as those show.
struct ComparedGrid {
    std::string tensor = {};
    bool of_a = false;
    diagnosis::NumberGrid grid = {};
    diagnosis::ScaleOf scale_of = {};
};

struct LayerDifference {
    std::optional<Index> layer = {};
    Sameness sameness = Sameness::equal;
    Index tensors = 0;  ///< that were compared
    /// Tensors that differ beyond rounding and are not in another order: those before the rotation
    /// first, and scores last.
    std::vector<TensorDifference> different = {};
    std::vector<OrderFound> orders = {};
    std::vector<ComparedGrid> grids = {};
    /// The largest difference within rounding, in allowances; empty if bit for bit the same.
    std::optional<double> within = {};
    /// The pair of the first number that differs, and by how much B turned further than A, in
    /// radians; empty if the pairs are not known.
    std::optional<Index> pair = {};
    std::optional<double> angle_rad = {};
    /// Of tensors that differ and of which nobody says what rounding explains: how far they are
    /// apart, in words.
    std::vector<std::string> unjudged = {};
    /// Tensors that only one of both has.
    std::vector<std::string> left_out = {};
};

/// Throws InputError that names the files and the tensor: for shapes that disagree, and if they
/// have no tensor of a dump in common.
LayerDifference compare_layers(const diagnosis::LayerTensors& a, const diagnosis::LayerTensors& b,
                               const BothDumps& both);

}  // namespace ropescope::diff
