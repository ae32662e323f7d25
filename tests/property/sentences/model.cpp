// What the view model says.
#include <cmath>
#include <map>
#include <set>

#include "core/formats/presets.h"
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

/// Whether the report lists the sentence as an assumption.
bool is_assumed(const Said& s) {
    return s.figure.report.find("assumed: ") != std::string::npos &&
           s.figure.report.find(s.word(0)) != std::string::npos;
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
            {"*: the slowest pair needs # positions for one turn",
             [](const Said& s) {
                 const auto speeds = spectra(s.figure).begin()->second;
                 s.numbers({});
                 EXPECT_TRUE(s.places.numbers.back().shows(2 * M_PI / std::ranges::min(speeds)));
             }},
            {"*: # types of layers have # spectra",
             [](const Said& s) {
                 const auto layers = spectra(s.figure);
                 std::set<std::vector<double>> different;
                 for (const auto& [name, speeds] : layers) {
                     different.insert(speeds);
                 }
                 s.numbers({to_double(std::ssize(layers)), to_double(std::ssize(different))});
             }},
            {"*, # layers, # heads, context #",
             [](const Said& s) {
                 const ModelConfig& model = preset_of(s);
                 s.numbers({to_double(model.n_layers), to_double(model.n_heads),
                            to_double(model.max_positions)});
             }},
            {"# of # channels, *",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     return s.places.numbers[0].shows(to_double(rope.rotary_dim)) &&
                            s.places.numbers[1].shows(to_double(rope.head_dim));
                 }));
             }},
            {"#, softmax scale × #",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     const Spectrum spectrum = make_spectrum(rope);
                     return s.places.numbers[0].shows(spectrum.attention_factor) &&
                            s.places.numbers[1].shows(spectrum.softmax_scale_factor);
                 }));
             }},
            // Of parts that turn in several axes; tests/unit/app/figures/model_parts_test.cpp.
            {"#, *",
             [](const Said& s) {
                 if (!is_assumed(s)) {
                     EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                         return s.places.numbers[0].shows(rope.base);
                     }));
                 }
             }},
            {"#",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     return s.places.numbers[0].shows(make_spectrum(rope).attention_factor);
                 }));
             }},
            {"# layer*", names_only},
            {"wavelength (positions per turn)", names_only},
            {"context #",
             [](const Said& s) { s.number(0, to_double(preset_of(s).max_positions)); }},
            {"*", [](const Said& s) { EXPECT_TRUE(is_assumed(s)) << s.word(0); }},
        },
        {
            {"The model as its config.json describes it: the wavelength of every pair beside its "
             "context, for each type of layer if layers differ; its scaling; what was assumed; and "
             "the tensors of a checkpoint, the largest first",
             nothing_to_compare},
            {"Choose Gemma 3 or ModernBERT at the top: their local layers turn faster",
             local_layers_turn_faster},
            {"Open a folder with a config.json and .safetensors files, or a .npz of your own",
             nothing_to_compare},
            {"The text export lists every tensor", nothing_to_compare},
        },
        {
            {"spectrum", model_pair},
            {"", held_by_sentences},
        },
        {},
        {
            {"*: head_dim #, rotary_dim #, base #, *",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     return s.places.numbers[0].shows(to_double(rope.head_dim)) &&
                            s.places.numbers[1].shows(to_double(rope.rotary_dim)) &&
                            s.places.numbers[2].shows(rope.base) &&
                            s.word(1) == to_string(rope.layout);
                 })) << s.word(0);
             }},
            {"scaling {*}; attention factor #*",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     return s.places.numbers[0].shows(make_spectrum(rope).attention_factor);
                 }));
             }},
            {"scaling {*}, seq_len #; attention factor #",
             [](const Said& s) {  // the factors of a long prompt: of the whole context
                 RopeSpec rope = preset_of(s).rope;
                 rope.seq_len = s.scene.seq_len > 0 ? s.scene.seq_len : preset_of(s).max_positions;
                 s.numbers({to_double(rope.seq_len), make_spectrum(rope).attention_factor});
             }},
            {"source: *",
             [](const Said& s) {
                 EXPECT_TRUE(("source: " + find_preset(preset_of(s).id)->source).find(s.word(0)) !=
                             std::string::npos);
             }},
            {"assumed: *",
             [](const Said& s) {
                 EXPECT_TRUE(std::ranges::any_of(
                     preset_of(s).assumptions, [&](const std::string& assumption) {
                         return assumption.find(s.word(0)) != std::string::npos;
                     }));
             }},
        },
        {},
        {{"model=" + test::source_dir() + "/tests/golden/hf_roformer_base/config.json"}}};
}

const RegisteredClaims kModelClaims{model_claims};

}  // namespace

}  // namespace ropescope::figures
