// Which systems compute the same thing: every pair on the same vectors, bases and positions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/systems/difference.h"
#include "core/systems/system.h"

namespace ropescope {

/// In the order of severity.
///   identical: the same outputs for the same input, up to the rounding of either;
///   equal_after_permutation: b(x[p]) == a(x)[p] for one permutation p of the channels, and the
///     same scores;
///   different: both rotate, but differently;
///   not_a_rotation: they differ, and at least one of them is not a rotation by position.
enum class Verdict { identical, equal_after_permutation, different, not_a_rotation };
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<Verdict> = {
    "identical", "equal after permutation", "different", "not a rotation"};

struct EquivalenceOptions {
    std::vector<std::int64_t> head_dims = {2, 8, 64, 128};
    /// A system with a base of its own is compared at that base only, which is added if it is
    /// missing here.
    std::vector<double> bases = {1e4, 5e5, 1e6};
    std::vector<std::int64_t> offsets = {0, 3, 2000, 100000};
    std::uint64_t seed = 1;
};

struct PairAtHeadDim {
    std::int64_t head_dim = 0;
    Verdict verdict = Verdict::identical;
    Difference same_input;
    Difference permuted;             ///< b(x[p]) against a(x)[p], when a candidate p was found
    std::vector<Index> permutation;  ///< that candidate; empty when the search found none
};

struct PairVerdict {
    const System* a = nullptr;
    const System* b = nullptr;
    Verdict verdict = Verdict::identical;  ///< the most severe of the head_dims
    std::vector<PairAtHeadDim> by_head_dim;
    Difference same_input;  ///< worst of the sweep
    Difference permuted;
    std::string explanation;  ///< one line: the permutation, the reason, the numbers
};

struct EquivalenceMatrix {
    EquivalenceOptions options;
    std::vector<const System*> systems;
    std::vector<RotationTest> rotation_tests;  ///< by system, worst of the sweep
    std::vector<PairVerdict> pairs;            ///< [systems, systems]

    const PairVerdict& at(std::size_t a, std::size_t b) const {
        return pairs[a * systems.size() + b];
    }
    const PairVerdict& at(std::string_view a, std::string_view b) const;
};

/// Throws InputError for a head_dim that is not even and positive, a base or an offset out of
/// range.
/// The matrix points into `systems`.
EquivalenceMatrix equivalence_matrix(const EquivalenceOptions& options = {},
                                     const std::vector<System>& systems = all_systems());

// The permutation that carries one system into another, read off the images of basis vectors.

/// Values that distinguish the channels of a system, however the channels are ordered.
struct ChannelSignatures {
    std::int64_t head_dim = 0;
    std::vector<double> values;  ///< [head_dim, values a channel]
};
ChannelSignatures channel_signatures(const System& system, std::int64_t head_dim, double base);

/// p with to(x[p]) == from(x)[p], found by matching each channel of `to` with the nearest channel
/// of `from`; empty if a channel has no match or two share one. This is only a candidate, which the
/// caller must verify on whole tensors.
std::optional<std::vector<Index>> search_permutation(const ChannelSignatures& from,
                                                     const ChannelSignatures& to);

bool is_identity(const std::vector<Index>& permutation);
std::vector<Index> inverse_permutation(const std::vector<Index>& permutation);

/// "even channels, then odd channels", "first half and second half alternating" or the list
/// itself, shortened: "0 2 4 6 ... 125 127".
std::string describe_permutation(const std::vector<Index>& permutation);

}  // namespace ropescope
