// The layouts view against the systems it shows.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

#include "app/figures/layouts/layouts.h"
#include "app/figures/view.h"
#include "app/plot/draw_figure.h"
#include "app/scene/settings.h"
#include "core/systems/properties.h"
#include "tests/support/recording_painter.h"

namespace ropescope::figures {
namespace {

using ::testing::HasSubstr;

Picture picture_of(Scene scene) {
    scene.view = "layouts";
    return make_picture(scene, *make_cpu_engine(1));
}

plot::Figure layouts_figure_of(const Scene& scene) {
    return picture_of(scene).figure;
}

Scene with_systems(const std::string& a, const std::string& b) {
    Scene scene;
    scene.system_a = a;
    scene.system_b = b;
    return scene;
}

const plot::Panel& panel_of(const plot::Figure& figure, const std::string& id) {
    return *std::ranges::find(figure.panels, id, &plot::Panel::id);
}

/// A line of a panel by its name; throws when there is none.
plot::Line line_of(const plot::Panel& panel, const std::string& label) {
    for (const plot::Mark& mark : panel.marks) {
        if (const auto* line = std::get_if<plot::Line>(&mark); line && line->label == label) {
            return *line;
        }
    }
    throw std::runtime_error("no line " + label);
}

TEST(LayoutsFigure, EveryCellShowsItsVerdictAndOpensItsSystems) {
    const EquivalenceMatrix truth = equivalence_matrix();  // at more head_dims, bases and offsets
    const Picture picture = picture_of({});
    int cells = 0;
    for (const plot::Mark& mark : panel_of(picture.figure, "matrix").marks) {
        const auto* label = std::get_if<plot::Label>(&mark);
        if (label == nullptr || label->at.x < 0 || label->at.y > 15) {
            continue;
        }
        const Scene opened = picture.scene_after_click({}, "matrix", label->at);
        EXPECT_EQ(label->text, verdict_mark(truth.at(opened.system_a, opened.system_b).verdict))
            << opened.system_a << " ~ " << opened.system_b;
        ++cells;
    }
    EXPECT_EQ(cells, 15 * 15);
}

TEST(LayoutsFigure, ClicksNameRowThenColumn) {
    const Picture picture = picture_of({});
    const Scene cell =
        picture.scene_after_click({}, "matrix", {10.5, 14.5});  // first row, eleventh column
    EXPECT_EQ(cell.system_a, "notebook_bf16");
    EXPECT_EQ(cell.system_b, "strided_llama_as_written");
    const Scene name = picture.scene_after_click({}, "matrix", {-3, 0.5});
    EXPECT_EQ(name.system_a, "multiplicative_bias");
    EXPECT_EQ(name.system_b, Scene{}.system_b);
    EXPECT_EQ(picture.scene_after_click({}, "norm", {3, 3}), Scene{});
}

/// Where the titles have no room, all systems have their brief names.
TEST(LayoutsFigure, NamesOfSystemsAreNeverCut) {
    plot::Figure map;
    map.panels = {matrix_panel(Scene{})};
    plot::Panel& panel = map.panels.front();
    panel.title = {};
    panel.corners = {};
    panel.row = 0;
    panel.row_span = 1;
    for (const auto& [width, height, brief] :
         {std::tuple{900, 700, false}, {420, 330, true}, {300, 330, true}, {240, 200, true}}) {
        test::RecordingPainter painter;
        plot::draw_figure(map, {0, 0, 1.0 * width, 1.0 * height}, plot::light_theme(), 1, painter);
        int titles = 0, briefs = 0;
        for (const System* system : system_matrix().systems) {
            titles += system->title != system->brief && painter.find(system->title) != nullptr;
            briefs += system->title != system->brief && painter.find(system->brief) != nullptr;
        }
        EXPECT_GT(brief ? briefs : titles, 3) << width;
        EXPECT_EQ(brief ? titles : briefs, 0) << width;
        for (const test::RecordingPainter::Text& text : painter.texts) {
            EXPECT_EQ(text.text.find("…"), std::string::npos) << text.text << " at " << width;
        }
    }
}

/// Each row that is shown has its number, of two digits too.
TEST(LayoutsFigure, RowsAndColumnsHaveTheirNumbers) {
    plot::Figure map;
    map.panels = {matrix_panel(Scene{})};
    test::RecordingPainter painter;
    plot::draw_figure(map, {0, 0, 480, 700}, plot::dark_theme(), 1, painter);
    for (int number = 1; number <= 15; ++number) {
        EXPECT_EQ(std::ranges::count(painter.texts, std::to_string(number),
                                     &test::RecordingPainter::Text::text),
                  2)
            << number;
    }
}

TEST(LayoutsFigure, OutputsAreTheSystemsOwn) {
    Scene scene;
    scene.query_position = 4099;
    const SystemComparison comparison = compare_systems(scene);
    const nd::Array x = probe_vectors(1, 1, 1, 1, 128);
    const auto own = std::get<nd::Array>(
        run_at_position(find_system("hf_llama_offset"), x, {.base = 1e4, .offset = 4099}));
    EXPECT_EQ(comparison.b.values, own.values);
    // fp32 angles at position 4099 are off by up to 4099 * 2^-24 rad, and |x| < 4 in a channel:
    // each system within 1e-3 of the exact rotation.
    for (std::size_t c = 0; c < 128; ++c) {
        EXPECT_NEAR(comparison.b_permuted.values[c], comparison.a.values[c], 2e-3) << c;
    }
}

TEST(LayoutsFigure, TheTwoAreJudgedWhereTheSceneIs) {
    Scene scene;
    scene.query_position = 100000;
    EXPECT_EQ(compare_systems(scene).verdict.verdict, Equivalence::equal_after_permutation);
    EXPECT_EQ(compare_systems(scene).permutation.size(), 128U);
    scene.head_dim = scene.rotary_dim = 2;  // one pair: both layouts are the same
    EXPECT_EQ(compare_systems(scene).verdict.verdict, Equivalence::identical);
    scene.system_b = "strided_llama_as_written";  // right at d = 2 alone, as claim.004-01 says
    EXPECT_EQ(compare_systems(scene).verdict.verdict, Equivalence::identical);
    scene.head_dim = scene.rotary_dim = 4;
    EXPECT_EQ(compare_systems(scene).verdict.verdict, Equivalence::not_a_rotation);
    EXPECT_TRUE(compare_systems(scene).a_rotates);
    EXPECT_FALSE(compare_systems(scene).b_rotates);
}

TEST(LayoutsFigure, ABaseThatIsWrittenInIsNamed) {
    Scene scene;
    scene.base = 500000;
    EXPECT_THAT(layouts_figure_of(scene).subtitle, HasSubstr("base 500\u2009000,"));
    scene.system_a = "keras_intended";
    EXPECT_THAT(layouts_figure_of(scene).subtitle, HasSubstr("base 10\u2009000 (written in)"));
}

TEST(LayoutsFigure, BrokenSystemsLeaveTheFloorWhereRotationsStay) {
    const plot::Figure figure = layouts_figure_of(with_systems("meta_llama", "d2l_sinusoidal"));
    for (const char* id : {"norm", "shift"}) {
        const plot::Line a = line_of(panel_of(figure, id), "Meta LLaMA");
        const plot::Line b = line_of(panel_of(figure, id), find_system("d2l_sinusoidal").title);
        ASSERT_EQ(a.points.size(), b.points.size());
        // Shifts up to 1024: fp32 angles are off by less than 1024 * 2^-23 rad.
        for (std::size_t i = 0; i <= 10; ++i) {
            EXPECT_LT(a.points[i].y, 1e-3) << id;
            EXPECT_GT(b.points[i].y, 1e-2) << id;
        }
    }
    const double x64 =
        line_of(panel_of(figure, "norm"), find_system("d2l_sinusoidal").title).points[6].y;
    EXPECT_EQ(x64, norm_ratio(find_system("d2l_sinusoidal"), 128, 1e4, 64, 4).change());
}

TEST(LayoutsFigure, TitleIsTheVerdict) {
    const auto title = [](const char* a, const char* b) {
        return layouts_figure_of(with_systems(a, b)).title;
    };
    EXPECT_THAT(title("meta_llama", "hf_llama_offset"), HasSubstr("are reordered"));
    EXPECT_EQ(title("meta_llama", "mistral"),
              "Meta LLaMA and Mistral compute the same up to rounding");
    EXPECT_EQ(title("additive_absolute", "mistral"),
              "Mistral rotates, “additive absolute, W(x + p)” does not");
    EXPECT_THAT(title("additive_absolute", "multiplicative_bias"), HasSubstr("Neither"));
    EXPECT_THAT(title("mistral", "mistral"), HasSubstr("itself"));
}

TEST(LayoutsFigure, SaysWhichSystemsScoresCarryNoPosition) {
    for (const System& system : all_systems()) {
        const Scene scene = with_systems(system.id, "meta_llama");
        const System* without = positionless(compare_systems(scene));
        EXPECT_EQ(without != nullptr, system.id == "keras_as_written") << system.id;
    }
    const plot::Figure figure = layouts_figure_of(with_systems("meta_llama", "keras_as_written"));
    EXPECT_EQ(figure.title, "“Keras layer, as written”: in a batch its scores carry no position");
    EXPECT_THAT(figure.subtitle, HasSubstr("turns by batch index"));
}

TEST(LayoutsFigure, TheDifferenceFillsItsPanelUnlessItIsRounding) {
    const auto limit = [](const char* a, const char* b) {
        return panel_of(layouts_figure_of(with_systems(a, b)), "difference").y.max;
    };
    EXPECT_LT(limit("notebook_bf16", "notebook_fp32"), 0.1);
    EXPECT_GT(limit("meta_llama", "mistral"), 1);
}

TEST(LayoutsFigure, SaysWhatItLeavesOut) {
    Scene scene;
    scene.head_dim = scene.rotary_dim = 4096;
    EXPECT_THAT(layouts_figure_of(scene).subtitle, HasSubstr("128 (the widest compared)"));
    scene.scaling = "linear";
    for (const LayoutsShow show : {LayoutsShow::systems, LayoutsShow::walk}) {
        scene.layouts_show = show;
        EXPECT_THAT(layouts_figure_of(scene).subtitle,
                    HasSubstr("without the scene's linear scaling"));
    }
}

TEST(LayoutsFigure, EveryPairOfSystemsDrawsAtEveryHeadDim) {
    for (const std::int64_t head_dim : {2, 6, 16, 4096}) {
        for (const System& system : all_systems()) {
            Scene scene = with_systems(system.id, "additive_absolute");
            scene.head_dim = scene.rotary_dim = head_dim;
            scene.query_position = kMaxPosition;
            const plot::Figure figure = layouts_figure_of(with_existing_pairs(scene));
            EXPECT_THAT(figure.report, HasSubstr("a: " + system.id));
            EXPECT_EQ(figure.data.columns.size(), 5U);
        }
    }
}

TEST(LayoutsFigure, CsvColumns) {
    std::vector<std::string> names;
    for (const plot::Column& column : layouts_figure_of({}).data.columns) {
        names.push_back(column.name);
    }
    EXPECT_THAT(names, ::testing::ElementsAre("panel", "series", "x", "y", "verdict"));
}

TEST(LayoutsFigure, ArrowKeysWalkThroughTheMatrixToItsBorders) {
    using Key = plot::Link::Key;
    Scene scene = with_systems("meta_llama", "hf_llama_offset");
    const auto press = [&](Key key) {
        const plot::Figure figure = layouts_figure_of(scene);
        const plot::Link* link = plot::link_of(figure, key);
        scene = link == nullptr ? scene : apply_settings(scene, link->settings);
        return link != nullptr;
    };
    ASSERT_TRUE(press(Key::down));
    EXPECT_EQ(scene.system_a, "hf_roformer");
    ASSERT_TRUE(press(Key::up));
    EXPECT_EQ(scene.system_a, "meta_llama");
    while (press(Key::right)) {
    }
    EXPECT_EQ(scene.system_b, system_matrix().systems.back()->id);
    EXPECT_EQ(scene.system_a, "meta_llama");
}

}  // namespace
}  // namespace ropescope::figures
