// Names answers that are not right: which wrong answer they equal.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/faults/rotation/plan.h"
#include "core/formats/tensor.h"
#include "core/rope/rope_spec.h"
#include "core/vectors/judge.h"

namespace ropescope::vectors {

/// Numbers that are not the right ones, and what they are held to.
struct WrongNumbers {
    std::span<const double> values, wanted, tolerance;
    Dtype dtype = Dtype::f32;
};

/// A case of a model, made again from the index: the right rotation of x.
struct RemadeCase {
    faults::RotationPlan right = {};
    std::optional<RopeSpec> spec = {};  ///< of a model in one axis
    std::vector<double> x = {};         ///< behind a norm that stands before the rotation
    double norm_share = 0.0;            ///< of a length, that rounding of the norm adds
};

/// Compares an answer with wrong ones.
class Naming {
  public:
    explicit Naming(WrongNumbers asked) : asked_(asked) {}

    /// Takes the name if the answer is this wrong one: every number that is not NaN lies within
    /// `width` of it. A wrong answer that cannot be told from the right one in the dtype of the
    /// answer names nothing. Returns whether it is that.
    bool consider(const std::string& code, const std::string& text, std::span<const double> wrong,
                  std::span<const double> width);
    /// One of an index, which says how many tolerances of the right answer its rounding costs.
    bool consider_listed(const std::string& code, const std::string& text,
                         std::span<const double> wrong, double tolerances);
    /// Tries the catalogue of faults.
    void consider_catalogue(const RemadeCase& made);
    /// Tries faults with a number of their own, up to the first that gives the answer.
    void consider_near(const RemadeCase& made);

    const std::vector<faults::NamedFault>& found() const { return found_; }
    /// How far the nearest of the wrong answers is from the right one at its worst number, in
    /// tolerances; infinite if there was none.
    double nearest_in_tolerances() const { return nearest_; }

  private:
    /// A plan that was changed, within what its own arithmetic allows.
    bool consider_plan(const std::string& code, const std::string& text,
                       const faults::RotationPlan& plan, const RemadeCase& made);

    WrongNumbers asked_;
    std::vector<faults::NamedFault> found_;
    double nearest_ = std::numeric_limits<double>::infinity();
};

}  // namespace ropescope::vectors
