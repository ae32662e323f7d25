// The diagnose view on tensors that are made and on files.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/diagnose/diagnose.h"
#include "app/figures/view.h"
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
using ::testing::HasSubstr;
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
    ASSERT_EQ(k.panels.size(), 5U);
    const plot::Figure layout = diagnose_picture({"dump_fault=layout.interleaved"}).figure;
    EXPECT_THAT(layout.title, HasSubstr("layout interleaved, expected half_split"));
    const plot::Figure none = diagnose_picture({"dump_fault=layout.half_split"}).figure;
    EXPECT_THAT(none.subtitle, StartsWith("This encoding has nothing that layout.half_split"));
}

TEST(DiagnoseView, ALowPrecisionOfKAloneIsNoAgreement) {
    const diagnosis::Diagnosis found =
        found_in(apply_settings({}, {"dump_fault=spectrum.low_precision", "dump_fault_in=k"}));
    EXPECT_EQ(found.verdict, diagnosis::Verdict::invalid);
    EXPECT_THAT(codes(found), Contains("spectrum.qk_mismatch"));
    EXPECT_THAT(codes(found), Contains("spectrum.low_precision"));
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
    ASSERT_EQ(pair.size(), 6U);
    EXPECT_EQ(pair[1].value, "0, 64");
    EXPECT_EQ(pair[5].value, "1 rad");
    EXPECT_EQ(shown.readouts_at("distance", {0, 0}).size(), 4U);
    EXPECT_EQ(shown.readouts_at("findings", {0, 0}).front().value, "equivalent");
}

}  // namespace
}  // namespace ropescope::figures
