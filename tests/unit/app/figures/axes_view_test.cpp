// The axes view against angles computed here, patch by patch, from published definitions.
#include <cmath>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/settings.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/app/figures/figure_parts.h"

namespace ropescope::figures {
namespace {

using test::input_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

Scene scene_with(const std::vector<std::string>& settings) {
    Scene scene = apply_settings({}, settings);
    scene.view = "axes";
    return scene;
}

plot::Figure axes_figure(const std::vector<std::string>& settings) {
    return figure_of(scene_with(settings), "axes");
}

/// Rows of the figure's CSV of one table and one model.
std::vector<double> values_of(const plot::Figure& figure, const std::string& table,
                              const std::string& model) {
    const auto words = [&](std::size_t column) {
        return std::get<std::vector<std::string>>(figure.data.columns[column].values);
    };
    const auto tables = words(0), models = words(2);
    const std::vector<double>& all = reals(figure.data, "value");
    std::vector<double> values;
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (tables[row] == table && models[row] == model) {
            values.push_back(all[row]);
        }
    }
    return values;
}

/// angle(pair, from the fixed patch to the one in this frame, row and column).
using Angle = std::function<double(Index pair, Index frame, Index row, Index column)>;

void expect_scores(const plot::Figure& figure, const std::string& model, Index frame, Index rows,
                   Index columns, Index pairs, const Angle& angle) {
    const std::vector<double> scores = values_of(figure, "score", model);
    ASSERT_EQ(std::ssize(scores), rows * columns);
    for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
            double sum = 0;
            for (Index pair = 0; pair < pairs; ++pair) {
                sum += std::cos(angle(pair, frame, row, column));
            }
            // Angles stay below 300 rad: an ulp of the angle and the cosine, twice.
            EXPECT_NEAR(scores[row * columns + column], sum / to_double(pairs), 4 * 300 * 0x1p-53)
                << row << ", " << column;
        }
    }
}

TEST(AxesView, SectionsOfQwen2VlTurnByTimeThenRowsThenColumns) {
    const plot::Figure figure =
        axes_figure({"axes_grid=3x5x7", "axes_frame=2", "axes_fixed_row=1", "axes_fixed_column=4"});
    expect_scores(
        figure, "qwen2-vl-7b", 2, 5, 7, 64, [](Index pair, Index frame, Index row, Index column) {
            const double omega = std::pow(1e6, -2.0 * to_double(pair) / 128.0);
            return omega * to_double(pair < 16 ? frame : pair < 40 ? row - 1 : column - 4);
        });
}

TEST(AxesView, InterleavedQwen3VlTurnsByThreesAndSeesTimeStamps) {
    const plot::Figure figure =
        axes_figure({"axes_model=qwen3-vl-8b", "axes_grid=2x5x7", "axes_frame=1",
                     "axes_fixed_row=1", "axes_fixed_column=4"});
    expect_scores(figure, "qwen3-vl-8b", 1, 5, 7, 64,
                  [](Index pair, Index frame, Index row, Index column) {
                      const double omega = std::pow(5e6, -2.0 * to_double(pair) / 128.0);
                      // A frame of 5 x 7 tokens takes 7 positions, its time stamp 6.
                      const Index later = 13 * frame;
                      const Index axis = pair < 60 ? pair % 3 : 0;
                      return omega * to_double(axis == 0   ? later
                                               : axis == 1 ? later + row - 1
                                                           : later + column - 4);
                  });
}

TEST(AxesView, DinoV3TurnsByCoordinatesFromMinusOneToOne) {
    for (const Index scale : {1, 3}) {
        const Index rows = 4 * scale, columns = 6 * scale;
        const plot::Figure figure =
            axes_figure({"axes_model=dinov3-vit-small",
                         "axes_grid=" + std::to_string(rows) + "x" + std::to_string(columns),
                         "axes_fixed_row=0", "axes_fixed_column=1"});
        expect_scores(figure, "dinov3-vit-small", 0, rows, columns, 32,
                      [&](Index pair, Index, Index row, Index column) {
                          const double period = std::pow(100.0, 4.0 * to_double(pair % 16) / 64.0);
                          const double step =
                              pair < 16 ? 2.0 * to_double(row) / to_double(rows)
                                        : 2.0 * to_double(column - 1) / to_double(columns);
                          return 2 * M_PI * step / period;
                      });
    }
}

TEST(AxesView, MixedPairsTurnAlongADirectionOfTheirOwn) {
    const plot::Figure figure =
        axes_figure({"axes_model=ropevit-mixed-start", "axes_grid=6x6", "axes_head=2"});
    const std::vector<double> omega = values_of(figure, "omega_rad", "ropevit-mixed-start");
    ASSERT_EQ(omega.size(), 2U * 32U);  // x and y of each pair
    expect_scores(figure, "ropevit-mixed-start", 0, 6, 6, 32,
                  [&](Index pair, Index, Index row, Index column) {
                      return omega[2 * pair] * to_double(column - 5) +
                             omega[2 * pair + 1] * to_double(row - 4);
                  });
    EXPECT_THAT(figure.subtitle, HasSubstr("32 by several axes in head 2 of 6"));
}

TEST(AxesView, AlongTheRowOfTheFixedPatchOnlyColumnsTurn) {
    const plot::Figure figure = axes_figure({"axes_row=4", "axes_fixed_row=4", "axes_column=9"});
    EXPECT_EQ(figure.title, "24 of 64 pairs turn from the fixed patch to the chosen one: 24 by w");
}

/// A config.json of Qwen2-VL with other sections, or in another order.
std::string with_sections(const std::string& more) {
    return R"({"model_type": "qwen2_vl", "hidden_size": 3584, "num_attention_heads": 28,
               "rope_theta": 1000000.0,
               "rope_scaling": {"type": "mrope", "mrope_section": [24, 20, 20])" +
           more + "}}";
}

TEST(AxesView, SectionedAndInterleavedAgreeOnTextAndDisagreeOnAnImage) {
    const test::TempFolder folder;
    const auto file = [&](const char* name, const std::string& text) {
        const std::string path = (folder / name).string();
        std::ofstream(path) << text;
        return path;
    };
    const std::string sectioned = file("sectioned.json", with_sections("")),
                      interleaved =
                          file("interleaved.json", with_sections(R"(, "mrope_interleaved": true)"));
    const std::vector<std::string> both = {"axes_model=" + sectioned, "axes_other=" + interleaved};
    std::vector<std::string> text = both;
    text.emplace_back("axes_tokens=text");
    const plot::Figure on_text = axes_figure(text);
    for (const double difference : values_of(on_text, "difference", "")) {
        EXPECT_EQ(difference, 0.0);
    }
    EXPECT_EQ(on_text.title, "Both give every token the same score");
    double largest = 0;
    for (const double difference : values_of(axes_figure(both), "difference", "")) {
        largest = std::max(largest, std::abs(difference));
    }
    EXPECT_GT(largest, 0.1);
}

TEST(AxesView, AClickInAMapMovesTheChosenPatch) {
    const Scene scene = scene_with({"axes_other=qwen3-vl-8b"});
    const Picture picture = picture_of(scene, "axes");
    for (const char* panel : {"map", "map_other", "difference"}) {
        const Scene next = picture.scene_after_click(scene, panel, {2.4, 10.6});
        EXPECT_EQ(next.axes_column, 2);
        EXPECT_EQ(next.axes_row, 11);
        EXPECT_EQ(picture.scene_after_click(scene, panel, {1e9, -1e9}).axes_column, 17);
        EXPECT_TRUE(picture.is_dragged(panel)) << panel;
    }
    EXPECT_EQ(picture.scene_after_click(scene, "spectrum", {2.4, 10.6}), scene);
}

TEST(AxesView, PatchesFollowASmallerGrid) {
    const Scene scene = apply_settings({}, {"axes_grid=2x3"});
    EXPECT_EQ(scene.axes_row, 1);
    EXPECT_EQ(scene.axes_column, 2);
    EXPECT_EQ(scene.axes_fixed_row, 1);
    EXPECT_NO_THROW(figure_of(scene, "axes"));
}

TEST(AxesView, RefusesGridsPatchesAndModelsThatCannotBe) {
    const auto refusal = [](const std::vector<std::string>& settings) {
        return input_error([&] { axes_figure(settings); });
    };
    EXPECT_THAT(refusal({"axes_grid=0x5"}),
                AllOf(HasSubstr("axes_grid: '0x5'"), HasSubstr("give")));
    EXPECT_THAT(refusal({"axes_grid=300x5"}), HasSubstr("1 to 256"));
    EXPECT_THAT(refusal({"axes_grid=200x200x200"}), HasSubstr("65536 patches"));
    EXPECT_THAT(refusal({"axes_grid=4x6", "axes_row=4"}),
                AllOf(HasSubstr("axes_row: 4"), HasSubstr("4 rows"), HasSubstr("0 to 3")));
    EXPECT_THAT(refusal({"axes_model=qwen2-vl"}),
                AllOf(HasSubstr("'qwen2-vl' is neither"), HasSubstr("did you mean")));
    EXPECT_THAT(refusal({"axes_other=/nothing/here.json"}), HasSubstr("/nothing/here.json"));
    EXPECT_THAT(refusal({"axes_model=dinov3-vit-small", "axes_part=text"}),
                HasSubstr("part: 'text' is not a part of dinov3-vit-small; give vision"));
    EXPECT_THAT(refusal({"axes_model=sam-2"}),
                HasSubstr("axes_model=sam-2: axes_grid: 4 x 12 x 18"));
    EXPECT_THAT(refusal({"axes_model=llama-2-7b"}),
                HasSubstr("axes_model=llama-2-7b: axes_tokens: this model has one position"));
    EXPECT_THAT(refusal({"axes_model=dinov3-vit-small", "axes_tokens=text"}),
                HasSubstr("give patches"));
}

TEST(AxesView, TheTableTellsTwoModelsOfOneNameApart) {
    const plot::Figure figure =
        axes_figure({"axes_model=qwen2-vl-7b", "axes_other=qwen2-vl-7b", "axes_grid=2x3"});
    EXPECT_EQ(figure.title, "Both give every patch the same score");
    EXPECT_EQ(figure.data.columns[1].name, "parameter");
    const auto& parameters = std::get<std::vector<std::string>>(figure.data.columns[1].values);
    const auto& tables = std::get<std::vector<std::string>>(figure.data.columns[0].values);
    Index ones = 0, others = 0;
    for (std::size_t row = 0; row < tables.size(); ++row) {
        ones += tables[row] == "score" && parameters[row] == "axes_model" ? 1 : 0;
        others += tables[row] == "score" && parameters[row] == "axes_other" ? 1 : 0;
    }
    EXPECT_EQ(ones, 6);
    EXPECT_EQ(others, 6);
}

TEST(AxesView, NoDifferenceIsLargerThanTheTitleSays) {
    const plot::Figure figure = axes_figure({"axes_other=dinov3-vit-small", "axes_grid=12x18"});
    double largest = 0;
    for (const double difference : values_of(figure, "difference", "")) {
        largest = std::max(largest, std::abs(difference));
    }
    const double said = std::stod(figure.title.substr(figure.title.rfind(' ')));
    EXPECT_GE(said, largest);
    EXPECT_LE(said, 1.1 * largest);
}

TEST(AxesView, ADraftHasAllButTheReport) {
    const Scene scene = scene_with({"axes_grid=2x3"});
    const auto engine = make_cpu_engine(1);
    const Picture draft = make_picture(scene, *engine, {.may_draft = true});
    const plot::Figure whole = figure_of(scene, "axes");
    EXPECT_TRUE(draft.draft);
    EXPECT_EQ(draft.figure.report, "");
    EXPECT_EQ(draft.figure.title, whole.title);
    EXPECT_EQ(draft.figure.panels.size(), whole.panels.size());
}

}  // namespace
}  // namespace ropescope::figures
