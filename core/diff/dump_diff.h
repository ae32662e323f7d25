// Two dumps side by side: a reference and somebody's own, layer by layer.
// Sources: dump_diff.cpp, dump_words.cpp.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/dump_file.h"
#include "core/diff/layer_difference.h"
#include "core/diff/report.h"

namespace ropescope::diff {

struct DumpDifference {
    std::string a = {}, b = {};  ///< how the files are called
    std::vector<LayerDifference> layers = {};
    std::vector<Index> only_a = {}, only_b = {};  ///< layers
    /// Of tensors that belong to no layer: how many are the same, how far others are apart, and
    /// which only one of both has.
    Index same_outside = 0;
    std::vector<std::string> unjudged = {}, left_out = {};
};

/// Reads one layer of both at a time. Throws InputError as compare_layers() and DumpFile do, and if
/// the files have no layer in common.
DumpDifference compare_dumps(const diagnosis::DumpFile& a, const diagnosis::DumpFile& b);

DiffReport report_of(const DumpDifference& difference);

}  // namespace ropescope::diff
