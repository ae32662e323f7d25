// The largest numbers that the readers of models' files take, each the same wherever it is read.
// They lie far beyond every model, and keep what is computed with them inside the range of its
// type. docs/limits.md lists them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/index.h"

namespace ropescope {

/// Of rope_theta, under each of its names.
inline constexpr double kMaxBase = 1e300;
/// Of everything that has to be above 0: powers of a smaller base are infinite.
inline constexpr double kMinPositive = 1e-300;
/// What multiplies or divides: factors of a scaling, of positions and of scores.
inline constexpr double kMaxFactor = 1e6;
/// Channels side by side: hidden_size, the width of a tower.
inline constexpr Index kMaxWidth = Index{1} << 24;
/// Layers, heads, and lists with one entry for each.
inline constexpr Index kMaxCount = Index{1} << 16;
/// Axes of a tensor in a .npy or a .safetensors, as many as NumPy has.
inline constexpr std::size_t kMaxTensorAxes = 64;
/// Bytes of a .npy's header: NumPy's own limit (max_header_size of numpy.load), though 64 sizes of
/// 19 digits need 1,400.
inline constexpr std::size_t kMaxNpyHeaderBytes = 10000;
/// To how many bytes one of a .npz can unfold: deflate's densest code is 2 bits for a copy of 258
/// bytes (RFC 1951, section 3.2.5).
inline constexpr std::uint64_t kMaxDeflateRatio = 1032;
/// Of a vocab.txt.
inline constexpr std::size_t kMaxVocabularyBytes = std::size_t{1} << 26;
/// Longer words are unknown: max_input_chars_per_word of Hugging Face's tokenizers.
inline constexpr std::size_t kLongestWord = 100;
/// A side of an image, a patch or a window, in pixels.
inline constexpr Index kMaxPixels = Index{1} << 16;
/// Ranks that share the tokens of a sequence.
inline constexpr Index kMaxRanks = 4096;

namespace gguf {
// Limits of the format (docs/gguf.md of the project ggml), and of what is worth keeping.
inline constexpr std::uint64_t kMostKeyBytes = 65535;
inline constexpr std::uint32_t kMostAxes = 4;      // GGML_MAX_DIMS
inline constexpr std::int64_t kMostParts = 65535;  // split.count has 16 bits
inline constexpr int kDeepestList = 8;
/// Values of a list that are kept: more than the pairs of any head. Of a longer one nothing is.
inline constexpr std::uint64_t kMostListed = 4096;
/// A text that is kept; of a longer one nothing is.
inline constexpr std::size_t kMostTextBytes = 65536;
}  // namespace gguf

}  // namespace ropescope
