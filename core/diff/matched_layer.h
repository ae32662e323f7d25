// The tensors of a layer that two dumps have in common: seen in one order of axes, with what
// rounding explains of their differences.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/diagnosis/dump_file.h"
#include "core/diff/allowance.h"
#include "core/diff/multiplied.h"
#include "core/diff/turning.h"

namespace ropescope::diff {

/// What is asked of both files, for messages: how they are called, and the axes that were given.
struct BothDumps {
    std::string a = {}, b = {};
    std::string axes = {};
};

/// What a place in a tensor belongs to.
enum class Stage : std::uint8_t { positions, before, behind, scores, other };
Stage stage_of(std::string_view tensor);

/// A tensor in both dumps; null where one does not have it.
struct Matched {
    const TensorBytes* a = nullptr;
    const TensorBytes* b = nullptr;

    bool in_both() const { return a != nullptr && b != nullptr; }
    /// Whether every byte is the same, and the shape.
    bool same() const;
};

/// Two tensors [batch, heads, length, channels] of one shape.
using PlacedPair = std::pair<diagnosis::DumpTensor, diagnosis::DumpTensor>;

/// The description must outlive it.
class MatchedLayer {
  public:
    /// Throws InputError for scales that are none of their tensors.
    MatchedLayer(diagnosis::LayerTensors a, diagnosis::LayerTensors b, const BothDumps& both)
        : a_(multiplied(std::move(a), both.a)), b_(multiplied(std::move(b), both.b)), both_(both) {}
    MatchedLayer(const MatchedLayer&) = delete;
    MatchedLayer& operator=(const MatchedLayer&) = delete;

    const MultipliedLayer& a() const { return a_; }
    const MultipliedLayer& b() const { return b_; }
    const BothDumps& both() const { return both_; }

    Matched matched(std::string_view name) const;
    bool in_both(std::string_view name) const { return matched(name).in_both(); }

    /// Throws InputError that names both files and the tensor.
    [[noreturn]] void refuse(const Matched& tensor, const std::string& why) const;

    /// Vectors by head and token, in the order of axes that the reference shows. Throws InputError
    /// for integers but int8, and for shapes that do not hold the same.
    PlacedPair placed(const Matched& tensor);
    /// What two right codes may be apart in these vectors. It refers to this object.
    Allowance allowance(const Matched& tensor);
    /// How "q", "k" or "v" turns in the reference.
    const Turning& turning(const std::string& side);

  private:
    LayerTurning& reference();
    LayerTurning& other();
    FormatPair formats(const Matched& tensor);
    const Turning& cache_turning(Index length);

    MultipliedLayer a_, b_;
    const BothDumps& both_;
    std::optional<LayerTurning> reference_ = {}, other_ = {};
    std::map<std::string, FormatPair> formats_ = {};  ///< of tensors that were looked at
    std::optional<Turning> cache_ = {};
};

}  // namespace ropescope::diff
