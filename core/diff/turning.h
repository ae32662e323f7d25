// What the reference dump says about the layout of its tensors and about its rotation.
#pragma once

#include <map>
#include <string>

#include "core/diagnosis/dump.h"
#include "core/diff/allowance.h"
#include "core/diff/multiplied.h"

namespace ropescope::diff {

class LayerTurning {
  public:
    /// `axes` are those that the user gave; empty: found. Throws InputError that begins with
    /// `origin`. The tensors must outlive the result.
    LayerTurning(const MultipliedLayer& layer, const std::string& origin, const std::string& axes);

    /// A tensor of this layer, or of another one with this shape, as [batch, heads, length,
    /// channels], with its grid if it has one. Throws InputError for a number of axes that a dump
    /// does not have.
    diagnosis::DumpTensor placed(const TensorBytes& tensor,
                                 const diagnosis::UnplacedGrid* grid) const;

    /// How "q" or "k" turns: which channels together, and how fast. Made when it is first asked
    /// for.
    const Turning& of(const std::string& side);

  private:
    Turning measured(const std::string& side) const;
    std::vector<double> stated(const std::string& side, Index batch, Index tokens) const;

    const MultipliedLayer& layer_;
    std::string origin_, axes_;
    Index head_width_ = 0;  ///< of heads side by side in the last axis; 0: they are not
    std::map<std::string, Turning> sides_ = {};
};

}  // namespace ropescope::diff
