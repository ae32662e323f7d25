// What the view model says.
#include "core/models/model.h"

#include <cmath>
#include <map>
#include <set>

#include "core/formats/presets.h"
#include "core/scaling/method.h"
#include "tests/property/sentences/readouts.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

/// Whether one of the model's layers has such an encoding.
bool some_rope(const Said& s, const std::function<bool(const RopeSpec&)>& wanted) {
    const ModelConfig& model = preset_of(s);
    return wanted(model.rope) || std::ranges::any_of(model.layer_ropes, [&](const LayerRope& of) {
               return wanted(of.rope);
           });
}

/// Holds if it is true of the encoding of one of the model's layers.
std::function<void(const Said&)> of_some_rope(bool (*holds)(const Said&, const RopeSpec&)) {
    return [holds](const Said& s) {
        EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) { return holds(s, rope); }));
    };
}

bool is_assumed(const Said& s) {
    return std::ranges::find(preset_of(s).assumptions, s.word(0)) != preset_of(s).assumptions.end();
}

/// The length that the scene names, or the whole context.
double length_of(const Said& s) {
    return to_double(s.scene.seq_len > 0 ? s.scene.seq_len : preset_of(s).max_positions);
}

RopeSpec at_length_of(const Said& s, RopeSpec rope) {
    rope.seq_len = rope.seq_len == 0 ? static_cast<Index>(length_of(s)) : rope.seq_len;
    return rope;
}

/// A fact that is a number by itself is an attention factor or a count of layers; in words it is an
/// assumption, or says how a part counts positions.
void states_a_fact(const Said& s) {
    const ModelConfig& model = preset_of(s);
    if (s.places.numbers.empty()) {
        EXPECT_TRUE(is_assumed(s) ||
                    std::ranges::any_of(open_model(s.scene.model).parts,
                                        [&](const Part& part) {
                                            return describe_positions(part.scheme) == s.word(0);
                                        }))
            << s.word(0);
        return;
    }
    EXPECT_TRUE(some_rope(s,
                          [&](const RopeSpec& rope) {
                              return s.value(0) ==
                                     make_spectrum(at_length_of(s, rope)).attention_factor;
                          }) ||
                std::ranges::any_of(model.layer_ropes, [&](const LayerRope& of) {
                    return s.value(0) == to_double(of.layers);
                }));
}

/// The spectra of the CSV, by the type of layer.
std::map<std::string, std::vector<double>> spectra(const plot::Figure& figure) {
    std::map<std::string, std::vector<double>> found;
    const auto what = words_of(figure, "what"), name = words_of(figure, "name"),
               value = words_of(figure, "value");
    for (std::size_t row = 0; row < what.size(); ++row) {
        if (what[row] == "inv_freq_rad") {
            found[name[row].substr(0, name[row].rfind(' '))].push_back(std::stod(value[row]));
        }
    }
    return found;
}

void local_layers_turn_faster(const Scene&) {
    for (const char* id : {"gemma-3-1b", "gemma-3-4b", "modernbert-base"}) {
        Scene scene;
        scene.model = id;
        const auto layers = spectra(whole_figure(scene, "model"));
        ASSERT_EQ(layers.size(), 2U) << id;
        const bool local_first = layers.begin()->first.find("sliding") != std::string::npos;
        const auto& local = local_first ? layers.begin()->second : layers.rbegin()->second;
        const auto& global = local_first ? layers.rbegin()->second : layers.begin()->second;
        for (std::size_t pair = 1; pair < local.size(); ++pair) {
            EXPECT_GT(local[pair], global[pair]) << id;
        }
    }
}

/// One of the layers' spectra of the table has the values of the pair.
void model_pair(const Under& u) {
    const auto what = words_of(u.figure, "what"), name = words_of(u.figure, "name"),
               value = words_of(u.figure, "value");
    const auto shown = test::match("#, #", u.text("channels"));
    EXPECT_TRUE(shown && some_rope(u.said(), [&](const RopeSpec& rope) {
                    const ChannelPair of =
                        pair_channels(rope.layout, rope.rotary_dim, u.whole("pair"));
                    return shown->numbers[0].value == to_double(of.first) &&
                           shown->numbers[1].value == to_double(of.second);
                }));
    const std::string pair = " " + u.text("pair");
    bool found = false;
    for (std::size_t row = 0; row < what.size(); ++row) {
        const double speed = what[row] == "inv_freq_rad" ? std::stod(value[row]) : NAN;
        found = found || (name[row].ends_with(pair) && u.number("θ").shows(speed) &&
                          u.number("wavelength").shows(2 * M_PI / speed));
    }
    EXPECT_TRUE(found) << "pair" << pair << ": θ " << u.text("θ");
}

ViewClaims model_claims() {
    return {
        "model",
        {
            {"{}: the slowest pair needs {} positions for one turn",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), preset_of(s).title);
                 const auto speeds = spectra(s.figure).begin()->second;
                 s.number(0, 2 * M_PI / std::ranges::min(speeds));
             }},
            {"{}: {} types of layers {} {}",
             [](const Said& s) {
                 const auto layers = spectra(s.figure);
                 std::set<std::vector<double>> different;
                 for (const auto& [name, speeds] : layers) {
                     different.insert(speeds);
                 }
                 s.numbers({to_double(std::ssize(layers)), to_double(std::ssize(different))});
                 EXPECT_EQ(s.word(1), different.size() == 1 ? "share" : "have");
             }},
            {"{}, {}, {}, {}",
             [](const Said& s) {
                 const ModelConfig& model = preset_of(s);
                 EXPECT_EQ(s.word(0), model.model_type);
                 s.numbers({to_double(model.n_layers), to_double(model.n_heads)});
             }},
            {"context {}",
             [](const Said& s) { s.number(0, to_double(preset_of(s).max_positions)); }},
            {"{} of {} channels, {}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == to_double(rope.rotary_dim) &&
                        s.value(1) == to_double(rope.head_dim) &&
                        s.word(0) ==
                            (rope.layout == Layout::half_split ? "half-split" : "interleaved");
             })},
            {"{}, {}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == rope.base;
             })},
            {"× {}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == extension_factor(rope.scaling);
             })},
            {"from {}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == to_double(original_positions(rope.scaling).value_or(0));
             })},
            {", at seq_len {}", [](const Said& s) { s.number(0, length_of(s)); }},
            {", softmax scale × {}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == make_spectrum(rope).softmax_scale_factor;
             })},
            {"{}", states_a_fact},
            {"{} axes, pairs {} (view axes)",
             [](const Said& s) {
                 EXPECT_TRUE(std::ranges::any_of(
                     open_model(s.scene.model).parts,
                     [&](const Part& part) { return to_double(part.axes()) == s.value(0); }));
             }},
        },
        {
            {"Choose Gemma 3 or ModernBERT at the top: their local layers turn faster",
             local_layers_turn_faster},
        },
        {
            {"spectrum", model_pair},
            {"", held_by_sentences},
        },
        {},
        {
            {"{}: {}",
             [](const Said& s) {
                 EXPECT_TRUE(spectra(s.figure).contains(s.word(0))) << s.word(0);
             }},
            {"head_dim {}, rotary_dim {}, base {}, {}",
             of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == to_double(rope.head_dim) &&
                        s.value(1) == to_double(rope.rotary_dim) && s.value(2) == rope.base &&
                        s.word(0) == to_string(rope.layout);
             })},
            {"scaling {}", of_some_rope([](const Said&, const RopeSpec& rope) {
                 return !std::holds_alternative<NoScaling>(rope.scaling);
             })},
            {"{}{}; attention factor {}{}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == make_spectrum(at_length_of(s, rope)).attention_factor;
             })},
            // The factors of a long prompt: of the whole context.
            {", seq_len {}", [](const Said& s) { s.number(0, length_of(s)); }},
            {", softmax scale times {}", of_some_rope([](const Said& s, const RopeSpec& rope) {
                 return s.value(0) == make_spectrum(rope).softmax_scale_factor;
             })},
            {"source: {}",
             [](const Said& s) {
                 const Preset* const preset = find_preset(s.scene.model);
                 EXPECT_TRUE(preset == nullptr || preset->source == s.word(0));
             }},
            {"assumed: {}", [](const Said& s) { EXPECT_TRUE(is_assumed(s)) << s.word(0); }},
        },
        {{"model=qwen2-vl-7b"},
         {"model=" + test::source_dir() + "/tests/golden/hf_roformer_base/config.json"}}};
}

const RegisteredClaims kModelClaims{model_claims};

}  // namespace

}  // namespace ropescope::figures
