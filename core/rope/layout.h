// Which two channels of a head form a pair, and the permutations between the two conventions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope {

/// interleaved: pair i is channels 2i and 2i + 1, as in the RoFormer paper, Meta LLaMA and GPT-J.
/// half_split: pair i is channels i and i + rotary_dim / 2, as in GPT-NeoX and Hugging Face LLaMA.
enum class Layout { interleaved, half_split };

template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Layout> = {"interleaved", "half_split"};
/// Accepts "interleaved", "half_split" and "half-split". Throws InputError that names the choices.
Layout parse_layout(std::string_view text);
/// The name of a layout as sentences have it: "half-split" for half_split, which options and files
/// have. Any other word stays as it is.
std::string layout_word(std::string_view name);
inline std::string layout_word(Layout layout) {
    return layout_word(to_string(layout));
}

/// The two channels of a pair; +angle turns `first` towards `second`.
struct ChannelPair {
    Index first = 0;
    Index second = 0;
    bool operator==(const ChannelPair&) const = default;
};
ChannelPair pair_channels(Layout layout, Index rotary_dim, Index pair);

/// Returns the permutation p, [head_dim], with which y[c] = x[p[c]] turns a head x laid out as
/// `from` into the same head laid out as `to`. Channels from rotary_dim on stay. From interleaved
/// to half_split these are the even channels, then the odd ones. Throws InputError for dimensions
/// that validate(RopeSpec) refuses.
std::vector<Index> layout_permutation(Layout from, Layout to, Index head_dim, Index rotary_dim);

/// Writes y[c] = x[permutation[c]] for each of the head vectors that lie one after the other in
/// `x`. x.size() must be a multiple of permutation.size(); x and y must not overlap.
template <typename T>
void permute_channels(std::span<const T> x, std::span<T> y, std::span<const Index> permutation) {
    const Index head_dim = std::ssize(permutation);
    for (Index head = 0; head < std::ssize(x); head += head_dim) {
        for (Index c = 0; c < head_dim; ++c) {
            y[head + c] = x[head + permutation[c]];
        }
    }
}

/// Returns a projection weight [heads * head_dim, columns] with its rows permuted within each head,
/// so that the vectors it projects come out laid out as `to`. For W_q `heads` is n_heads, for W_k
/// it is n_kv_heads (with grouped queries the two differ); a bias has columns = 1. Throws
/// InputError if the size of `weight` is not heads * head_dim * columns. Source: Hugging Face
/// transformers, convert_llama_weights_to_hf.py, permute.
std::vector<float> permute_projection_rows(std::span<const float> weight, Index heads,
                                           Index head_dim, Index rotary_dim, Index columns,
                                           Layout from, Layout to);

// Pairs of channels in any order, as few runs of pairs that one loop turns.

/// `count` pairs of neighbouring columns of a table. If `adjacent`, pair k of the run is channels
/// first + 2k and first + 2k + 1; else it is channels first + k and second + k.
struct PairRun {
    Index pair = 0;  ///< column of the table for the first pair
    Index first = 0;
    Index second = 0;
    Index count = 0;
    bool adjacent = false;
};

/// Returns the fewest runs that make up the pairs, in their order: one for each of the two layouts,
/// one for each block if the blocks of a head are half-split, one for each pair at worst.
std::vector<PairRun> pair_runs(std::span<const ChannelPair> pairs);

/// The layout whose pairs these are; empty if they are those of none, or if there are no pairs.
std::optional<Layout> layout_of(std::span<const ChannelPair> pairs);

/// The run of all pairs of a layout.
PairRun layout_run(Layout layout, Index pairs);

/// Throws InputError unless every pair names two channels from 0 to head_dim - 1 that no other pair
/// has.
void validate_pairs(std::span<const ChannelPair> pairs, Index head_dim);

}  // namespace ropescope
