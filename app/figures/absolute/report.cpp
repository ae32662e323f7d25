// Writes the absolute view as text and as CSV.
#include <fmt/format.h>

#include "app/figures/absolute/absolute.h"
#include "app/figures/shared/text.h"

namespace ropescope::figures {

plot::Text absolute_report(const AbsoluteState& state) {
    constexpr Index kMostRows = 17;
    const Index count = std::ssize(state.scores);
    const Index shown = std::min(count, kMostRows);
    std::vector<std::vector<std::string>> rows;
    for (Index row = 0; row < shown; ++row) {
        const AbsoluteScores& at = state.scores[shown == 1 ? 0 : row * (count - 1) / (shown - 1)];
        const AdditiveTerms& terms = at.additive;
        rows.push_back({whole_text(at.m), whole_text(at.n), signed_text(terms.content_content, 4),
                        signed_text(terms.content_position, 4),
                        signed_text(terms.position_content, 4),
                        signed_text(terms.position_position, 4), signed_text(terms.sum(), 4),
                        signed_text(at.rope, 4)});
    }
    std::vector<std::vector<std::string>> blocks;
    const Index channels = std::min<Index>(16, state.shift_map.size);
    for (Index sin = 0; sin < channels; sin += 2) {
        blocks.push_back({fmt::format("{}, {}", sin, sin + 1),
                          signed_text(state.shift_map.at(sin, sin), 4),
                          signed_text(state.shift_map.at(sin, sin + 1), 4)});
    }
    return plot::say(
               "(W_q (x + p_m)) · (W_k (y + p_n)) / sqrt(d) at n − m = {}: between {} and "
               "{}, depending on where. RoPE on the same content: {}, everywhere within "
               "{}.\n\n",
               whole_text(state.delta), signed_text(state.additive_least, 4),
               signed_text(state.additive_most, 4), signed_text(state.rope_least, 4),
               plot::Number(fmt::format("{:.1e}", state.rope_most - state.rope_least),
                            state.rope_most - state.rope_least)) +
           text_table({"m", "n", "content·content", "content·position", "position·content",
                       "position·position", "sum", "RoPE"},
                      rows) +
           plot::say(
               "\nThe shift map M_{}: blocks [[c, s], [−s, c]] on its diagonal, the same "
               "for every m\n",
               state.shift) +
           text_table({"channels", "c", "s"}, blocks);
}

plot::DataTable absolute_data(const AbsoluteState& state) {
    std::vector<Index> m, n;
    std::vector<double> cc, cp, pc, pp, sum, rope;
    for (const AbsoluteScores& at : state.scores) {
        m.push_back(at.m);
        n.push_back(at.n);
        cc.push_back(at.additive.content_content);
        cp.push_back(at.additive.content_position);
        pc.push_back(at.additive.position_content);
        pp.push_back(at.additive.position_position);
        sum.push_back(at.additive.sum());
        rope.push_back(at.rope);
    }
    return {{{"query_position", std::move(m)},
             {"key_position", std::move(n)},
             {"content_content", std::move(cc)},
             {"content_position", std::move(cp)},
             {"position_content", std::move(pc)},
             {"position_position", std::move(pp)},
             {"additive_sum", std::move(sum)},
             {"rope", std::move(rope)}}};
}

}  // namespace ropescope::figures
