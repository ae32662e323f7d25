// Holds every sentence that a view shows against the numbers that the view shows.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/formats/model_presets.h"
#include "tests/property/sentences/claims.h"
#include "tests/property/sentences/readouts.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"

namespace ropescope::figures {
namespace {

using test::Random;

/// Sentences of several views before the view's own, of which the last may match any words.
std::vector<SentenceClaim> known_claims(const std::string& view) {
    std::vector<SentenceClaim> known = common_claims();
    const std::vector<SentenceClaim>& own = claims_of(view).sentences;
    known.insert(known.end(), own.begin(), own.end());
    return known;
}

/// Whether the view depends on the scene's model at all, and what its pictures cost.
struct Effort {
    bool presets = true;
    int random_scenes = 200;
};

Effort effort_of(const std::string& view) {
    if (view == "attention" || view == "checks") {
        return {false, 20};
    }
    return {view != "axes", view == "layouts" ? 20 : 200};
}

/// A parameter is set to anything that its control allows, but for those that need files, or
/// minutes.
Scene with_random(const Scene& scene, const std::string& name, Random& random) {
    if (name.starts_with("attention_s") || name == "attention_folder" ||
        name == "attention_tokens" || name == "check_filter" || name == "selected_check") {
        return scene;
    }
    const Parameter& parameter = parameter_by_name(name);
    if (!parameter.choices.empty()) {
        return apply_settings(scene, {name + "=" + random.pick(parameter.choices)});
    }
    return is_number(parameter)
               ? with_slider(scene, name, slider_value(scene, parameter, random.real(0, 1)))
               : scene;
}

std::vector<Scene> scenes_of(const View& view, Random& random) {
    std::vector<Scene> scenes = {{}};
    const Effort effort = effort_of(view.id);
    for (const ModelConfig& model : model_presets()) {
        if (effort.presets) {
            scenes.push_back(with_model({}, model));
        }
    }
    if (view.id == "axes") {
        const std::vector<Scene> models = scenes_of_several_axes();
        scenes.insert(scenes.end(), models.begin(), models.end());
    }
    if (view.id == "attention") {  // an encoder that rotates its values
        scenes.push_back(apply_settings(
            {}, {"attention_source=folder",
                 "attention_folder=" + test::source_dir() + "/tests/golden/hf_roformer_variant"}));
    }
    for (int i = 0; i < effort.random_scenes; ++i) {
        Scene scene = random.pick(scenes);
        for (const std::string& name : view.parameters) {
            scene = random.integer(0, 2) == 0 ? with_random(scene, name, random) : scene;
        }
        scenes.push_back(scene);
    }
    for (Scene& scene : scenes) {
        scene.view = view.id;
    }
    return scenes;
}

/// From the beginning of an axis, 0, to its end, 1.
double at_share(const plot::Axis& axis, double share) {
    return axis.scale == plot::AxisScale::log10 ? axis.min * std::pow(axis.max / axis.min, share)
                                                : axis.min + share * (axis.max - axis.min);
}

class Sentences : public ::testing::TestWithParam<std::string> {
  public:
    /// Finds the sentence's claim and has it checked.
    void check(const Scene& scene, const plot::Figure& figure, const std::string& sentence) {
        SCOPED_TRACE(sentence);
        for (const SentenceClaim& claim : known_) {
            if (const auto places = test::match(claim.pattern, sentence)) {
                claim.holds({scene, figure, *places});
                return;
            }
        }
        ADD_FAILURE() << "not registered in tests/property/sentences/: " << sentence;
    }
    /// Has the values under the cursor checked, at some points of each panel.
    void check_readouts(const Scene& scene, const Picture& picture) {
        for (const plot::Panel& panel : picture.figure.panels) {
            for (const double share : {0.0, 0.31, 0.5, 0.87, 1.0}) {
                const plot::Point at = {at_share(panel.x, share), at_share(panel.y, 1 - share)};
                const Under under{scene, picture.figure, panel.id,
                                  picture.readouts_at(panel.id, at)};
                SCOPED_TRACE(::testing::Message() << panel.id << " at " << at.x << ", " << at.y);
                if (!under.readouts.empty() && !hold_readouts(under)) {
                    ADD_FAILURE() << "not registered in tests/property/sentences/";
                }
            }
        }
    }
    Picture picture(const Scene& scene) {
        // A draft: whole pictures of long ranges take seconds.
        const bool draft = scene.view == "precision" || scene.view == "decay";
        return make_picture(scene, *engine_, {.cache = &cache_, .may_draft = draft});
    }

  private:
    std::unique_ptr<Engine> engine_ = make_cpu_engine(1);
    FigureCache cache_;
    std::vector<SentenceClaim> known_ = known_claims(GetParam());
};

TEST_P(Sentences, SayWhatTheTableOfTheFigureSays) {
    Random random;
    SCOPED_TRACE(random.trace());
    const std::vector<Scene> scenes = scenes_of(view_by_id(GetParam()), random);
    Index drawn = 0;
    for (const Scene& scene : scenes) {
        SCOPED_TRACE(::testing::Message() << "scene of " << scene.model);
        Picture drawing;
        try {
            drawing = picture(scene);
        } catch (const InputError&) {
            continue;  // a random scene need not be drawable
        }
        ++drawn;
        const plot::Figure& figure = drawing.figure;
        check_readouts(scene, drawing);
        hold_report(scene, figure);
        for (const std::string& sentence : test::shown_sentences(figure)) {
            if (test::claims_something(sentence)) {
                check(scene, figure, sentence);
            }
        }
        if (HasFailure()) {
            return;  // the first scene is enough
        }
    }
    EXPECT_GT(2 * drawn, std::ssize(scenes));
}

TEST_P(Sentences, OfTheExplanationHoldForEveryPreset) {
    const View& view = view_by_id(GetParam());
    for (const std::string* text : {&view.what_you_see, &view.what_to_try}) {
        for (const std::string& sentence : test::sentences_of(*text)) {
            if (!test::claims_something(sentence)) {
                continue;
            }
            SCOPED_TRACE(sentence);
            const auto& known = claims_of(view.id).explanations;
            const auto claim = std::ranges::find(known, sentence, &ExplanationClaim::sentence);
            ASSERT_NE(claim, known.end()) << "states something and is not registered";
            for (const ModelConfig& model : model_presets()) {
                SCOPED_TRACE(model.id);
                claim->holds(with_model({}, model));
                if (HasFailure()) {
                    return;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryView, Sentences, ::testing::ValuesIn([] {
                             std::vector<std::string> ids;
                             for (const View& view : views()) {
                                 ids.push_back(view.id);
                             }
                             return ids;
                         }()),
                         [](const auto& view) { return view.param; });

}  // namespace
}  // namespace ropescope::figures
