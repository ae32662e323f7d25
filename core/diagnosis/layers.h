// Dumps of several layers: each is diagnosed by itself, and those that do the same are one kind.
// Sources: layers.cpp, layer_kinds.cpp.
#pragma once

#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/dump_file.h"

namespace ropescope::diagnosis {

/// Layers that do the same as far as their tensors tell.
struct AlikeLayers {
    std::vector<Index> layers = {};
    Diagnosis diagnosis = {};  ///< of the first of them
};

struct LayeredDiagnosis {
    /// Of all layers together: the worst verdict, every finding and mismatch with its layers, and
    /// the numbers that all layers share. Of a dump without layers: its diagnosis.
    Diagnosis whole = {};
    std::vector<AlikeLayers> kinds =
        {};  ///< in the order of their first layer; empty without layers
};

/// Explains the layers one after the other, so that one at a time is in memory. `expectation` may
/// be null. Throws what DumpFile::read() throws.
LayeredDiagnosis diagnose_layers(const DumpFile& file, const Expectation* expectation = nullptr);

/// Among the layers of a file, the place of the first that has the worst verdict; 0 without layers.
std::size_t worst_layer(const DumpFile& file, const LayeredDiagnosis& found);

}  // namespace ropescope::diagnosis
