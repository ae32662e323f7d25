// What holds for every view and every scene.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <regex>
#include <set>

#include "app/figures/view.h"
#include "app/plot/figure_file.h"
#include "app/scene/scene_scaling.h"
#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/formats/safetensors.h"
#include "tests/support/figure_text.h"
#include "tests/support/paths.h"
#include "tests/support/scenes.h"
#include "tests/support/temp_folder.h"

namespace ropescope::figures {
namespace {

/// The corners of what a scene can be, all consistent.
std::vector<Scene> extreme_scenes() {
    Scene one_pair;
    one_pair.head_dim = one_pair.rotary_dim = 2;
    one_pair = with_existing_pairs(one_pair);
    Scene same_speed = one_pair;
    same_speed.base = 1;
    Scene flat;
    flat.base = 1;
    Scene far;
    far.query_position = kMaxPosition;
    far.key_position = 0;
    far.first_position = kMaxPosition;
    far.position_count = 1;
    far.distance_range = 1;
    Scene long_table;
    long_table.position_count = kMaxPosition + 1;
    Scene wide;
    wide.head_dim = wide.rotary_dim = kMaxHeadDim;
    wide.pairs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2047};
    Scene huge_base, tiny_base;
    huge_base.base = 1e300;
    tiny_base.base = 1e-300;
    Scene partial;
    partial.rotary_dim = 2;
    partial = with_existing_pairs(partial);
    partial.layout = Layout::interleaved;
    Scene never_turns;
    never_turns.scaling = "proportional";
    never_turns.partial_rotary_factor = 1e-6;
    Scene slowest;
    slowest.scaling = "linear";
    slowest.scaling_factor = 1e9;
    slowest.base = std::numeric_limits<double>::max();
    return {Scene{}, one_pair,  same_speed, flat,    far,         long_table,
            wide,    huge_base, tiny_base,  partial, never_turns, slowest};
}

struct FiniteMark {
    void check(std::initializer_list<double> values) const {
        for (const double value : values) {
            ASSERT_TRUE(std::isfinite(value));
        }
    }
    void check(const std::vector<plot::Point>& points) const {
        for (const plot::Point& point : points) {
            check({point.x, point.y});
        }
    }
    void operator()(const plot::Line& m) const { check(m.points); }
    void operator()(const plot::Points& m) const { check(m.points); }
    void operator()(const plot::Vector& m) const { check({m.from, m.to}); }
    void operator()(const plot::Arc& m) const { check({m.first_rad, m.last_rad}); }
    void operator()(const plot::Rule& m) const { check({m.at}); }
    void operator()(const plot::Band& m) const { check({m.first, m.last}); }
    void operator()(const plot::Area& m) const {
        ASSERT_EQ(m.low.size(), m.high.size());
        check(m.low);
        check(m.high);
    }
    void operator()(const plot::Label& m) const { check({m.at.x, m.at.y}); }
    void operator()(const plot::Facts&) const {}
    void operator()(const plot::HeatMap& m) const {
        ASSERT_EQ(m.values.size(), static_cast<std::size_t>(m.columns * m.rows));
    }
};

std::size_t rows_of(const plot::Column& column) {
    return std::visit([](const auto& values) { return values.size(); }, column.values);
}

/// Whether a cell of the CSV is "nan" or "inf".
bool contains_nan_or_inf(const std::string& csv) {
    static const std::regex word("(^|,|\n)-?(nan|inf)(,|\n|$)");
    return std::regex_search(csv, word);
}

TEST(EveryFigure, IsWholeForExtremeScenes) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    int number = 0;
    for (Scene scene : extreme_scenes()) {
        for (const View& view : views()) {
            SCOPED_TRACE(view.id + " of scene " + std::to_string(number));
            scene.view = view.id;
            // A whole picture of precision takes a second in some scenes; one of them is enough.
            const bool draft = view.id == "precision" && number > 0;
            const Picture picture =
                make_picture(scene, *engine, {.cache = &cache, .may_draft = draft});
            const plot::Figure& figure = picture.figure;
            EXPECT_FALSE(figure.title.empty());
            EXPECT_FALSE(figure.report.empty());
            std::set<std::string> ids;
            for (const plot::Panel& panel : figure.panels) {
                EXPECT_TRUE(ids.insert(panel.id).second) << panel.id;
                EXPECT_LT(panel.x.min, panel.x.max) << panel.id;
                EXPECT_NE(panel.y.min, panel.y.max) << panel.id;  // a table runs down
                EXPECT_LE(panel.column + panel.column_span,
                          static_cast<int>(figure.column_weights.size()));
                EXPECT_LE(panel.row + panel.row_span, static_cast<int>(figure.row_weights.size()));
                for (const plot::Mark& mark : panel.marks) {
                    std::visit(FiniteMark{}, mark);
                }
                EXPECT_FALSE(picture.readouts_at(panel.id, {0.5, 0.5}).empty()) << panel.id;
                EXPECT_NO_THROW(validate(picture.scene_after_click(scene, panel.id, {0.5, 0.5})));
            }
            for (const plot::Column& column : figure.data.columns) {
                EXPECT_EQ(rows_of(column), rows_of(figure.data.columns.front())) << column.name;
            }
            constexpr std::size_t kFewRows = 10000;
            if (rows_of(figure.data.columns.front()) <= kFewRows) {
                EXPECT_FALSE(contains_nan_or_inf(plot::to_csv(figure.data)));
            }
        }
        ++number;
    }
}

double cpu_seconds(const std::function<void()>& work) {
    const std::clock_t began = std::clock();
    work();
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

// Of the processor's time, so that a busy machine does not matter.
TEST(EveryFigure, TakesNoLongerForAnExtremeBase) {
    const auto engine = make_cpu_engine(1);
    for (const View& view : views()) {
        if (view.shows_check_run) {
            continue;  // it shows progress, and does the same work for every base
        }
        Scene scene;
        scene.view = view.id;
        bool shows_progress = false;
        const Work work{.progress = [&](double) { shows_progress = true; }};
        const auto draw = [&] { make_picture(scene, *engine, work); };
        const double usual = cpu_seconds(draw);
        if (shows_progress) {
            continue;  // the attention view, which may take its time
        }
        for (const double base : {1e-300, 1e-154, 1e-10, 0.5, 1e300}) {
            scene.base = base;
            EXPECT_LE(cpu_seconds(draw), 8 * usual + 0.2) << view.id << " base " << base;
        }
    }
}

TEST(EveryFigure, IsAPureFunctionOfItsScene) {
    const auto one_thread = make_cpu_engine(1), two_threads = make_cpu_engine(2);
    for (const View& view : views()) {
        Scene scene;
        scene.view = view.id;
        const std::string first = plot::figure_text(make_figure(scene, *one_thread));
        EXPECT_EQ(plot::figure_text(make_figure(scene, *one_thread)), first) << view.id;
        EXPECT_EQ(plot::figure_text(make_figure(scene, *two_threads)), first) << view.id;
    }
}

/// The scene with one parameter changed to another consistent value.
/// A dump whose positions may be those of two rows or of two axes.
std::string dump_of_two_rows() {
    static const test::TempFolder folder;
    const std::string path = folder / "dump.safetensors";
    if (!std::filesystem::exists(path)) {
        std::vector<float> before, after;
        const std::vector<std::int64_t> positions = {0, 1, 5, 9};
        for (std::size_t i = 0; i < 8; ++i) {  // [rows, heads, tokens]
            const double angle = static_cast<double>(positions[i / 4 * 2 + i % 2]);
            before.insert(before.end(), {1.0F, 2.0F});
            after.push_back(static_cast<float>(std::cos(angle) - 2.0 * std::sin(angle)));
            after.push_back(static_cast<float>(std::sin(angle) + 2.0 * std::cos(angle)));
        }
        const std::vector<Tensor> tensors = {
            make_tensor("q", {2, 2, 2, 2}, std::span<const float>(before)),
            make_tensor("q_rot", {2, 2, 2, 2}, std::span<const float>(after)),
            make_tensor("positions", {2, 2}, std::span<const std::int64_t>(positions))};
        write_safetensors(path, std::span(tensors));
    }
    return path;
}

Scene changed(const Scene& scene, const std::string& name) {
    const Parameter& parameter = parameter_by_name(name);
    if (name == "pairs") {
        return test::with_one_value(scene, name, "1,2,8");
    }
    if (name == "selected_check") {
        return test::with_one_value(scene, name, "rope.norm");
    }
    if (name == "check_filter") {
        return test::with_one_value(scene, name, "norm");
    }
    if (name == "model") {  // by its name alone: the encoding stays
        return test::with_one_value(scene, name, "phi-3-mini-128k");
    }
    if (name == "axes_model" || name == "axes_other") {
        return test::with_one_value(scene, name, "qwen3-vl-8b");
    }
    if (name == "axis") {
        return test::with_one_value(scene, name, "h");
    }
    if (name == "axes_grid") {
        return test::with_one_value(scene, name, "3x10x14");
    }
    if (name == "axes_part") {
        return test::with_one_value(scene, name, "vision");
    }
    if (name == "attention_text") {
        return test::with_one_value(scene, name, "another");
    }
    if (name == "positions_layout") {
        return test::with_one_value(scene, name, "text 3, image 2x4");
    }
    if (name == "dump") {
        return test::with_one_value(scene, name,
                                    test::source_dir() + "/tests/fuzz/corpus/dump/f32");
    }
    if (name == "dump_map") {
        return test::with_one_value(scene, name, "q=q_rot,q_rot=q");
    }
    if (name == "dump_axes") {
        return test::with_one_value(scene, name, "blhd");
    }
    if (name == "dump_position_axes") {
        return test::with_one_value(scene, name, "al");
    }
    if (name == "dump_norm") {
        return test::with_one_value(scene, name, "l2");
    }
    if (name == "dump_norm_eps") {
        return test::with_one_value(scene, name, "0.5");
    }
    if (name.starts_with("longrope_")) {
        std::string factors = "1.5";
        for (std::int64_t pair = 1; pair < scene.rotary_dim / 2; ++pair) {
            factors += ",1.5";
        }
        return test::with_one_value(scene, name, factors);
    }
    if (name == "attention_source") {
        return apply_settings(scene, {"attention_source=random"});
    }
    if (name == "attention_folder") {  // read where the source is a folder
        return apply_settings(scene,
                              {"attention_source=folder",
                               "attention_folder=" + test::source_dir() + "/tests/golden/seed000"});
    }
    for (const std::string& choice : parameter.choices) {
        if (choice != parameter_text(scene, parameter)) {
            return test::with_one_value(scene, name, choice);
        }
    }
    const double share = name.starts_with("axes_fixed") ? 0.7 : 0.35;  // not where it stands
    return with_slider(scene, name, slider_value(scene, parameter, share));
}

/// A scene with a scaling, or a choice of its view, that reads the parameter.
Scene where_it_counts(Scene scene, const Parameter& parameter) {
    if (scene.view == "layouts" && parameter.name == "distance_range") {
        scene.layouts_show = LayoutsShow::walk;
    }
    if (scene.view == "encodings" && parameter.name == "stretch_length") {
        scene.encodings_show = EncodingsShow::trained;
    }
    if (scene.view != "axes" && (parameter.name == "model" || parameter.name == "axes_model")) {
        scene.model = scene.axes_model;  // as it is when it has been opened
        return scene;
    }
    if (view_by_id(scene.view).reads("axis") &&
        (parameter.name == "axes_part" || parameter.name == "axes_head")) {
        scene.axis = parameter.name == "axes_head" ? "x" : "h";
    }
    if (parameter.name == "axes_head") {  // heads with speeds of their own
        scene.axes_model = "ropevit-mixed-start";
    }
    if (scene.view == "attention" && parameter.name == "attention_segment") {  // has token types
        return apply_settings(
            scene, {"attention_source=folder",
                    "attention_folder=" + test::source_dir() + "/tests/golden/hf_roformer_base"});
    }
    const bool of_encoder =
        parameter.name.starts_with("attention_") || parameter.name.starts_with("content_");
    if (of_encoder && parameter.name != "attention_factor" &&
        parameter.name != "content_angle_deg" && scene.view != "attention" &&
        view_by_id(scene.view).reads("content_source")) {
        scene.content_source =
            parameter.name == "content_source" || parameter.name == "content_seed"
                ? ContentSource::drawn
                : ContentSource::encoder;
    }
    if (scene.view == "attention" && parameter.name == "content_seed") {
        scene.attention_source = AttentionSource::random;
    }
    if (parameter.name == "dump_map" || parameter.name == "dump_axes" ||
        parameter.name == "dump_position_axes") {
        scene.dump = dump_of_two_rows();
    }
    if (parameter.name.starts_with("dump_norm")) {
        scene.dump = test::source_dir() + "/tests/fuzz/corpus/dump/norms";
        scene.dump_norm = parameter.name == "dump_norm" ? "found" : "rms";
        scene.dump_expected = false;
    }
    if (parameter.name == "cache_sinks") {
        scene.cache_window = 8;  // without a window every token is kept
    }
    if (parameter.name == "dump_fault_in") {
        scene.dump_fault = "sign.reversed";
    }
    if (parameter.name == "positions_tokens_per_second") {
        scene.positions_family = "qwen2_5_vl";
    }
    if (parameter.name.starts_with("system_")) {
        scene.layouts_show = LayoutsShow::systems;
    }
    if (!parameter.methods().empty()) {
        // Without a length the dynamic method, the first to have a trained length, does nothing.
        scene.scaling = parameter.name == "original_length" ? "yarn" : parameter.methods().front();
        scene.rotary_dim = scene.scaling == "proportional" ? scene.head_dim : scene.rotary_dim;
        // The view of a model looks at the model's own scaling.
        scene.model = parameter.name == "seq_len" ? "phi-3-mini-128k" : scene.model;
        scene.yarn_mscale_all_dim = parameter.name == "yarn_softmax" ? 1.0 : 0.0;
    }
    return scene;
}

TEST(EveryView, ReadsExactlyTheParametersItDeclares) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    const auto text_of = [&](const Scene& scene) {
        const bool draft = scene.view == "precision";  // which reads what the whole picture reads
        const Work work{.cache = &cache, .may_draft = draft};
        return plot::figure_text(make_picture(scene, *engine, work).figure);
    };
    for (const View& view : views()) {
        // A partial rotary_dim, so that changing head_dim or rotary_dim alone changes nothing else.
        Scene scene;
        scene.view = view.id;
        scene.head_dim = 192;
        const std::string unscaled = text_of(scene);
        for (const Parameter& parameter : parameters()) {
            if (parameter.name == "view") {
                continue;
            }
            const Scene from = where_it_counts(scene, parameter);
            const std::string before = from == scene ? unscaled : text_of(from);
            const Scene other = changed(from, parameter.name);
            ASSERT_NE(other, from) << parameter.name;
            const bool reads = text_of(other) != before;
            EXPECT_EQ(reads, view.reads(parameter.name)) << view.id << " and " << parameter.name;
        }
    }
}

TEST(EveryView, AParameterWithoutAControlChangesNothing) {
    const auto engine = make_cpu_engine(1);
    FigureCache cache;
    const auto text_of = [&](const Scene& scene) {
        return plot::figure_text(
            make_picture(scene, *engine, {.cache = &cache, .may_draft = true}).figure);
    };
    int hidden = 0;
    for (const View& view : views()) {
        for (const Parameter& parameter : parameters()) {
            Scene scene;
            scene.view = view.id;
            if (parameter.name.starts_with("system_")) {
                scene.layouts_show = LayoutsShow::walk;
            }
            // The calculator has a row for each method, and controls for the marked one.
            if (!view.reads(parameter.name) || is_used(scene, parameter) || view.id == "context") {
                continue;
            }
            ++hidden;
            Scene other = changed(scene, parameter.name);
            other.attention_source = scene.attention_source;
            EXPECT_EQ(text_of(other), text_of(scene)) << view.id << " and " << parameter.name;
        }
    }
    EXPECT_GT(hidden, 30) << "five views with eleven numbers of scaling methods, and others";
}

TEST(EveryView, ExplainsItself) {
    std::set<std::string> ids;
    for (const View& view : views()) {
        EXPECT_TRUE(ids.insert(view.id).second);
        EXPECT_TRUE(view.question.ends_with('?')) << view.id;
        EXPECT_TRUE(view.what_you_see.ends_with('.')) << view.id;
        EXPECT_TRUE(view.what_to_try.ends_with('.')) << view.id;
        EXPECT_FALSE(view.formulas.empty()) << view.id;
        EXPECT_FALSE(view.formula_source.empty()) << view.id;
        for (const auto* names : {&view.parameters, &view.also_read}) {
            for (const std::string& name : *names) {
                EXPECT_NE(find_parameter(name), nullptr) << view.id << " " << name;
            }
        }
    }
}

}  // namespace
}  // namespace ropescope::figures
