// The images of one probe under every system at one point of the sweep, computed when they are
// first needed.
#pragma once

#include <map>
#include <tuple>
#include <variant>
#include <vector>

#include "core/systems/rotation_test.h"

namespace ropescope {

/// One head_dim, base and first position.
struct SweepPoint {
    std::int64_t head_dim = 0;
    double base = 0.0;
    std::int64_t offset = 0;
};

class CaseImages {
  public:
    /// `permutations[0]` is the identity. The references must outlive this object.
    CaseImages(const ProbePair& probe, const std::vector<std::vector<Index>>& permutations,
               double base, std::int64_t offset)
        : probe_(probe), permutations_(permutations), base_(base), offset_(offset) {}

    using Images = std::variant<ProbeImages, FrameworkError>;
    /// The image of the probe with its channels permuted: f(x[p]).
    const Images& of(const System& system, std::size_t permutation, Arithmetic arithmetic);

    const ProbePair& probe() const { return probe_; }
    const std::vector<Index>& permutation(std::size_t index) const { return permutations_[index]; }
    SweepPoint point() const { return {nd::size(probe_.q, 3), base_, offset_}; }

  private:
    const ProbePair& probe_;
    const std::vector<std::vector<Index>>& permutations_;
    double base_;
    std::int64_t offset_;
    std::map<std::tuple<const System*, std::size_t, Arithmetic>, Images> known_;
};

}  // namespace ropescope
