// The view cache: what a decoder keeps of the tokens that it has read, and what RoPE has to do with
// it. Sources: state.cpp, report.cpp, figure.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/base/number_format.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// Query heads of the layer that is drawn.
inline constexpr Index kCacheQueryHeads = 8;
/// Bytes of a number of a cache in fp16 or bf16.
inline constexpr Index kCachedNumberBytes = 2;

/// What a published model keeps of each token, in all layers.
struct CachedModel {
    std::string_view name;
    Index layers = 0;
    Index numbers = 0;      ///< in one layer
    std::string_view kept;  ///< in words
    std::string_view source;

    Index bytes() const { return layers * numbers * kCachedNumberBytes; }
};
const std::vector<CachedModel>& cached_models();

enum class CachedToken { kept, first, dropped };

/// How far a key that is moved lies from the one that is turned to its new position at once, root
/// mean square over pairs of length 1.
struct ShiftError {
    double position = 0;  ///< at which the key was stored
    double fp32 = 0, fp16 = 0, bf16 = 0;
    double other_speeds = 0;  ///< the base grew after the key was stored
};

struct CacheState {
    RopeSpec spec;
    Spectrum spectrum;
    Index pair = 0;  ///< whose angle is drawn
    bool rotated = true;
    Index key_heads = 1;
    Index shift = 0;
    Index window = 0;  ///< 0: no window
    std::vector<CachedToken> tokens;
    std::vector<ShiftError> errors;

    Index count() const { return std::ssize(tokens); }
    Index kept() const;
    Index key_head_of(Index query_head) const { return query_head * key_heads / kCacheQueryHeads; }
    /// Radians by which the stored key of a token is turned in the pair that is drawn.
    double angle_rad(Index token) const;
    /// Bytes of keys and values of a layer.
    Index bytes() const { return bytes_of(kept(), key_heads); }
    Index all_bytes() const { return bytes_of(count(), kCacheQueryHeads); }
    /// Multiplications and additions that turn keys when one more token is read.
    Index turning() const { return (rotated ? 1 : kept()) * turning_of_token(); }
    /// The same for moving every key by `shift` positions.
    Index moving() const { return rotated && shift != 0 ? kept() * turning_of_token() : 0; }

  private:
    Index bytes_of(Index tokens_kept, Index heads) const {
        return 2 * tokens_kept * heads * spec.head_dim * kCachedNumberBytes;
    }
    /// Each channel takes two multiplications and an addition.
    Index turning_of_token() const { return 3 * spec.rotary_dim * key_heads; }
};
CacheState make_cache_state(const Scene& scene);

/// The share that a query would give to the first token if it looked at all it sees alike, a mean
/// over the queries whose shares the script measured.
double even_first_share();

/// "512 KiB", "70 272 bytes"
plot::Text bytes_text(Index bytes);
/// "1.97e-08"
plot::Number error_text(double error);

/// CSV: position, error_fp32, error_fp16, error_bf16, error_other_speeds.
plot::DataTable cache_data(const CacheState& state);
/// The rows of the panel of facts.
std::vector<plot::Facts::Fact> cache_facts(const CacheState& state);
plot::Text cache_report(const CacheState& state);

View cache_view();

}  // namespace ropescope::figures
