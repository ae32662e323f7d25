// How much two systems differ on the same vectors, and how much rounding allows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/systems/rotation_test.h"

namespace ropescope {

// The images of one probe under every system at one point of the sweep, computed when they are
// first needed.

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

/// Largest differences over a sweep. Outputs in units of the input; scores / (|q| |k|) sqrt(d).
struct Difference {
    Measured outputs;  ///< where they are worst against their bound
    Measured scores;
    double largest_output = 0.0;  ///< of all
    double largest_score = 0.0;
    SweepPoint worst;                      ///< where the worst of `outputs` was found
    std::string limited_by;                ///< the rounding that its bound mostly comes from
    bool same_in_exact_arithmetic = true;  ///< as double formulas, to a few 2^-52 m

    void include(const Difference& other);
    bool holds() const { return outputs.holds() && scores.holds() && same_in_exact_arithmetic; }
};

/// b(x[p]) against a(x)[p], p being the permutation of this index in `images`. If one of the two
/// does not run, the difference is infinite.
Difference compare(CaseImages& images, const System& a, const System& b, std::size_t permutation);

}  // namespace ropescope
