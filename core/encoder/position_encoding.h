// What an encoder without RoPE knows positions by: something added to the embeddings, or something
// added to the scores. Each function returns what the cited definition says, in fp32 as a model has
// it, computed in double.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope {

/// How a model knows positions.
/// rope: queries and keys turn (Su et al., arXiv:2104.09864). sinusoidal, learned: a vector for
/// each position is added to the embeddings (Vaswani et al., arXiv:1706.03762; Devlin et al.,
/// arXiv:1810.04805). t5: a learned number for each head and range of distances is added to the
/// scores (Raffel et al., arXiv:1910.10683). alibi: minus a slope times the distance is added to
/// them (Press et al., arXiv:2108.12409). none: nothing but what a causal mask shows.
enum class PositionEncoding { rope, sinusoidal, learned, t5, alibi, none };
template <>
inline constexpr std::array<std::string_view, 6> kEnumNames<PositionEncoding> = {
    "rope", "sinusoidal", "learned", "t5", "alibi", "none"};

/// Rows [positions, width]: sin in even channels and cos in odd ones of position * 10000^(-2i /
/// width), divided by sqrt(width), where the paper multiplies the word embeddings by it: the layer
/// norm that follows takes either to the same numbers.
std::vector<float> sinusoidal_rows(std::span<const Index> positions, Index width);

/// The slope of each head, falling: 2^(-8 h / heads) for h = 1 .. heads if heads is a power of two;
/// else those of the next smaller power, and then every second one of the next larger (Press et
/// al., function get_slopes).
std::vector<double> alibi_slopes(Index heads);

/// T5's ranges of distances: as many as a model learns, and from which distance on all share one.
inline constexpr Index kT5Buckets = 32;
inline constexpr Index kT5Farthest = 128;

/// The range of a distance, the key's position minus the query's (Raffel et al.; in transformers
/// T5Attention._relative_position_bucket). One for each near distance, then wider ones in a
/// logarithm up to kT5Farthest. Keys behind the query have ranges of their own, unless a causal
/// mask leaves only those before it, which then have all.
Index t5_bucket(Index distance, bool causal);

/// What is added to the scores, [heads, queries, keys], for the positions of one sample.
std::vector<float> alibi_bias(std::span<const Index> positions, Index heads);
/// `table` [kT5Buckets, heads] is the model's.
std::vector<float> t5_bias(std::span<const Index> positions, Index heads,
                           std::span<const float> table, bool causal);

}  // namespace ropescope
