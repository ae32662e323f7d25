// The diagnose view on tensors that are made and on files.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/diagnose/diagnose.h"
#include "app/figures/view.h"
#include "app/scene/fault_names.h"
#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "core/formats/presets.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/support/input_error.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope::figures {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Picture diagnose_picture(const std::vector<std::string>& settings, const Work& work = {}) {
    Scene scene = apply_settings({}, settings);
    scene.view = "diagnose";
    return make_picture(scene, *make_cpu_engine(1), work);
}

std::vector<std::string> codes(const diagnosis::Diagnosis& found) {
    std::vector<std::string> all;
    std::ranges::transform(found.findings, std::back_inserter(all), &diagnosis::Finding::code);
    return all;
}

std::vector<std::string> faults() {
    std::vector<std::string> choices = parameter_by_name("dump_fault").choices;
    std::erase(choices, "none");
    return choices;
}

diagnosis::Diagnosis found_in(const Scene& scene) {
    FigureCache cache;
    return make_diagnose_state(scene, {.cache = &cache})->diagnosis();
}

std::string corpus(const std::string& name) {
    return test::source_dir() + "/tests/fuzz/corpus/dump/" + name;
}

TEST(DiagnoseView, ARightDumpIsAsTheModelSaysForEveryPreset) {
    for (const ModelConfig& model : model_presets()) {
        const diagnosis::Diagnosis found = found_in(with_model({}, model));
        EXPECT_EQ(found.verdict, diagnosis::Verdict::valid) << model.id << ": " << found.summary();
        EXPECT_TRUE(found.mismatches.empty()) << model.id << ": " << found.summary();
    }
}

TEST(DiagnoseView, APlantedFaultIsFoundOrCannotBeThere) {
    for (const char* model : {"llama-2-7b", "llama-3.1-8b", "gpt-j-6b", "phi-2", "deepseek-v3"}) {
        for (const std::string& fault : faults()) {
            for (const char* in : {"q_and_k", "k"}) {
                Scene scene =
                    apply_settings({}, {std::string("model=") + model, "dump_fault=" + fault,
                                        std::string("dump_fault_in=") + in});
                FigureCache cache;
                const auto state = make_diagnose_state(scene, {.cache = &cache});
                const diagnosis::Diagnosis& found = state->diagnosis();
                if (state->fault.empty()) {
                    EXPECT_EQ(state->unseen, fault);
                    EXPECT_EQ(found.verdict, diagnosis::Verdict::valid) << found.summary();
                    continue;
                }
                const bool seen =
                    found.verdict == diagnosis::Verdict::invalid || !found.mismatches.empty() ||
                    std::ranges::any_of(found.findings,
                                        [&](const auto& finding) { return finding.code == fault; });
                EXPECT_TRUE(seen) << model << ", " << fault << " in " << in << ": "
                                  << found.summary();
            }
        }
    }
}

TEST(DiagnoseView, SaysTheFaultInItsTitle) {
    const plot::Figure k = diagnose_picture({"dump_fault=sign.reversed", "dump_fault_in=k"}).figure;
    EXPECT_EQ(k.title, "Invalid: k turns the other way than q");
    EXPECT_THAT(k.subtitle, StartsWith("Planted: each pair was turned the other way."));
    ASSERT_EQ(k.panels.size(), 6U) << "with the map of what rounding does not explain";
    const plot::Figure layout = diagnose_picture({"dump_fault=layout.interleaved"}).figure;
    EXPECT_THAT(layout.title, HasSubstr("layout interleaved, expected half-split"));
    const plot::Figure none = diagnose_picture({"dump_fault=layout.half_split"}).figure;
    EXPECT_THAT(none.subtitle, StartsWith("This encoding has nothing that the fault \"the halves "
                                          "are the pairs\" could concern."));
}

TEST(DiagnoseView, ALowPrecisionOfKAloneIsNoAgreement) {
    const diagnosis::Diagnosis found =
        found_in(apply_settings({}, {"dump_fault=spectrum.low_precision", "dump_fault_in=k"}));
    EXPECT_EQ(found.verdict, diagnosis::Verdict::invalid);
    EXPECT_THAT(codes(found), Contains("spectrum.low_precision"));
    EXPECT_EQ(found.findings.front().place.sides, diagnosis::Side::k);
}

TEST(DiagnoseView, ReadsAFileBesideTheFrame) {
    FigureCache cache;
    const std::vector<std::string> settings = {"dump=" + corpus("f32"), "dump_expected=no"};
    const Picture draft = diagnose_picture(settings, {.cache = &cache, .may_draft = true});
    EXPECT_TRUE(draft.draft);
    const Picture whole = diagnose_picture(settings, {.cache = &cache});
    EXPECT_FALSE(whole.draft);
    EXPECT_THAT(whole.figure.subtitle, HasSubstr("Recovered from f32."));
    EXPECT_FALSE(diagnose_picture(settings, {.cache = &cache, .may_draft = true}).draft)
        << "now it is known";
    EXPECT_THAT(test::input_error([&] { diagnose_picture({"dump=/does/not/exist.npz"}); }),
                StartsWith("dump: "));
}

/// q and k [1, 2, 40, 16]; `sign(name, head)` is that of the turns.
void add_sides(std::vector<Tensor>& tensors, const std::string& prefix,
               const std::function<Index(const std::string&, Index)>& sign) {
    const RopeSpec spec{.head_dim = 16, .rotary_dim = 16};
    const std::vector<std::int64_t> shape = {1, 2, 40, 16};
    for (const std::string name : {"q", "k"}) {
        std::vector<double> before, after;
        for (Index row = 0; row < 80; ++row) {
            std::vector<double> x(16);
            for (std::size_t c = 0; c < x.size(); ++c) {
                x[c] = to_float(std::sin(1.0 + 0.7 * to_double(row) + static_cast<double>(c * c)));
            }
            const std::vector<double> y =
                rotate_by_elements(spec, x, sign(name, row / 40) * (row % 40));
            before.insert(before.end(), x.begin(), x.end());
            after.insert(after.end(), y.begin(), y.end());
        }
        tensors.push_back(make_tensor_as(Dtype::f32, prefix + name, shape, before));
        tensors.push_back(make_tensor_as(Dtype::f32, prefix + name + "_rot", shape, after));
    }
}

TEST(DiagnoseView, DrawsTheHeadsAndTheLayerThatAreWrong) {
    const test::TempFolder folder;
    const auto subtitle = [&](const std::vector<Tensor>& tensors, const std::string& name) {
        write_safetensors(folder / name, tensors);
        FigureCache cache;
        return diagnose_picture({"dump=" + (folder / name).string(), "dump_expected=no"},
                                {.cache = &cache})
            .figure.subtitle;
    };
    std::vector<Tensor> heads, layers;
    add_sides(heads, "", [](const std::string& name, Index head) {
        return name == "k" && head == 1 ? -1 : 1;
    });
    EXPECT_THAT(subtitle(heads, "heads.safetensors"),
                HasSubstr("The panels show q, head 1, and k, head 1."));
    add_sides(layers, "layers.0.", [](const std::string&, Index) { return 1; });
    add_sides(layers, "layers.1.",
              [](const std::string& name, Index) { return name == "k" ? -1 : 1; });
    EXPECT_THAT(subtitle(layers, "layers.safetensors"), HasSubstr("The panels show layer 1."));
}

TEST(DiagnoseView, TellsTheValuesUnderTheCursor) {
    const Picture shown = diagnose_picture({"dump_fault=positions.offset"});
    const auto token = shown.readouts_at("positions", {3.2, 0});
    ASSERT_EQ(token.size(), 5U);
    EXPECT_EQ(token[1].value, "3");
    EXPECT_EQ(token[2].value, "4") << "one later than stated";
    const auto pair = shown.readouts_at("spectrum", {0, 1});
    ASSERT_EQ(pair.size(), 8U);
    EXPECT_EQ(pair[1].value, "0, 64");
    EXPECT_EQ(pair[3].name, "q / expected");
    EXPECT_EQ(pair[3].value, "1");
    EXPECT_EQ(pair[7].value, "1 rad");
    EXPECT_EQ(shown.readouts_at("distance", {0, 0}).size(), 4U);
    EXPECT_EQ(shown.readouts_at("findings", {0, 0}).front().value, "equivalent");
}

const plot::Panel& diagnose_panel(const plot::Figure& figure, std::string_view id) {
    return *std::ranges::find(figure.panels, id, &plot::Panel::id);
}

/// The points of q in the first panel: they are drawn last.
std::vector<plot::Point> ratios(const std::vector<std::string>& settings) {
    const plot::Figure figure = diagnose_picture(settings).figure;
    return std::get<plot::Points>(diagnose_panel(figure, "spectrum").marks.back()).points;
}

/// What the first panel shows is one in right code, and else what was planted.
TEST(DiagnoseView, ShowsSpeedOverExpectedSpeed) {
    const auto all_within = [](const std::vector<plot::Point>& points, double low, double high) {
        return std::ranges::all_of(points,
                                   [&](plot::Point p) { return low <= p.y && p.y <= high; });
    };
    const auto right = ratios({});
    EXPECT_EQ(right.size(), 64U);
    // fp32 tensors over 40 tokens: the slowest pair moves by 40 * 1.2e-4 rad, known to 1e-7.
    EXPECT_TRUE(all_within(right, 1 - 1e-3, 1 + 1e-3));
    EXPECT_TRUE(all_within(ratios({"dump_fault=sign.reversed"}), -1 - 1e-3, -1 + 1e-3));
    const auto rounded = ratios({"dump_fault=spectrum.low_precision"});
    EXPECT_FALSE(all_within(rounded, 1 - 1e-3, 1 + 1e-3)) << "bf16 has 8 digits";
    EXPECT_TRUE(all_within(rounded, 1 - 0x1p-8 - 1e-3, 1 + 0x1p-8 + 1e-3));
    for (const auto& [pair, ratio] :
         ratios({"model=llama-3.1-8b", "dump_fault=spectrum.default"})) {
        if (pair >= 40) {  // Llama 3.1 divides the slow pairs by 8, and the fault does not
            EXPECT_NEAR(ratio, 8, 0.2) << pair;
        }
    }
    const plot::Figure alone = diagnose_picture({"dump_expected=no"}).figure;
    EXPECT_EQ(diagnose_panel(alone, "spectrum").title, "speed of each pair over the explained one");
}

/// One wrong pair of one head of one row is all that the map marks.
TEST(DiagnoseView, DrawsWhereRoundingDoesNotExplain) {
    const RopeSpec spec{.head_dim = 16, .rotary_dim = 16};
    const test::TempFolder folder;
    std::vector<Tensor> tensors;
    add_sides(tensors, "", [](const std::string&, Index) { return 1; });
    auto wrong = std::ranges::find(tensors, "k_rot", &Tensor::name);
    std::vector<double> values = to_f64(wrong->view());
    values[(40 + 7) * 16 + 3] += 0.5;  // head 1, token 7, channel 3: pair 3 of (i, i + 8)
    *wrong = make_tensor_as(Dtype::f32, "k_rot", {1, 2, 40, 16}, values);
    write_safetensors(folder / "one.safetensors", tensors);
    Scene scene = apply_settings({}, {"dump=" + (folder / "one.safetensors").string(),
                                      "head_dim=16", "rotary_dim=16", "base=10000"});
    scene.view = "diagnose";
    FigureCache cache;
    const auto sides = strips_of(*make_diagnose_state(scene, {.cache = &cache}));
    ASSERT_EQ(sides.size(), 1U) << "q is right";
    std::vector<std::string> texts;
    for (const Strip& strip : sides.front()) {
        ASSERT_EQ(strip.outside.size(), 1U);
        texts.push_back(std::string(to_string(strip.side)) + " " + std::string(strip.noun) + " " +
                        std::to_string(strip.outside.front()) + " of " +
                        std::to_string(strip.count));
    }
    EXPECT_THAT(texts, ElementsAre("k pair 3 of 8", "k token 7 of 40", "k head 1 of 2"));
    const Picture picture =
        diagnose_picture({"dump=" + scene.dump, "head_dim=16", "rotary_dim=16"});
    // The strips stand one below the other: the token's is in the middle.
    const auto token = picture.readouts_at("unexplained_k", {7.5 / 40, 1});
    ASSERT_EQ(token.size(), 2U);
    EXPECT_EQ(token[0].value, "7");
    EXPECT_EQ(token[1].value, "no");
    EXPECT_EQ(picture.readouts_at("unexplained_k", {8.5 / 40, 1})[1].value, "yes");
    EXPECT_FALSE(std::ranges::any_of(diagnose_picture({}).figure.panels, [](const auto& panel) {
        return panel.id.starts_with("unexplained");
    })) << "of right tensors nothing is left";
}

/// As `diagnose --map --axes --position-axes`.
TEST(DiagnoseView, TakesNamesAndAxesAsTheCommandDoes) {
    const test::TempFolder folder;
    std::vector<Tensor> tensors;
    add_sides(tensors, "", [](const std::string&, Index) { return 1; });
    for (Tensor& tensor : tensors) {
        tensor.name = "my_" + tensor.name;
    }
    write_safetensors(folder / "own.safetensors", tensors);
    const std::string dump = "dump=" + (folder / "own.safetensors").string();
    const std::string map = "dump_map=q=my_q,q_rot=my_q_rot,k=my_k,k_rot=my_k_rot";
    const auto why = [&](std::vector<std::string> settings) {
        settings.push_back(dump);
        return test::input_error([&] { diagnose_picture(settings); });
    };
    EXPECT_THAT(why({}), HasSubstr("--map q=NAME,q_rot=NAME says which they are"));
    EXPECT_THAT(why({map, "dump_axes=hld"}), HasSubstr("has 4 axes, and --axes names 3"));
    EXPECT_THAT(why({"dump_map=q"}), HasSubstr("'q' is not a pair"));
    const auto title = [&](std::vector<std::string> settings) {
        settings.insert(settings.end(), {dump, map, "dump_expected=no"});
        return std::string(diagnose_picture(settings).figure.title);
    };
    EXPECT_THAT(title({}), StartsWith("Valid"));
    EXPECT_THAT(title({"dump_axes=bhld"}), StartsWith("Valid"));
    EXPECT_THAT(title({"dump_axes=blhd"}), Not(StartsWith("Valid"))) << "heads taken for tokens";
}

/// Findings stand under words that people use, each once.
TEST(DiagnoseView, GroupsWhatItFound) {
    const plot::Figure figure =
        diagnose_picture({"dump_fault=spectrum.low_precision", "dump_fault_in=k"}).figure;
    const auto& rows = std::get<plot::Facts>(diagnose_panel(figure, "findings").marks.front()).rows;
    std::vector<std::string> names;
    for (const auto& row : rows) {
        EXPECT_EQ(row.name.find('.'), std::string::npos) << row.name << " is a code";
        if (!row.name.empty()) {
            names.push_back(row.name);
        }
    }
    EXPECT_THAT(names, Contains("Speeds").Times(1));
}

/// Every fault that the list offers has a name of its own, and those of a group stand together.
TEST(DiagnoseView, NamesEveryFaultThatItPlants) {
    std::vector<std::string> groups, names;
    for (const std::string& fault : faults()) {
        names.push_back(fault_name(fault));
        EXPECT_NE(names.back(), fault);
        const std::string group(fault_group(fault));
        if (groups.empty() || groups.back() != group) {
            groups.push_back(group);
        }
    }
    EXPECT_THAT(groups, Not(Contains("")));
    for (std::vector<std::string>* words : {&groups, &names}) {
        std::ranges::sort(*words);
        EXPECT_EQ(std::ranges::adjacent_find(*words), words->end());
    }
}

}  // namespace
}  // namespace ropescope::figures
