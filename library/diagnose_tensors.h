// Diagnoses tensors that a caller holds in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/layers.h"
#include "core/rope/qk_norm.h"
#include "library/lent_tensor.h"

namespace ropescope {

/// Queries and keys before and after a rotation, as `diagnose` takes them from a file.
struct LentDump {
    std::vector<LentTensor> tensors;
    std::string axes = {};            ///< of q and k by letters, "bhld"; empty: found
    std::string position_axes = {};   ///< of positions by a, b and l; empty: found
    std::optional<QkNorm> norm = {};  ///< beside the rotation; empty: RMS if there are weights
};

/// Explains the tensors; a copy is made of those that are not dense. `expectation` may be null.
/// Throws InputError that names the tensor: for a side of which one tensor is missing, negative
/// sizes, tensors larger than memory, and for what diagnosis::make_dump() refuses.
diagnosis::Diagnosis diagnose_tensors(const LentDump& lent,
                                      const diagnosis::Expectation* expectation);

/// Explains tensors of several layers, which have their number in their names as in a file:
/// "layers.3.q". Throws what diagnosis::DumpFile::of() and its
/// read() throw.
diagnosis::LayeredDiagnosis diagnose_layers_of(const LentDump& lent,
                                               const diagnosis::Expectation* expectation);

}  // namespace ropescope
