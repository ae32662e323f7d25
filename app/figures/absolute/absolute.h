// The absolute view: what added positions leave in a score. Sources: state.cpp, figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/absolute.h"
#include "core/base/index.h"

namespace ropescope::figures {

/// The scores of one pair of contents, the query at position m and the key at n.
struct AbsoluteScores {
    Index m = 0, n = 0;
    AdditiveTerms additive;
    double rope = 0;  ///< (R_m W_q x)^T R_n W_k y / sqrt(d), both normalised if there is a norm
};

/// The sinusoidal table: of a wide one every n-th pair, of a long one every n-th position.
struct SinusoidalTable {
    Index channels = 0, columns = 0;
    std::vector<float> values = {};  ///< [channels, columns]
};

/// The shift map M_s of the first pairs: p_{m+s} = M_s p_m.
struct ShiftMap {
    Index size = 0;
    std::vector<double> values = {};  ///< [size, size]
    double at(Index row, Index column) const { return values[row * size + column]; }
};

struct AbsoluteState {
    RopeSpec spec;
    Spectrum spectrum;
    Index shift = 0;
    Index delta = 0;                     ///< n - m
    Index count = 1;                     ///< positions drawn, from the first that has a key
    Projection query_map, key_map;       ///< stand for learned W_q and W_k
    NormPlace norm = NormPlace::none;    ///< of RoPE's q and k
    std::vector<double> x = {}, y = {};  ///< the contents, projected by them [rotary_dim]
    std::vector<double> q = {}, k = {};  ///< the same for RoPE: normalised, if that comes first
    SinusoidalTable table = {};
    ShiftMap shift_map = {};
    Index step = 1;  ///< positions between two scores
    std::vector<AbsoluteScores> scores = {};
    double additive_least = 0, additive_most = 0, rope_least = 0, rope_most = 0;

    /// The scores with the query at position m, drawn there or not.
    AbsoluteScores scores_at(Index m) const;
};
AbsoluteState make_absolute_state(const Scene& scene);

/// CSV: query_position, key_position, content_content, content_position, position_content,
/// position_position, additive_sum, rope: the scores over sqrt(d) as the lower panel draws them.
plot::DataTable absolute_data(const AbsoluteState& state);

plot::Text absolute_report(const AbsoluteState& state);

View absolute_view();

}  // namespace ropescope::figures
