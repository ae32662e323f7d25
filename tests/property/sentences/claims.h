// What the sentences of the views claim, and how each claim is held against the view's own table.
// Sources: one file for each view (rotation.cpp, spectrum.cpp, ...), and common.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/scene/scene_scaling.h"
#include "core/rope/spectrum.h"
#include "tests/support/sentences.h"

namespace ropescope::figures {

/// A sentence of a figure, taken apart by its pattern.
struct Said {
    const Scene& scene;
    const plot::Figure& figure;
    const test::Places& places;

    double value(std::size_t place) const { return places.numbers.at(place).value; }
    /// The number in this place as it is printed.
    double rounded(std::size_t place) const { return places.numbers.at(place).rounded; }
    const std::string& word(std::size_t place) const { return places.words.at(place); }
    /// Expects that the number in this place was printed for `exact`.
    void number(std::size_t place, double exact) const {
        const test::Printed& printed = places.numbers.at(place);
        EXPECT_TRUE(printed.shows(exact)) << "says " << printed.value << ", is " << exact;
    }
    /// Expects that the number in this place was printed for one of these.
    void one_of(std::size_t place, const std::vector<double>& exact) const {
        const test::Printed& printed = places.numbers.at(place);
        EXPECT_TRUE(std::ranges::any_of(exact, [&](double each) { return printed.shows(each); }))
            << "says " << printed.value;
    }
    /// Expects a number of two significant digits, of which zeros at the end are not printed.
    void two_digits(std::size_t place, double exact) const {
        EXPECT_NEAR(value(place), exact, 0.051 * std::abs(exact));
    }
    /// Expects these numbers in the first places, in this order.
    void numbers(const std::vector<double>& exact) const {
        for (std::size_t i = 0; i < exact.size(); ++i) {
            number(i, exact[i]);
        }
    }

    /// A column of numbers of the figure's table.
    std::vector<double> column(const std::string& name) const;
    std::vector<std::string> words(const std::string& name) const;
    /// The numbers of a column in the rows in which another column is this word.
    std::vector<double> where(const std::string& words_in, const std::string& word,
                              const std::string& name) const;

    /// The encoding of the scene; the spectrum view shows it at the length of its context.
    RopeSpec spec() const {
        RopeSpec spec = rope_spec(scene);
        spec.seq_len =
            scene.view == "spectrum" && spec.seq_len == 0 ? scene.context_length : spec.seq_len;
        return spec;
    }
    Spectrum spectrum() const { return make_spectrum(spec()); }
    double pairs() const { return to_double(spec().pairs()); }
};

/// A kind of sentence and what has to hold when a figure says it.
struct SentenceClaim {
    std::string words;  ///< of a plot::Sentence
    std::function<void(const Said&)> holds;
};

/// For sentences that report a fault of the program: no scene may say them.
void never_said(const Said& said);
/// Whether the claim is one of those.
bool is_never_said(const SentenceClaim& claim);

/// A sentence of a view's explanation, and what has to hold for the scene of any preset.
struct ExplanationClaim {
    std::string sentence;
    std::function<void(const Scene&)> holds;
};

struct Under;  // readouts.h

/// What has to hold for the values under the cursor.
using Hold = std::function<void(const Under&)>;

/// A table of a view's text report: either which cells find the row of the figure's table, and
/// which cells stand there, too; or what has to hold for a row.
struct ReportTable {
    using Names =
        std::vector<std::pair<std::string, std::string>>;  ///< in the report, in the table
    std::string first;                                     ///< the first cell of the header
    Names keys = {}, values = {};
    std::string words_in = "",
                word = "";  ///< rows of the figure's table in which this column is this word
    Hold row = {};          ///< if there is no such table
    int skipped = 0;        ///< tables before it whose header begins with the same cell
    bool may_lack = false;  ///< whether a scene may have nothing for it and for the others
};

/// Everything that a view says, and what has to hold.
struct ViewClaims {
    std::string view;
    std::vector<SentenceClaim> sentences;
    std::vector<ExplanationClaim> explanations;
    std::map<std::string, Hold> readouts;  ///< by the panel's id; "" is any other panel
    std::vector<ReportTable> report = {};
    /// Of the text report; what the figure says, too, need not be repeated.
    std::vector<SentenceClaim> reported = {};
    /// Settings of scenes that chance would hardly find, so that every sentence is said once.
    std::vector<std::vector<std::string>> scenes = {};
    /// Texts that are not sentences are names and hold no numbers, but for these.
    std::vector<std::string> names = {};
};

/// Each view's file registers its claims by a constant of this type.
struct RegisteredClaims {
    explicit RegisteredClaims(ViewClaims (*claims)());
};

/// Layouts for the view positions.
std::vector<std::string> some_layouts();
/// Tensors for the view diagnose: made, or files.
std::vector<std::string> some_dumps();

/// Throws if the view has none.
const ViewClaims& claims_of(const std::string& view);

/// A scene for each published model of several axes, and some with another beside it.
std::vector<Scene> scenes_of_several_axes();

/// Sentences that several views use.
std::vector<SentenceClaim> common_claims();

/// The figure of a view, whole.
plot::Figure whole_figure(Scene scene, const std::string& view);
const plot::Column& column_named(const plot::Figure& figure, const std::string& name);
/// The numbers of one of its columns.
std::vector<double> column_of(const plot::Figure& figure, const std::string& name);
std::vector<std::string> words_of(const plot::Figure& figure, const std::string& name);
/// Singular values above 1e-10 of the largest, of one of the tables of the view scores.
double rank_of(const plot::Figure& figure, const std::string& wanted);
/// How many values satisfy a condition.
template <typename Condition>
double count_of(const std::vector<double>& values, Condition condition) {
    return to_double(std::ranges::count_if(values, condition));
}
/// How many of them differ from each other.
double different(const std::vector<double>& values);
/// The scene with ten times its base.
Scene with_larger_base(Scene scene);
Scene with_content_angle(Scene scene, std::int64_t degrees);
/// The model of the scene: a published one, or a file.
const ModelConfig& preset_of(const Said& said);
/// Frequencies fall from pair to pair.
void first_pairs_are_fast(const Scene& scene);

}  // namespace ropescope::figures
