// A tensor of a dump with other numbers in the same shape.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// A view and what keeps its numbers.
struct ChangedTensor {
    DumpTensor view = {};
    std::shared_ptr<const void> owner = {};
};

/// Keeps both.
std::shared_ptr<const void> both_owners(std::shared_ptr<const void> one,
                                        std::shared_ptr<const void> other);

/// Stores what `change` makes of each row of channels as numbers of `dtype`. `change` is called in
/// several threads, with the place of the row.
ChangedTensor changed(const DumpTensor& tensor, Dtype dtype,
                      const std::function<void(Index row, Index head, Index token,
                                               std::span<double> channels)>& change);

/// The dump with its tensors behind the rotation rounded to `dtype`, without scores.
Dump rounded_behind(const Dump& dump, Dtype dtype);

}  // namespace ropescope::diagnosis
