// The switch between CPU and GPU, and what happens when the GPU is missing or fails.
#include "app/gui/background/gpu_switch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <thread>
#include <utility>

#include "app/figures/encoder/tokens.h"
#include "app/gui/background/check_runner.h"
#include "app/gui/background/engine_comparer.h"
#include "app/gui/background/figure_refiner.h"
#include "app/gui/panels/bar.h"
#include "app/gui/state/actions.h"
#include "app/headless/offscreen_engine.h"
#include "core/checks/reference/reference_encoder.h"
#include "tests/support/failing_engine.h"
#include "tests/support/faulty_ops.h"
#include "tests/support/figure_text.h"
#include "tests/support/lost_gpu_engine.h"
#include "tests/support/needs_egl.h"
#include "tests/support/patience.h"

namespace ropescope::gui {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The window's engines and what works beside it, frame by frame.
struct SwitchWindow {
    EngineSource source;
    AppState state;
    GpuSwitch gpu_switch{source};
    CheckRunner checks{source};
    FigureRefiner refiner{source};
    EngineComparer comparer{source};

    explicit SwitchWindow(EngineSource::Open open, const std::string& view = "table")
        : source(std::move(open)) {
        state.engine = &gpu_switch.engine();
        state.shown.may_draft = true;
        state.scene.view = view;
    }
    void frame() {
        update_figure(state);
        gpu_switch.update(state, [] {});
        checks.update(state, [] {});
        refiner.update(state, [] {});
        comparer.update(state, [] {});
    }
    /// Frames until it holds; false when that takes a minute.
    template <typename Holds>
    bool until(const Holds& holds) {
        const auto give_up =
            std::chrono::steady_clock::now() + std::chrono::minutes(1 * test::kPatience);
        do {
            frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (!holds() && std::chrono::steady_clock::now() < give_up);
        return holds();
    }
    bool gpu_is(EngineState::Gpu wanted) {
        return until([&] { return state.engines.gpu == wanted; });
    }
    bool compared() {
        return until([&] { return state.engines.comparison.has_value(); });
    }
    std::string shown() const { return plot::figure_text(*state.shown.figure()); }
};

std::unique_ptr<Engine> healthy_gpu(Fallback fallback) {
    return test::make_failing_engine(test::FailingEngine::kNever, std::move(fallback));
}

TEST(GpuSwitch, FlipsBetweenTheEnginesAndComparesThem) {
    std::atomic<int> opened = 0;
    SwitchWindow window([&opened](Fallback fallback) {
        ++opened;
        return healthy_gpu(std::move(fallback));
    });
    for (int i = 0; i < 10; ++i) {
        window.frame();
    }
    EXPECT_EQ(window.state.engine->name(), "cpu");
    EXPECT_EQ(window.state.engines.gpu, EngineState::Gpu::unknown);
    EXPECT_EQ(opened, 0) << "nobody has asked for the GPU";
    EXPECT_FALSE(window.state.engines.comparison);

    perform(window.state, Action::engine, false);
    ASSERT_TRUE(window.compared());
    EXPECT_EQ(window.state.engines.gpu_device, "a device that fails");
    EXPECT_EQ(window.state.engine->name(), "gpu");
    EXPECT_EQ(window.state.shown.engine, EngineKind::gpu) << "the figure was made again";
    EXPECT_EQ(window.state.engines.comparison->largest, 0.0) << "both are the CPU";
    EXPECT_GT(window.state.engines.comparison->cpu_seconds, 0.0);
    EXPECT_GT(window.state.engines.comparison->gpu_seconds, 0.0);

    window.state.scene.base = 500000;
    window.frame();
    EXPECT_FALSE(window.state.engines.comparison) << "that was of another figure";
    ASSERT_TRUE(window.compared());
    perform(window.state, Action::engine, false);
    window.frame();
    window.frame();
    EXPECT_EQ(window.state.engine->name(), "cpu");
    EXPECT_FALSE(window.state.engines.comparison);
}

TEST(GpuSwitch, AFlipWhileChecksRunBeginsThemAgainOnTheOtherEngine) {
    using Phase = ChecksState::Phase;
    SwitchWindow window(healthy_gpu);
    ASSERT_TRUE(window.until([&] { return window.state.shown.figure() != nullptr; }));
    const ChecksState& checks = window.state.checks;
    window.state.checks.phase = Phase::asked;
    for (const bool gpu : {true, false, true, false, true}) {
        ASSERT_TRUE(window.until([&] { return checks.done() >= 2; }));
        ASSERT_EQ(checks.phase, Phase::running) << "the flip must come before the last check";
        perform(window.state, Action::engine, false);
        bool begun_again = false;
        ASSERT_TRUE(window.until([&] {
            begun_again = begun_again || checks.done() == 0;
            return checks.done() >= 1 && (window.state.engine->kind() == EngineKind::gpu) == gpu;
        }));
        EXPECT_TRUE(begun_again) << "results of one engine are not continued on the other";
    }
    ASSERT_TRUE(window.until([&] { return checks.phase == Phase::over; }));
    EXPECT_EQ(checks.done(), checks.total());
    EXPECT_EQ(checks.run.count(Status::failed), 0);
    EXPECT_EQ(checks.run.count(Status::skipped), 0) << "the last flip was to the GPU";
}

TEST(GpuSwitch, TellsTimesInThreeDigits) {
    EXPECT_EQ(comparison_text({.cpu_seconds = 0.00107, .gpu_seconds = 2.71, .largest = 2.4e-7}),
              "GPU 2.71 s, CPU 1.07 ms, max |difference| 2.4e-07");
    EXPECT_EQ(comparison_text({.cpu_seconds = 0.9996, .gpu_seconds = 0.9994, .largest = {}}),
              "GPU 999 ms, CPU 1 s, not the same marks");
}

TEST(GpuSwitch, ShowsHowMuchTheEnginesDiffer) {
    const test::OpsFault skewed{.name = "gpu",
                                .kind = EngineKind::gpu,
                                .downloaded = [](std::vector<float>& x) { x[0] += 0.125F; }};
    SwitchWindow window([&](Fallback) {
        return make_dispatched_engine(std::make_unique<test::FaultyOpsEngine>(skewed));
    });
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.compared());
    EXPECT_EQ(window.state.engines.comparison->largest, 0.125);
}

TEST(GpuSwitch, WithoutAGpuTheCpuServesAndTheReasonIsTold) {
    SwitchWindow window([](Fallback) -> std::unique_ptr<Engine> {
        throw CapabilityError("computing on a GPU: this machine has no libEGL.so.1");
    });
    window.frame();
    EXPECT_EQ(window.state.error, "") << "nobody has asked for it";
    perform(window.state, Action::engine, false);
    ASSERT_TRUE(window.gpu_is(EngineState::Gpu::none));
    EXPECT_THAT(window.state.engines.why_not, HasSubstr("no libEGL.so.1"));
    EXPECT_EQ(window.state.error, window.state.engines.why_not);
    perform(window.state, Action::engine, false);
    window.frame();
    EXPECT_EQ(window.state.engine->name(), "cpu");
    EXPECT_THAT(window.state.notice.text, HasSubstr("no libEGL.so.1"));
    EXPECT_FALSE(window.state.engines.gpu_wanted);
}

TEST(GpuSwitch, AGpuThatFailsLosesNothing) {
    // The frame's own engine is opened first.
    std::atomic<int> calls = 3;
    SwitchWindow window([&calls](Fallback fallback) {
        return test::make_failing_engine(calls.exchange(test::FailingEngine::kNever),
                                         std::move(fallback));
    });
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.gpu_is(EngineState::Gpu::ready));
    ASSERT_TRUE(window.until([&] { return window.state.shown.engine == EngineKind::gpu; }));
    Scene next = window.state.scene;
    for (const double base : {20000.0, 30000.0, 40000.0, 50000.0}) {
        next.base = base;
        edit_scene(window.state, next);
        window.frame();
    }
    ASSERT_TRUE(window.gpu_is(EngineState::Gpu::none));
    window.frame();
    EXPECT_EQ(window.state.engine->name(), "cpu");
    EXPECT_THAT(window.state.error, HasSubstr("the context was lost"));
    EXPECT_THAT(window.state.error, Not(HasSubstr("--engine"))) << "the window has changed already";
    EXPECT_EQ(window.state.error, window.state.engines.why_not);
    EXPECT_EQ(window.state.scene, next);
    EXPECT_EQ(window.state.history.undo_steps(), 4);
    EXPECT_EQ(window.state.shown.error, "");
    const auto cpu = make_cpu_engine(1);
    EXPECT_EQ(window.shown(), plot::figure_text(figures::make_figure(next, *cpu)));
    perform(window.state, Action::undo, false);
    window.frame();
    EXPECT_EQ(window.state.scene.base, 40000.0);
}

/// A device that allows one engine, which the frame takes.
struct OneContext {
    std::atomic<int> asked = 0;
    EngineSource::Open open() {
        return [this](Fallback fallback) {
            if (++asked > 1) {
                throw CapabilityError("GPU: no second context");
            }
            return healthy_gpu(std::move(fallback));
        };
    }
};

TEST(GpuSwitch, WithoutASecondGpuEngineNothingIsCompared) {
    OneContext device;
    SwitchWindow window(device.open());
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.until([&] { return device.asked > 1; }));
    const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    window.until([&] { return std::chrono::steady_clock::now() > enough; });
    EXPECT_FALSE(window.state.engines.comparison) << "that would be of two CPUs";
    EXPECT_EQ(window.state.engine->name(), "gpu") << "the frame has its own";
}

TEST(GpuSwitch, AGpuThatFailsUnderTheComparisonComparesNothing) {
    std::atomic<int> calls = test::FailingEngine::kNever;
    SwitchWindow window([&calls](Fallback fallback) {
        return test::make_failing_engine(calls.exchange(1), std::move(fallback));
    });
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.gpu_is(EngineState::Gpu::none) || window.state.engines.comparison);
    EXPECT_FALSE(window.state.engines.comparison) << "that would be of two CPUs";
    EXPECT_THAT(window.state.error, HasSubstr("the context was lost"));
}

TEST(GpuSwitch, AWindowWhoseEncoderGetsNoGpuSaysCpu) {
    OneContext device;
    SwitchWindow window(device.open(), "attention");
    window.state.scene.attention_tokens = 4;
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.gpu_is(EngineState::Gpu::none));
    ASSERT_TRUE(window.until([&] { return !window.state.shown.is_draft(); }));
    EXPECT_EQ(window.state.engine->name(), "cpu");
    EXPECT_THAT(window.state.error, HasSubstr("no second context"));
}

TEST(GpuSwitch, AViewWithoutAnEngineIsNotDrawnForAComparison) {
    std::atomic<int> opened = 0;
    SwitchWindow window(
        [&opened](Fallback fallback) {
            ++opened;
            return healthy_gpu(std::move(fallback));
        },
        "spectrum");
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.until([&] { return window.state.shown.engine == EngineKind::gpu; }));
    ASSERT_FALSE(window.state.shown.figure()->engine_seconds);
    const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    window.until([&] { return std::chrono::steady_clock::now() > enough; });
    EXPECT_EQ(opened, 1) << "the frame's own";
}

TEST(GpuSwitch, TheEncoderBesideTheWindowIsRunAgainOnTheCpu) {
    ROPESCOPE_NEEDS_EGL();
    SwitchWindow window(
        [](Fallback fallback) { return test::make_lost_gpu_engine(20, std::move(fallback)); },
        "attention");
    window.state.scene.attention_tokens = 5;
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.gpu_is(EngineState::Gpu::none));
    ASSERT_TRUE(window.until([&] { return !window.state.shown.is_draft(); }));
    EXPECT_EQ(window.state.shown.error, "");
    const auto cpu = make_cpu_engine(1);
    EXPECT_EQ(window.shown(), plot::figure_text(figures::make_figure(window.state.scene, *cpu)));
}

/// What a number of the attention view may differ by between two engines: each is made of two
/// scores or probabilities at most (a mean and a deviation, with RoPE and without, before a move
/// and after), and the checks hold each of these, on each engine, to Estimates::bound().
double most_between_engines(const Scene& scene) {
    EncoderConfig config;  // the view's small random encoder
    config.vocab_size = 256;
    config.embedding_size = config.hidden_size = 128;
    config.intermediate_size = 512;
    config.max_positions = 1 << 16;
    const Weights weights = random_weights(config, static_cast<std::uint64_t>(scene.content_seed));
    EncoderInput input;
    input.shape = {1, scene.attention_tokens};
    input.ids =
        figures::tokens_by_spelling(
            scene.attention_text, {scene.attention_tokens, kMostAttentionTokens}, config.vocab_size)
            .ids;
    double most = 0;
    for (const auto& [enabled, shift] :
         {std::pair{true, std::int64_t{0}}, {true, scene.attention_shift}, {false, 0}}) {
        EncoderRope rope;
        rope.enabled = enabled;
        rope.shift = shift;
        for (const ReferenceLayer& layer : reference_forward(config, weights, input, rope).layers) {
            for (std::size_t i = 0; i < layer.scores.value.size(); ++i) {
                most = std::max({most, layer.scores.bound(i), layer.probs.bound(i)});
            }
        }
    }
    return 2 * 2 * most;
}

TEST(GpuSwitch, ARealGpuEngineServesEveryThreadOfTheWindow) {
    ROPESCOPE_NEEDS_EGL();
    SwitchWindow window(
        [](Fallback fallback) { return headless::make_offscreen_engine({}, std::move(fallback)); },
        "attention");
    window.state.scene.attention_source = AttentionSource::random;
    window.state.scene.attention_tokens = 7;
    window.state.engines.gpu_wanted = true;
    ASSERT_TRUE(window.compared());
    const EngineComparison& comparison = *window.state.engines.comparison;
    ASSERT_TRUE(comparison.largest);
    EXPECT_GT(*comparison.largest, 0.0) << "the engines round differently";
    EXPECT_LT(*comparison.largest, most_between_engines(window.state.scene));
    EXPECT_GT(comparison.cpu_seconds, 0.0);
    EXPECT_GT(comparison.gpu_seconds, 0.0);
}

}  // namespace
}  // namespace ropescope::gui
