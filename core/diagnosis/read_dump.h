// Reads a dump from a .safetensors or .npz file.
// Sources: read_dump.cpp, dump_axes.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/quantised/read_scales.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {

/// Heads side by side in the last axis of a tensor.
inline constexpr Index kMostHeadsInRow = 256;
/// Rows, heads or tokens: an axis of a tensor that is not its last one.
inline constexpr Index kLongestAxis = kMaxPosition + 1;

/// Why no q, k or v has this shape, of two axes at least, so that a header that claims it costs no
/// time; empty if one may have it.
std::string beyond_limits(std::span<const std::int64_t> shape);

/// The names that a dump gives its tensors: q, q_rot, k, k_rot, positions, q_positions,
/// k_positions, q_norm and k_norm (weights), scores, v and v_rot, k_cache and
/// k_cache_after, and q_scale, q_rot_scale, k_scale and
/// k_rot_scale.
std::span<const std::string> dump_names();

struct DumpOptions {
    /// The axes of q and k by letters, d last: "bhld"; empty: found.
    std::string axes = {};
    /// The axes of positions by a (axis), b (batch) and l; empty: found.
    std::string position_axes = {};
    /// For some of dump_names(): what the file calls the tensor; a * stands for the number of a
    /// layer.
    std::map<std::string, std::string> names = {};
    /// What stands beside the rotation; empty: an RMS norm if the dump has weights, else nothing.
    std::optional<QkNorm> norm = {};
    /// The width of a head of the model that is expected, by which a last axis that holds several
    /// heads side by side is divided, unless it turns as one head; 0: not known, or several.
    Index head_dim = 0;
};

/// Parses "q=NAME,k=NAME". Throws InputError for another form and for names that dump_names() does
/// not have.
std::map<std::string, std::string> parse_names(const std::string& text);

/// Throws InputError that names the file and the tensor: if neither side is complete, for shapes
/// that disagree, dtypes other than F64, F32, F16, BF16, FP8 and I8, scales that are not those of a
/// tensor, and positions beyond +-2^20. Of a file
/// with several layers, this reads the first (dump_file.h has all).
Dump read_dump(const std::filesystem::path& path, const DumpOptions& options = {});

/// The same for tensors in memory, which `owner` keeps; `origin` starts every message.
Dump make_dump(std::span<const TensorBytes> tensors, std::shared_ptr<const void> owner,
               const std::string& origin, const DumpOptions& options = {});

/// Throws what make_dump() throws for the shapes of tensors that belong together, without their
/// bytes: before a reader unpacks what may be gigabytes.
void check_dump_shapes(std::span<const TensorBytes> tensors, const std::string& origin,
                       const DumpOptions& options);

/// A tensor that is not yet known to be [batch, heads, length, channels].
struct UnplacedSide {
    TensorBytes before, after;
    /// Of tensors in 8 bits, which `before` and `after` hold as float64.
    std::optional<UnplacedGrid> grid_before = {}, grid_after = {};

    /// The rounding of the numbers behind, of which `placed` are some.
    FloatFormat format_behind(const DumpTensor& placed) const;
};
/// The order of axes for these sides: the one asked for, or the one that lengths or data show.
struct FoundAxes {
    std::string axes, reason;
    bool by_angles = false;  ///< the shapes leave it open, and the angles decided
};
FoundAxes find_axes(const std::string& asked, const UnplacedSide* q, const UnplacedSide* k,
                    std::span<const std::int64_t> position_shape, const std::string& origin);
/// Whether the last axis turns as one head, in some order of the axes before it. `normed`: each
/// head of a token was divided by a number of its own.
bool turns_as_one_head(const UnplacedSide& side, bool normed);
/// The channels of a head if all heads stand side by side in the last axis of [tokens, channels],
/// as vLLM keeps them, or of [batch, tokens, channels], as Hugging Face has them before it divides
/// them: the smallest part of them by which every part turns alike. 0 if they do not.
/// It divides `channels_of_both`, the common divisor of the channels of q and k. If `normed`, each
/// head of a token was divided by a number of its own.
Index heads_side_by_side(const UnplacedSide& side, std::int64_t channels_of_both, bool normed);
/// The tensor seen in that order.
DumpTensor placed(const TensorBytes& tensor, const std::string& axes);

}  // namespace ropescope::diagnosis
