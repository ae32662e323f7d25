// Which two channels of a head form a pair, and the permutation between the two conventions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ropescope {

/// interleaved: pair i is channels (2i, 2i+1), as in the RoFormer paper, Meta LLaMA and GPT-J.
/// half_split: pair i is channels (i, i + rotary_dim/2), as in GPT-NeoX and Hugging Face LLaMA.
enum class Layout { interleaved, half_split };

std::string_view to_string(Layout layout);
/// Accepts "interleaved", "half_split" and "half-split". Throws InputError naming the choices.
Layout parse_layout(std::string_view text);

/// The two channels of pair i.
struct ChannelPair {
    int first = 0;
    int second = 0;
    bool operator==(const ChannelPair&) const = default;
};
ChannelPair pair_channels(Layout layout, int rotary_dim, int pair);

/// Permutation p with y[c] = x[p[c]] that turns a head of `head_dim` channels laid out as `from`
/// into the same head laid out as `to`. Channels from rotary_dim on stay. From interleaved to
/// half_split it is (even channels, then odd channels).
std::vector<int> layout_permutation(Layout from, Layout to, int head_dim, int rotary_dim);

/// y[c] = x[permutation[c]], for the head vectors packed one after the other in `x`; x.size() must
/// be a multiple of permutation.size(), and x and y must not overlap.
template <typename T>
void permute_channels(std::span<const T> x, std::span<T> y, std::span<const int> permutation) {
    const std::size_t head_dim = permutation.size();
    for (std::size_t head = 0; head < x.size(); head += head_dim) {
        for (std::size_t c = 0; c < head_dim; ++c) {
            y[head + c] = x[head + static_cast<std::size_t>(permutation[c])];
        }
    }
}

/// Rows of a projection weight [heads * head_dim, columns] (W_q with heads = n_heads, W_k with
/// heads = n_kv_heads: with grouped queries the two differ) permuted within each head, so that the
/// projected vectors come out laid out as `to`. The bias is the case columns = 1. Throws InputError
/// when the size of `weight` is not heads * head_dim * columns.
std::vector<float> permute_projection_rows(std::span<const float> weight, int heads, int head_dim,
                                           int rotary_dim, int columns, Layout from, Layout to);

}  // namespace ropescope
