// Implementations with a fault that people really made, for a probe to find: the classes are those
// of public threads, in docs/verify/probe-classes.md.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/probe/probe.h"

namespace ropescope::test {

/// A class of faults.
struct FaultClass {
    int number = 0;
    std::string text = {};
    /// Why a probe cannot see it; empty if it can.
    std::string unseen = {};
};
/// All of them, by number.
const std::vector<FaultClass>& fault_classes();

struct PlantedImplementation {
    int fault_class = 0;       ///< 0 for a right implementation
    std::string variant = {};  ///< "base 10000"
    std::string model = {};    ///< "llama-3-8b"
    Part subject = {};
    probe::Settings settings = {};
    std::set<std::string> codes = {};  ///< one of them must be found
    probe::Ask ask = {};
};

/// Every class with every model that it fits.
std::vector<PlantedImplementation> planted_implementations();

/// In the arithmetic of fp32, of ggml (each frequency a multiple of the one before), of fp64, and
/// of PyTorch in 16 bits (tables and products rounded to the tensors' dtype).
std::vector<PlantedImplementation> right_implementations(const std::string& model);

}  // namespace ropescope::test
