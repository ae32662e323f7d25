// What the view absolute says.
#include "core/analysis/absolute.h"

#include <cmath>
#include <complex>

#include "app/figures/shared/content.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

double spread_of(const plot::Figure& figure, const char* column) {
    const auto values = column_of(figure, column);
    return std::ranges::max(values) - std::ranges::min(values);
}

void three_terms_change(const Scene& preset) {
    Scene scene = preset;
    scene.absolute_norm = NormPlace::none;
    const plot::Figure figure = whole_figure(scene, "absolute");
    const auto spread = [&](const char* column) { return spread_of(figure, column); };
    EXPECT_LT(spread("content_content"), 1e-12);
    EXPECT_LT(spread("rope"), 1e-12);
    for (const char* term :
         {"content_position", "position_content", "position_position", "additive_sum"}) {
        EXPECT_GT(spread(term), 1e-6) << term;
    }
}

/// A norm before the rotation leaves RoPE's line level, one after it does not.
void norm_behind_bends_the_line(const Scene& preset) {
    Scene scene = preset;
    scene.absolute_norm = NormPlace::before;
    EXPECT_LT(spread_of(whole_figure(scene, "absolute"), "rope"), 1e-11);
    scene.absolute_norm = NormPlace::after;
    EXPECT_GT(spread_of(whole_figure(scene, "absolute"), "rope"), 1e-6);
}

/// The score of RoPE at the first place by another route: the rotation as a product of complex
/// numbers, and the norm from the lengths of the pairs.
double normed_score_at_first(const Said& s) {
    const Scene& scene = s.scene;
    const RopeSpec spec = unscaled_rope_spec(scene);
    RopeSpec whole = spec;
    whole.head_dim = spec.rotary_dim;
    const Spectrum spectrum = make_spectrum(spec);
    const Content content = make_content(scene);
    const auto seed = static_cast<std::uint64_t>(scene.content_seed);
    using Pair = std::complex<double>;
    const auto made = [&](std::uint64_t map, const std::vector<double>& angles, double position) {
        const auto row =
            Projection(spec.rotary_dim, 2 * seed + map).apply(head_vector(whole, angles));
        std::vector<Pair> pairs;
        double squares = 0;
        for (int i = 0; i < spec.pairs(); ++i) {
            const auto [a, b] = pair_channels(spec.layout, spec.rotary_dim, i);
            pairs.emplace_back(row[a], row[b]);
            squares += std::norm(pairs.back());
        }
        const double scale = 1 / std::sqrt(squares / to_double(spec.rotary_dim) + 1e-6);
        const auto weighed = [&](Pair pair) { return scale * Pair(pair.real(), 2 * pair.imag()); };
        for (int i = 0; i < spec.pairs(); ++i) {
            const Pair turn = std::polar(1.0, position * spectrum.inv_freq_rad[i]);
            pairs[i] = scene.absolute_norm == NormPlace::before ? turn * weighed(pairs[i])
                                                                : weighed(turn * pairs[i]);
        }
        return pairs;
    };
    const auto q = made(1, content.q_rad, s.column("query_position").front());
    const auto k = made(2, content.k_rad, s.column("key_position").front());
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
        sum += (q[i] * std::conj(k[i])).real();
    }
    return sum / std::sqrt(to_double(spec.rotary_dim));
}

/// Shift 0: ones on the diagonal. Any shift: columns of length 1 at right angles.
void shift_map_is_a_rotation(const Scene& preset) {
    for (const std::int64_t shift : {0, 16}) {
        Scene scene = preset;
        scene.shift = shift;
        const plot::Figure figure = whole_figure(scene, "absolute");
        for (const plot::Panel& panel : figure.panels) {
            if (panel.id != "shift") {
                continue;
            }
            const auto& map = std::get<plot::HeatMap>(panel.marks.front());
            for (Index a = 0; a < map.columns; ++a) {
                for (Index b = 0; b < map.columns; ++b) {
                    double product = 0;
                    for (Index row = 0; row < map.rows; ++row) {
                        product += double{map.values[row * map.columns + a]} *
                                   map.values[row * map.columns + b];
                    }
                    EXPECT_NEAR(product, a == b ? 1 : 0, 1e-6);  // fp32 values
                    const float entry = map.values[b * map.columns + a];
                    if (shift == 0) {
                        EXPECT_EQ(entry, a == b ? 1.0F : 0.0F);
                    }
                }
            }
        }
    }
}

void absolute_terms(const Under& u) {
    const std::vector<Under::Key> row = {{"query_position", u.value("query m")}};
    u.is_if_listed("key n", u.in_table("key_position", row));
    u.is_if_listed("content · content", u.in_table("content_content", row));
    u.is_if_listed("content · position", u.in_table("content_position", row));
    u.is_if_listed("position · content", u.in_table("position_content", row));
    u.is_if_listed("position · position", u.in_table("position_position", row));
    u.is_if_listed("their sum", u.in_table("additive_sum", row));
    u.is_if_listed("RoPE", u.in_table("rope", row));
}

void absolute_cell(const Under& u) {
    const Index channel = u.whole("channel");
    EXPECT_EQ(u.whole("pair"), channel / 2);
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    u.is("p", sinusoidal_row(spectrum, u.whole("position"))[channel]);
}

void absolute_shift(const Under& u) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    const Index from = u.whole("from channel"), to = u.whole("to channel");
    // A column of the map is where a unit vector of the channel goes: a turn by the shift.
    const double angle = reduced_angle_rad(u.scene.shift, spectrum.inv_freq_rad[from / 2]);
    const double entry = from / 2 != to / 2 ? 0.0
                         : from == to       ? std::cos(angle)
                         : from % 2 == 0    ? -std::sin(angle)
                                            : std::sin(angle);
    u.is("entry", entry);
}

ViewClaims absolute_claims() {
    return {
        "absolute",
        {
            {"Added positions leave four terms in a score, RoPE one",
             [](const Said& s) {
                 EXPECT_LE(std::min(spread_of(s.figure, "additive_sum"),
                                    s.scene.absolute_norm == NormPlace::after
                                        ? spread_of(s.figure, "rope")
                                        : 1.0),
                           1e-6);
             }},
            {"Same distance, different scores: added positions give {} to {}, RoPE with a norm "
             "after it {} to {}",
             [](const Said& s) {
                 const auto sum = s.column("additive_sum"), rope = s.column("rope");
                 s.numbers({std::ranges::min(sum), std::ranges::max(sum), std::ranges::min(rope),
                            std::ranges::max(rope)});
                 EXPECT_NE(s.rounded(0), s.rounded(1)) << "says that they differ";
                 EXPECT_NE(s.rounded(2), s.rounded(3)) << "says that they differ";
             }},
            {"RoPE's q and k have an RMS norm {} the rotation",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), to_string(s.scene.absolute_norm));
                 EXPECT_NEAR(s.column("rope").front(), normed_score_at_first(s), 1e-6);
             }},
            {"Same distance, different scores: added positions give {} to {}, RoPE always {}",
             [](const Said& s) {
                 const auto sum = s.column("additive_sum"), rope = s.column("rope");
                 s.numbers({std::ranges::min(sum), std::ranges::max(sum)});
                 EXPECT_NE(s.rounded(0), s.rounded(1)) << "says that they differ";
                 for (const double score : rope) {
                     EXPECT_NEAR(score, s.rounded(2), 0.005 + 1e-9);
                 }
             }},
            {"{}; W_{{q}} and W_{{k}} are fixed random orthogonal maps. Bottom: query and key "
             "slide "
             "together",
             [](const Said& s) { s.number(0, to_double(s.scene.rotary_dim)); }},
            {"A score is computed every {} positions",
             [](const Said& s) {
                 const auto m = s.column("query_position");
                 s.number(0, m[1] - m[0]);
             }},
            {"shift map M_{{{}}}", [](const Said& s) { s.number(0, to_double(s.scene.shift)); }},
            {"n − m = {}",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.key_position - s.scene.query_position));
             }},
        },
        {
            {"Put a norm with weights after the rotation, and it does so no longer",
             norm_behind_bends_the_line},
            {"One linear map moves every position by s, and that map is a rotation",
             shift_map_is_a_rotation},
            {"But added vectors leave four terms in a score, and three of them change along the "
             "sequence",
             three_terms_change},
            {"Shift 0 is the identity; raise it and the blocks turn", shift_map_is_a_rotation},
            {"Move query and key apart: the sum of the terms goes up and down with m, and RoPE's "
             "line stays level",
             three_terms_change},
        },
        {
            {"terms", absolute_terms},
            {"sinusoidal", absolute_cell},
            {"shift", absolute_shift},
        },
        {ReportTable{.first = "m",
                     .keys = {{"m", "query_position"}, {"n", "key_position"}},
                     .values = {{"content·content", "content_content"},
                                {"content·position", "content_position"},
                                {"position·content", "position_content"},
                                {"position·position", "position_position"},
                                {"sum", "additive_sum"},
                                {"RoPE", "rope"}}}},
        {
            {"(W_q (x + p_m)) · (W_k (y + p_n)) / sqrt(d) at n − m = {}: between {} and {}, "
             "depending on where",
             [](const Said& s) {
                 const auto sum = s.column("additive_sum");
                 s.numbers({to_double(s.scene.key_position - s.scene.query_position),
                            std::ranges::min(sum), std::ranges::max(sum)});
             }},
            {"RoPE on the same content{}: {}, everywhere within {}",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0).empty(), s.scene.absolute_norm == NormPlace::none);
                 s.number(0, std::ranges::min(s.column("rope")));
                 EXPECT_LE(spread_of(s.figure, "rope"), s.value(1));
                 EXPECT_LT(s.value(1), 1e-11 * std::sqrt(to_double(s.scene.rotary_dim)));
             }},
            {"RoPE on the same content, with a norm after it: between {} and {}",
             [](const Said& s) {
                 const auto rope = s.column("rope");
                 s.numbers({std::ranges::min(rope), std::ranges::max(rope)});
             }},
            {"The shift map M_{}: blocks [[c, s], [−s, c]] on its diagonal, the same for every m",
             [](const Said& s) { s.number(0, to_double(s.scene.shift)); }},
        },
        {{"position_count=1"},
         {"position_count=1", "absolute_norm=after"},
         {"absolute_norm=before"},
         {"absolute_norm=after"},
         {"position_count=100000"},
         // Two scores that two digits do not tell apart.
         {"model=phi-3-mini-128k", "query_position=6", "base=10400000", "content_seed=76",
          "position_count=2"}}};
}

const RegisteredClaims kAbsoluteClaims{absolute_claims};

}  // namespace

}  // namespace ropescope::figures
