// What a person can do in the window, without a window.
#include "app/gui/state/actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/view.h"
#include "app/gui/state/export_actions.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/plot/figure_file.h"
#include "app/scene/settings.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/presets.h"
#include "core/formats/safetensors.h"
#include "core/formats/tensor.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope::gui {
namespace {

class GuiActions : public testing::Test {
  protected:
    GuiActions() { state.engine = engine.get(); }
    std::unique_ptr<Engine> engine = make_cpu_engine(1);
    AppState state;
};

TEST_F(GuiActions, UndoAndRedoWalkTheSameWay) {
    const Scene first = state.scene;
    ASSERT_TRUE(set_value(state, "base", "500000"));
    ASSERT_TRUE(set_value(state, "head_dim", "256"));
    const Scene last = state.scene;
    undo(state);
    EXPECT_EQ(state.scene.base, 500000.0);
    undo(state);
    EXPECT_EQ(state.scene, first);
    undo(state);  // nothing left: stays
    EXPECT_EQ(state.scene, first);
    redo(state);
    redo(state);
    EXPECT_EQ(state.scene, last);
    redo(state);
    EXPECT_EQ(state.scene, last);
}

TEST_F(GuiActions, EveryModelOfTheMenuCanBeChosenAndDrawn) {
    ASSERT_EQ(model_menu().size(), one_axis_presets().size() + several_axes_presets().size());
    for (const ModelEntry& entry : model_menu()) {
        SCOPED_TRACE(entry.id);
        ASSERT_TRUE(choose_model(state, entry.id)) << state.error;
        EXPECT_NO_THROW(figures::make_picture(state.scene, *engine));
        EXPECT_EQ(state.scene.axes_model == entry.id, entry.several_axes);
        EXPECT_TRUE(is_shown(entry, state.scene) || state.scene.model == entry.id);
        state.scene = {};
    }
}

TEST_F(GuiActions, TheBarNamesTheModelThatTheFigureShows) {
    EXPECT_EQ(shown_title(state.scene), "Llama 2 7B");
    ASSERT_TRUE(choose_model(state, "dinov3-vit-small"));
    EXPECT_EQ(state.scene.view, "axes");
    EXPECT_EQ(shown_title(state.scene), "DINOv3 ViT-S/16");
    EXPECT_EQ(shown_facts(state.scene), "32 pairs by h, w");
    show_view(state, "positions");
    EXPECT_EQ(shown_title(state.scene), "Qwen2-VL") << "it numbers by a rule and reads no model";
    EXPECT_EQ(shown_facts(state.scene), "rule of position ids");
    show_view(state, "spectrum");
    EXPECT_EQ(shown_title(state.scene), "Llama 2 7B");
    for (const char* of_trained : {"stretch", "encodings"}) {
        state.scene.view = of_trained;
        EXPECT_EQ(shown_title(state.scene), "trained RoFormer");
    }
    state.scene.view = "spectrum";
    ASSERT_TRUE(set_value(state, "axis", "w"));
    EXPECT_EQ(shown_title(state.scene), "DINOv3 ViT-S/16");
}

TEST_F(GuiActions, ADragIsOneStepAndTheNextDragAnother) {
    const auto drag = [&](double base) {
        Scene next = state.scene;
        next.base = base;
        edit_scene(state, next, 99);
    };
    for (const double base : {20000.0, 30000.0, 40000.0}) {
        drag(base);
    }
    state.history.end_edit();
    drag(50000);
    EXPECT_EQ(state.history.undo_steps(), 2);
    undo(state);
    EXPECT_EQ(state.scene.base, 40000.0);
    undo(state);
    EXPECT_EQ(state.scene.base, 10000.0);
}

TEST_F(GuiActions, AnEditDropsWhatWasUndone) {
    ASSERT_TRUE(set_value(state, "base", "500000"));
    undo(state);
    ASSERT_TRUE(set_value(state, "base", "20000"));
    EXPECT_EQ(state.history.redo_steps(), 0);
}

TEST_F(GuiActions, ARefusedValueIsShownAndChangesNothing) {
    const Scene before = state.scene;
    EXPECT_FALSE(set_value(state, "base", "-1"));
    EXPECT_EQ(state.scene, before);
    EXPECT_EQ(state.history.undo_steps(), 0);
    EXPECT_NE(state.error.find("base"), std::string::npos) << state.error;
    EXPECT_TRUE(set_value(state, "base", "20000"));
    EXPECT_EQ(state.error, "") << "a success clears it";
}

TEST_F(GuiActions, ABadModelPathIsShownAndChangesNothing) {
    const Scene before = state.scene;
    EXPECT_FALSE(choose_model(state, "/does/not/exist.json"));
    EXPECT_EQ(state.scene, before);
    EXPECT_NE(state.error.find("/does/not/exist.json"), std::string::npos) << state.error;
    EXPECT_TRUE(choose_model(state, "llama-3-8b"));
    EXPECT_EQ(state.scene.base, 500000.0);
}

TEST_F(GuiActions, ADroppedDumpIsDiagnosedAndAnythingElseIsAModel) {
    for (const char* name : {"f32", "npz"}) {
        const std::string dump = test::source_dir() + "/tests/fuzz/corpus/dump/" + name;
        ASSERT_TRUE(open_file(state, dump)) << state.error;
        EXPECT_EQ(state.scene.view, "diagnose");
        EXPECT_EQ(state.scene.dump, dump);
    }
    const std::string model = test::source_dir() + "/tests/golden/hf_roformer_base/config.json";
    ASSERT_TRUE(open_file(state, model)) << state.error;
    EXPECT_EQ(state.scene.model, model);
    const test::TempFolder folder;
    const Scene before = state.scene;
    write_file_whole(folder / "cut.npz", "PK\x03\x04");
    EXPECT_FALSE(open_file(state, folder / "cut.npz"));
    EXPECT_EQ(state.scene, before);
    EXPECT_FALSE(open_file(state, "/does/not/exist.npz"));
    EXPECT_THAT(state.error, ::testing::HasSubstr("/does/not/exist.npz"));
}

TEST_F(GuiActions, TensorsWithOtherNamesAreMeantAsADumpAndAnEmptyConfigIsRefused) {
    const test::TempFolder folder;
    const auto with_tensor = [&](const char* name) {
        const std::string path = (folder / "names.safetensors").string();
        write_safetensors(
            path, std::vector<Tensor>{make_tensor(name, {1, 2}, std::vector<double>{1.0, 2.0})});
        return path;
    };
    ASSERT_TRUE(open_file(state, with_tensor("query")));
    EXPECT_EQ(state.scene.view, "diagnose");
    state.scene = Scene();
    ASSERT_TRUE(open_file(state, with_tensor("model.layers.0.self_attn.q_proj.weight")));
    EXPECT_EQ(state.scene.view, "rotation") << "weights are a model";
    const std::string config = (folder / "config.json").string();
    write_file_whole(config, "");
    EXPECT_FALSE(open_file(state, config));
    EXPECT_THAT(state.error, ::testing::HasSubstr("config.json"));
}

TEST_F(GuiActions, StepsMoveTheQueryOrBothAndStayInRange) {
    state.scene.query_position = 1;
    state.scene.key_position = 0;
    perform(state, Action::both_back, false);  // the key cannot go below 0: neither moves
    EXPECT_EQ(state.scene.query_position, 1);
    perform(state, Action::step_back, false);
    EXPECT_EQ(state.scene.query_position, 0);
    perform(state, Action::both_forward, false);
    EXPECT_EQ(state.scene.query_position, 1);
    EXPECT_EQ(state.scene.key_position, 1);
    state.scene.query_position = kMaxPosition;
    perform(state, Action::step_forward, false);
    EXPECT_EQ(state.scene.query_position, kMaxPosition);
}

TEST_F(GuiActions, AHeldKeyIsOneStepBack) {
    perform(state, Action::step_forward, false);
    perform(state, Action::step_forward, true);
    perform(state, Action::step_forward, true);
    EXPECT_EQ(state.scene.query_position, 15);
    undo(state);
    EXPECT_EQ(state.scene.query_position, 12);
}

TEST_F(GuiActions, PlayMovesBothAtItsSpeedHoweverTheFramesFall) {
    state.scene.speed = 8;
    perform(state, Action::play, false);
    for (int i = 0; i < 120; ++i) {
        advance(state, 1.0 / 60);
    }
    // 2 s at 8 positions/s; the sum of 120 sixtieths may end one rounding short of the last.
    EXPECT_NEAR(static_cast<double>(state.scene.query_position), 12 + 16, 1);
    EXPECT_EQ(state.scene.query_position - state.scene.key_position, 7);
    undo(state);
    EXPECT_EQ(state.scene.query_position, 12) << "a run is one step";
    EXPECT_FALSE(state.playback.playing);
}

TEST_F(GuiActions, PlayStopsAtTheLastPosition) {
    state.scene.query_position = kMaxPosition - 2;
    state.scene.speed = 1000;
    perform(state, Action::play, false);
    advance(state, 0.1);
    EXPECT_EQ(state.scene.query_position, kMaxPosition);
    EXPECT_FALSE(state.playback.playing);
}

TEST_F(GuiActions, PlayInTheLayoutsWalksToTheEndAndBack) {
    state.scene.view = "layouts";
    perform(state, Action::play, false);
    advance(state, kWalkSeconds / 4);
    EXPECT_DOUBLE_EQ(state.scene.walk, 0.25);
    EXPECT_EQ(state.scene.query_position, 12) << "positions stay";
    advance(state, kWalkSeconds);
    EXPECT_EQ(state.scene.walk, 1);
    EXPECT_FALSE(state.playback.playing);
    perform(state, Action::play, false);
    state.scene.speed = 2;
    advance(state, kWalkSeconds / 4);
    EXPECT_DOUBLE_EQ(state.scene.walk, 0.5) << "twice as fast, and back";
    perform(state, Action::play, false);
    advance(state, kWalkSeconds);
    EXPECT_DOUBLE_EQ(state.scene.walk, 0.5) << "it was stopped";
    perform(state, Action::play, false);
    advance(state, kWalkSeconds);
    EXPECT_EQ(state.scene.walk, 0);
    perform(state, Action::both_forward, false);
    EXPECT_EQ(state.scene.walk, 1.0 / 16);
    perform(state, Action::both_back, true);
    EXPECT_EQ(state.scene.walk, 0);
}

TEST_F(GuiActions, TheFigureIsMadeAgainOnlyWhenItsViewReadsTheChange) {
    state.scene.view = "spectrum";
    update_figure(state);
    ASSERT_TRUE(state.shown.picture);
    const void* panels = state.shown.figure()->panels.data();
    ASSERT_TRUE(set_value(state, "content_seed", "7"));  // the spectrum does not read it
    update_figure(state);
    EXPECT_EQ(state.shown.figure()->panels.data(), panels);
    const std::string title = state.shown.figure()->title;
    ASSERT_TRUE(set_value(state, "base", "500000"));
    update_figure(state);
    EXPECT_NE(state.shown.figure()->title, title);
}

TEST_F(GuiActions, AnInconsistentSceneKeepsTheLastGoodFigure) {
    update_figure(state);
    const std::string title = state.shown.figure()->title;
    ASSERT_TRUE(set_value(state, "rotary_dim", "256"));  // above head_dim 128
    update_figure(state);
    EXPECT_NE(state.shown.error.find("rotary_dim"), std::string::npos) << state.shown.error;
    ASSERT_TRUE(state.shown.picture);
    EXPECT_EQ(state.shown.figure()->title, title);
    undo(state);
    update_figure(state);
    EXPECT_EQ(state.shown.error, "");
}

TEST_F(GuiActions, ExportWritesWhatTheEndingSays) {
    const test::TempFolder folder;
    update_figure(state);
    EXPECT_TRUE(export_figure(state, (folder / "a.csv").string()));
    EXPECT_EQ(read_file(folder / "a.csv"), plot::to_csv(state.shown.figure()->data));
    EXPECT_TRUE(export_figure(state, (folder / "a.svg").string()));
    EXPECT_NE(read_file(folder / "a.svg").find("<svg"), std::string::npos);
    EXPECT_FALSE(export_figure(state, (folder / "a.docx").string()));
    EXPECT_NE(state.error.find(".svg"), std::string::npos) << state.error;
    EXPECT_FALSE(export_figure(state, (folder / "missing" / "a.svg").string()));
    EXPECT_NE(state.error.find("missing"), std::string::npos) << state.error;
}

TEST_F(GuiActions, AnExportForAPaperIsOneChoice) {
    state.scene = apply_settings({}, {"view=context", "scaling=yarn"});
    update_figure(state);
    open_overlay(state, Overlay::export_figure);
    EXPECT_EQ(export_purpose(state), ExportPurpose::screen);
    prepare_export(state, ExportPurpose::paper);
    EXPECT_EQ(export_purpose(state), ExportPurpose::paper);
    EXPECT_EQ(state.edit.text, "context.pdf");
    EXPECT_EQ(state.exporting.panel, "slowdown");
    EXPECT_EQ(exported_figure(state).panels.size(), 1U);
    state.exporting.values["--font"] = "serif";
    EXPECT_EQ(export_purpose(state), std::nullopt) << "each setting can be changed";
    prepare_export(state, ExportPurpose::screen);
    EXPECT_EQ(state.edit.text, "context.svg");
    EXPECT_EQ(state.exporting.panel, "");
    EXPECT_EQ(export_purpose(state), ExportPurpose::screen);
}

TEST_F(GuiActions, WhoOpensAFileIsOfferedNoLesson) {
    state.lessons.offered = true;
    open_file(state, "no-such-file");
    EXPECT_FALSE(state.lessons.offered);
}

TEST(CopiedCommand, CarriesOnlyWhatTheViewReads) {
    const Scene scene =
        apply_settings({}, {"view=spectrum", "base=500000", "attention_text=a house"});
    EXPECT_EQ(figure_command(scene), "ropescope --set base=500000 figure spectrum -o spectrum.svg");
    EXPECT_EQ(
        figure_python(scene),
        "import shlex, subprocess\n\nsubprocess.run(shlex.split(\"ropescope --set base=500000 "
        "figure spectrum -o spectrum.svg\"), check=True)\n");
}

TEST(Playing, DoesNotMoveWhatIsNotSeen) {
    AppState state;
    state.scene.view = "spectrum";
    const Scene before = state.scene;
    for (const Action action : {Action::play, Action::both_forward, Action::step_back}) {
        perform(state, action, false);
        EXPECT_EQ(state.scene, before);
        EXPECT_FALSE(state.playback.playing);
        EXPECT_FALSE(state.notice.text.empty());
    }
    show_view(state, "rotation");
    perform(state, Action::play, false);
    EXPECT_TRUE(state.playback.playing);
    show_view(state, "spectrum");
    EXPECT_FALSE(state.playback.playing);
}

TEST(GuiCommand, NamesOnlyWhatDiffers) {
    Scene scene;
    EXPECT_EQ(figure_command(scene), "ropescope figure rotation -o rotation.svg");
    scene.view = "spectrum";
    scene.base = 500000;
    EXPECT_EQ(figure_command(scene), "ropescope --set base=500000 figure spectrum -o spectrum.svg");
    scene.model = "my model's/config.json";
    EXPECT_EQ(figure_command(scene),
              "ropescope --set 'model=my model'\\''s/config.json' --set base=500000 figure "
              "spectrum -o spectrum.svg");
}

TEST(GuiCommand, AModelBringsItsOwnValues) {
    AppState state;
    ASSERT_TRUE(choose_model(state, "llama-3-8b"));
    EXPECT_EQ(figure_command(state.scene),
              "ropescope --set model=llama-3-8b figure rotation -o rotation.svg");
}

}  // namespace
}  // namespace ropescope::gui
