// The tensors of a file by the names that a dump gives them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/read_dump.h"

namespace ropescope::diagnosis {

/// The tensors of a file and how messages call it. `options` must outlive it.
struct DumpSource {
    std::span<const TensorBytes> tensors;
    std::string origin;
    const DumpOptions& options;

    /// Throws InputError that names the file and the tensor.
    [[noreturn]] void fail(const TensorBytes& tensor, const std::string& what) const;
    std::vector<std::string> names() const;
    /// The tensor of one of dump_names(), whatever the options call it. Null if the file does not
    /// have it; throws InputError if the user named it.
    const TensorBytes* find(const std::string& name) const;
    /// Fails unless the tensor is of F64, F32, F16 or BF16.
    void check_floats(const TensorBytes& tensor) const;
};

}  // namespace ropescope::diagnosis
