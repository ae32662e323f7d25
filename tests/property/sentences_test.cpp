// Holds every sentence that a view shows against the numbers that the view shows.
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>

#include "app/figures/encoder/measured.h"
#include "app/plot/rich_text.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/formats/presets.h"
#include "tests/property/sentences/claims.h"
#include "tests/property/sentences/readouts.h"
#include "tests/property/sentences/scenes.h"

namespace ropescope::figures {
namespace {

using test::Random;

/// From the beginning of an axis, 0, to its end, 1.
double at_share(const plot::Axis& axis, double share) {
    return axis.scale == plot::AxisScale::log10 ? axis.min * std::pow(axis.max / axis.min, share)
                                                : axis.min + share * (axis.max - axis.min);
}

/// As the command line sets it.
std::string settings_text(const Scene& scene) {
    std::string text;
    for (const Assignment& set : assignments_to(scene)) {
        text += " --set " + set.parameter->name + "=" + set.text;
    }
    return text;
}

/// Whether to look at a draft of the scene, at the whole picture, or at both. A whole picture of
/// the view precision takes a quarter of a second; only a whole one proves that no error is
/// reached.
std::vector<bool> drafts_of(const Scene& scene, Index number) {
    if (scene.view == "decay") {
        return {true, false};
    }
    if (scene.view == "precision") {
        const bool whole = number % 10 == 0 || scene.precision_chain == "fp64";
        return whole ? std::vector<bool>{true, false} : std::vector<bool>{true};
    }
    return {false};
}

/// A list of claims, and how often a sentence was one of them.
class Counted {
  public:
    explicit Counted(const std::vector<SentenceClaim>& claims)
        : claims_(&claims), seen_(claims.size(), 0) {}

    /// Has the sentence checked by the claim that has its words; false if there is none.
    bool check(const Scene& scene, const plot::Figure& figure, const plot::Sentence& sentence) {
        const std::string words = test::words_of(sentence);
        const auto claim = std::ranges::find(*claims_, words, &SentenceClaim::words);
        if (claim == claims_->end()) {
            return false;
        }
        ++seen_[static_cast<std::size_t>(claim - claims_->begin())];
        claim->holds({scene, figure, test::places_of(sentence)});
        return true;
    }
    /// A claim that no scene says may be wrong.
    void expect_all_seen() const {
        for (std::size_t i = 0; i < claims_->size(); ++i) {
            EXPECT_TRUE(seen_[i] > 0 || is_never_said((*claims_)[i]))
                << "no scene says: " << (*claims_)[i].words;
        }
    }

  private:
    const std::vector<SentenceClaim>* claims_;
    std::vector<int> seen_;
};

class Sentences : public ::testing::TestWithParam<std::string> {
  public:
    void check(const Scene& given, const Picture& picture) {
        const plot::Figure& figure = picture.figure;
        if (picture.draft && figure.data.columns.empty()) {
            return;  // the encoder runs, and nothing is shown yet
        }
        const Scene scene = shown_scene(given, figure);
        check_readouts(scene, picture);
        hold_report_tables(scene, figure, listings_);
        for (const plot::Text& text : test::shown_texts(figure)) {
            check_said(scene, figure, text);
            expect_name(figure, text);
        }
        for (const plot::Text* const text : {&figure.title, &figure.subtitle}) {
            const std::string rest = test::without_sentences(*text);
            EXPECT_TRUE(std::ranges::none_of(rest, is_letter)) << "not a sentence: " << rest;
        }
        check_said(scene, figure, figure.report);
        for (const std::string& line : lines_of(test::without_sentences(body_of(figure)))) {
            EXPECT_TRUE(!test::has_number(line) || is_name(line))
                << "of the report, and not a sentence: " << line;
        }
    }
    void expect_all_seen() const {
        own_.expect_all_seen();
        reported_.expect_all_seen();
        for (const auto& [name, listed] : listings_) {
            EXPECT_GT(listed.found, 0) << name << ": no table lists it, of " << listed.asked;
        }
    }
    Picture picture(const Scene& scene, bool draft) {
        return make_picture(scene, *engine_, {.cache = &cache_, .may_draft = draft});
    }

  private:
    static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

    /// Has the sentences of a text checked, and that their numbers are printed for what they are.
    void check_said(const Scene& scene, const plot::Figure& figure, const plot::Text& text) {
        for (const plot::Sentence& sentence : text.sentences) {
            SCOPED_TRACE(sentence.text());
            for (const plot::SentenceValue& value : sentence.values) {
                EXPECT_TRUE(test::is_printed(value)) << value.text << " for " << *value.exact;
            }
            if (!own_.check(scene, figure, sentence) && !reported_.check(scene, figure, sentence) &&
                !common_.check(scene, figure, sentence)) {
                ADD_FAILURE() << "not registered in tests/property/sentences/: " << sentence.words;
            }
        }
    }
    static bool is_code(const plot::Figure& figure, const std::string& text) {
        return std::ranges::any_of(figure.panels, [&](const plot::Panel& panel) {
            return std::ranges::any_of(panel.marks, [&](const plot::Mark& mark) {
                const auto* const label = std::get_if<plot::Label>(&mark);
                return label != nullptr && label->mono && label->text == text;
            });
        });
    }
    bool is_name(const std::string& text) const {
        return std::ranges::find(claims_.names, text) != claims_.names.end();
    }
    /// The report without the title and the subtitle with which it begins.
    static plot::Text body_of(const plot::Figure& figure) {
        plot::Text body = figure.report;
        for (const std::string& head :
             {std::string(figure.title + "\n" + figure.subtitle), std::string(figure.title)}) {
            for (const std::string& written : {head, plot::plain_formula(head)}) {
                if (body.starts_with(written)) {
                    body.erase(0, written.size());
                    return body;
                }
            }
        }
        return body;
    }
    /// A text that is not made of sentences names something. In letters of equal width it is a
    /// number in a table or a line of code.
    void expect_name(const plot::Figure& figure, const plot::Text& text) {
        const std::string rest = test::without_sentences(text);
        EXPECT_TRUE(!test::has_number(rest) || is_code(figure, rest) ||
                    std::ranges::none_of(rest, is_letter) || is_name(rest))
            << "a number that is not of a sentence: " << rest;
    }
    /// Where q and k come from the encoder, its encoding is shown, up to the length of the text.
    Scene shown_scene(const Scene& scene, const plot::Figure& figure) {
        if (!takes_content_of_encoder(scene) || !view_by_id(scene.view).reads("content_source")) {
            return scene;
        }
        Scene shown = on_encoder(scene, cache_);
        if (scene.view == "decay") {
            const Said said{scene, figure, Under::kNoPlaces};
            shown.decay_range = round_to_index(std::ranges::max(said.column("distance_positions")));
        }
        return shown;
    }
    /// Has the values under the cursor checked, at some points of each panel.
    void check_readouts(const Scene& scene, const Picture& picture) {
        for (const plot::Panel& panel : picture.figure.panels) {
            for (const double share : {0.0, 0.31, 0.5, 0.87, 1.0}) {
                const plot::Point at = {at_share(panel.x, share), at_share(panel.y, 1 - share)};
                const Under under{scene, picture.figure, panel.id,
                                  picture.readouts_at(panel.id, at), &listings_};
                SCOPED_TRACE(::testing::Message() << panel.id << " at " << at.x << ", " << at.y);
                if (!under.readouts.empty() && !hold_readouts(under)) {
                    ADD_FAILURE() << "not registered in tests/property/sentences/";
                }
                for (const std::string& name : under.ignored()) {
                    ADD_FAILURE() << name << ": no claim looks at it: " << under.text(name);
                }
            }
        }
    }

    std::unique_ptr<Engine> engine_ = make_cpu_engine(1);
    FigureCache cache_;
    const std::vector<SentenceClaim> shared_ = common_claims();
    Counted common_{shared_};
    const ViewClaims& claims_ = claims_of(GetParam());
    Counted own_{claims_.sentences};
    Counted reported_{claims_.reported};
    Under::Listings listings_;
};

TEST_P(Sentences, SayWhatTheTableOfTheFigureSays) {
    Random random;
    SCOPED_TRACE(random.trace());
    const std::vector<Scene> scenes = scenes_of(view_by_id(GetParam()), random);
    Index drawn = 0;
    for (const Scene& scene : scenes) {
        SCOPED_TRACE(settings_text(scene));
        try {
            for (const bool draft : drafts_of(scene, drawn)) {
                check(scene, picture(scene, draft));
            }
        } catch (const InputError&) {
            continue;  // a random scene need not be drawable
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();  // with the scene
        }
        ++drawn;
        if (HasFailure()) {
            return;  // the first scene is enough
        }
    }
    EXPECT_GT(2 * drawn, std::ssize(scenes));
    expect_all_seen();
}

TEST_P(Sentences, OfTheExplanationHoldForEveryPreset) {
    const View& view = view_by_id(GetParam());
    std::vector<std::string> told = test::sentences_of(view.what_you_see);
    std::ranges::copy(test::sentences_of(view.what_to_try), std::back_inserter(told));
    for (const ExplanationClaim& claim : claims_of(view.id).explanations) {
        SCOPED_TRACE(claim.sentence);
        ASSERT_NE(std::ranges::find(told, claim.sentence), told.end())
            << "the view does not say it";
        for (const ModelConfig& model : model_presets()) {
            SCOPED_TRACE(model.id);
            claim.holds(with_model({}, model));
            if (HasFailure()) {
                return;
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
