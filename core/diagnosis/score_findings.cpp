// Says which scores are wrong, and of what they are multiples instead.
#include "core/diagnosis/score_findings.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/scores/score_check.h"
#include "core/diagnosis/scores/score_phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

/// Without an expectation, a factor of the model's own is as likely as a fault, but for those that
/// are made by forgetting a part of the formula, and those that no model has.
bool is_mistake(double scale, double head_dim, double allowed) {
    const auto is = [&](double value) { return std::abs(scale / value - 1.0) <= allowed; };
    return scale < 0.0 || is(1.0) || is(1.0 / head_dim) || is(std::sqrt(head_dim));
}

/// A sum of head_dim products in the format of the scores is exact to about sqrt(head_dim) of its
/// units; eight times that is far below any factor that people mistake. Coarser terms leave the
/// factor uncertain by its standard error, and by the rounding of a query, which all its scores
/// share; a few scores do not tell how coarse they are.
double allowed_share(const ScoreFit& fit, double head_dim) {
    const double root = std::sqrt(head_dim);
    const double terms = fit.samples < 20 ? 0x1p-8 : fit.unit_of_terms;
    return std::max(8.0 * fit.unit * root, 1e-5) + 4.0 * fit.factor_error + 2.0 * terms;
}

/// Names the scores of a group.
class ScorePlaces {
  public:
    ScorePlaces(const ScoreGroup& group, const DumpTensor& scores)
        : group_(group), scores_(scores) {}

    Index all() const { return scores_.batch * scores_.heads * scores_.length * scores_.channels; }

    /// Axes of which all is concerned are left out, and those that have one place.
    Place place() const {
        const auto tells = [&](Index size, Index concerned) {
            return size > 1 && (concerned < size || group_.count == 1);
        };
        const std::vector<Index> rows =
            numbers(scores_.batch, [&](Index i) { return i / scores_.heads; });
        const std::vector<Index> heads =
            numbers(scores_.heads, [&](Index i) { return i % scores_.heads; });
        const Range queries{group_.first_query, group_.last_query};
        const Range keys{group_.first_key, group_.last_key};
        Place place;
        if (tells(scores_.batch, std::ssize(rows))) {
            place.batch_rows = rows;
        }
        if (tells(scores_.heads, std::ssize(heads))) {
            place.heads = heads;
        }
        if (tells(scores_.length, queries.last - queries.first + 1)) {
            place.queries = queries;
        }
        if (tells(scores_.channels, keys.last - keys.first + 1)) {
            place.keys = keys;
        }
        return place;
    }

    bool anywhere() const { return place() == Place(); }

    /// "The score of query 3, key 5 is", "512 of 4096 scores (head 2) are", "All scores are"
    Words subject() const {
        if (group_.count == 1) {
            return anywhere() ? Words(say::kScore) : Words(say::kScoreAt, {place()});
        }
        if (group_.count == all()) {
            return say::kAllScores;
        }
        return anywhere() ? Words(say::kSomeScores, {group_.count, all()})
                          : Words(say::kSomeScoresAt, {group_.count, all(), place()});
    }

    Finding finding(const char* code, Words words) const {
        Place at = place();
        at.tensor = "scores";
        return {.code = code, .words = std::move(words), .place = std::move(at)};
    }

  private:
    template <typename Number>
    std::vector<Index> numbers(Index size, const Number& number_of) const {
        std::vector<bool> concerned(size);
        for (Index i = 0; i < std::ssize(group_.of_head); ++i) {
            if (group_.of_head[i] > 0) {
                concerned[number_of(i)] = true;
            }
        }
        std::vector<Index> numbers;
        for (Index i = 0; i < size; ++i) {
            if (concerned[i]) {
                numbers.push_back(i);
            }
        }
        return numbers;
    }

    const ScoreGroup& group_;
    const DumpTensor& scores_;
};

constexpr double kFloat32 = 0x1p-24;  // its unit

class ScoreJudge {
  public:
    ScoreJudge(const Dump& dump, const Expectation* expectation)
        : dump_(dump),
          expectation_(expectation),
          expected_(expected_softmax_scale(head_dim(), expectation)),
          fit_(fit_scores(factors_, scores(), expected_)),
          factor_(fit_ ? fit_->factor : expected_),
          check_(check_scores(
              {factors_.q, factors_.k, false, 0.0, fit_ ? fit_->terms : ScoreTerms{}}, scores(),
              factor_, fit_ ? fit_->tolerance : usual_tolerance(factors_, scores()))) {}

    std::vector<Finding> findings() const {
        std::vector<Finding> all;
        if (check_.not_finite.count > 0) {
            all.push_back(not_finite());
        }
        if (check_.masked.count > 0) {
            all.push_back(masked());
        }
        if (check_.unusual_mask.count > 0) {
            all.push_back(unusual_mask());
        }
        if (std::optional<Finding> products = wrong_products()) {
            all.push_back(std::move(*products));
        } else {
            if (std::optional<Finding> factor = wrong_factor()) {
                all.push_back(std::move(*factor));
            }
            if (check_.wrong.count > 0) {
                all.push_back(some_wrong());
            } else if (fit_ && fit_->lean) {
                all.push_back(leaning());
            }
        }
        return all;
    }

  private:
    const DumpTensor& scores() const { return *dump_.scores; }
    Index head_dim() const { return dump_.q->after.channels; }

    Finding not_finite() const {
        const ScorePlaces places(check_.not_finite, scores());
        return places.finding(faults::code("scores.not_finite"),
                              {say::kNotFinite, {places.subject()}});
    }

    Finding masked() const {
        const ScorePlaces places(check_.masked, scores());
        return places.finding(faults::code("scores.masked"),
                              check_.masked.count == places.all()
                                  ? Words(say::kAllMasked)
                                  : Words(say::kMasked, {places.subject()}));
    }

    Finding unusual_mask() const {
        const ScorePlaces places(check_.unusual_mask, scores());
        Finding finding =
            places.finding(faults::code("scores.masked"), {say::kUnusualMask, {places.subject()}});
        finding.weight = Weight::note;
        return finding;
    }

    /// Heads whose scores are all 0, and should not be.
    ScoreGroup zero_heads() const {
        ScoreGroup zero{.of_head = check_.wrong.of_head};
        for (std::size_t i = 0; i < zero.of_head.size(); ++i) {
            if (check_.judged[i] == 0 || check_.zero[i] < check_.judged[i]) {
                zero.of_head[i] = 0;
            }
            zero.count += zero.of_head[i];
        }
        return zero;
    }

    Finding some_wrong() const {
        const ScoreGroup& wrong = check_.wrong;
        const ScorePlaces places(wrong, scores());
        Finding finding = places.finding(faults::code("scores.not_the_product"), {});
        if (wrong.count == 1) {
            finding.words = {say::kOneScore,
                             {places.subject(), wrong.measured, factor_, wrong.ideal}};
        } else if (zero_heads().count == wrong.count) {
            finding.words = places.anywhere() ? Words(say::kZeroScores)
                                              : Words(say::kZeroScoresOf, {places.place()});
        } else {
            finding.words = {say::kWrongScores,
                             {places.subject(), factor_, wrong.measured, wrong.ideal}};
        }
        finding.measured = wrong.measured;
        finding.expected = wrong.ideal;
        return finding;
    }

    /// Each score is near enough, but all those of a head or a query differ alike.
    Finding leaning() const {
        const ScoreLean& lean = *fit_->lean;
        Place place{.tensor = "scores", .heads = {lean.head % scores().heads}};
        if (scores().batch > 1) {
            place.batch_rows = {lean.head / scores().heads};
        }
        if (lean.query >= 0) {
            place.queries = Range{lean.query, lean.query};
        }
        const double own = factor_ * (1.0 + lean.share);
        Place said = place;
        said.tensor = {};
        return {.code = faults::code("scores.not_the_product"),
                .words = {say::kLeaningScores, {said, own, factor_}},
                .place = place,
                .measured = own,
                .expected = factor_};
    }

    /// Whether most scores of some head are right.
    bool some_right() const {
        for (std::size_t i = 0; i < check_.judged.size(); ++i) {
            if (2 * check_.wrong.of_head[i] < check_.judged[i]) {
                return true;
            }
        }
        return false;
    }

    /// Scores as a whole are something else than multiples of q_rot . k_rot.
    std::optional<Finding> wrong_products() const {
        if (!fit_ || (check_.wrong.count == 0 && !may_be_others())) {
            return std::nullopt;
        }
        Words words = other_products();
        if (words.empty() && !some_right() && zero_heads().count < check_.wrong.count) {
            words = say::kNoMultiple;
        }
        return words.empty() ? std::nullopt
                             : std::optional(Finding{faults::code("softmax.scale"),
                                                     std::move(words),
                                                     {.tensor = "scores"},
                                                     factor_,
                                                     expected_});
    }

    /// Fitting others takes long: are() and are_capped() say no to all of them where this does.
    bool may_be_others() const { return fit_->share < 0.9 || fit_->unit_of_terms > kFloat32; }

    /// Whether others explain nearly all scores, and those that should be there do not.
    bool are(const ScoreFactors& others) const {
        const std::optional<ScoreFit> fit = fit_scores(others, scores(), expected_);
        return fit && fit->share >= 0.95 && fit_->share < 0.9 * fit->share;
    }

    /// Whether scores are exact to float32 behind a cap, and only to 16 bits without it.
    bool are_capped(double cap) const {
        const std::optional<ScoreFit> fit =
            fit_scores({factors_.q, factors_.k, false, cap}, scores(), expected_);
        return fit && fit->samples >= 200 && fit->share >= 0.95 && fit->unit <= kFloat32 &&
               fit->unit_of_terms <= kFloat32 &&
               (fit_->unit_of_terms > kFloat32 || fit_->share < 0.9 * fit->share);
    }

    /// What the scores are in place of a multiple of q_rot . k_rot; empty if that is not known.
    Words other_products() const {
        const DumpSide &q = *dump_.q, &k = *dump_.k;
        if (!may_be_others()) {
            return {};
        }
        if (are_capped(50.0) || are_capped(30.0)) {  // Gemma 2, Grok
            return say::kCapped;
        }
        if (are({q.after, k.after, true})) {
            return {say::kKeysRepeated, {k.after.heads, q.after.heads / k.after.heads}};
        }
        if (are({q.before, k.before})) {
            return say::kScoresOfNeither;
        }
        if (are({q.after, k.before})) {
            return say::kScoresOfQ;
        }
        if (are({q.before, k.after})) {
            return say::kScoresOfK;
        }
        return {};
    }

    std::optional<Finding> wrong_factor() const {
        return fit_ && some_right() ? factor_finding(*fit_, head_dim(), expectation_)
                                    : std::nullopt;
    }

    const Dump& dump_;
    const Expectation* const expectation_;
    const ScoreFactors factors_{dump_.q->after, dump_.k->after};
    const double expected_;
    const std::optional<ScoreFit> fit_;
    const double factor_;
    const ScoreCheck check_;
};

}  // namespace

/// Gemma's and Granite's files say.
double expected_softmax_scale(Index head_dim, const Expectation* expectation) {
    const double usual = 1.0 / std::sqrt(to_double(head_dim));
    if (expectation == nullptr) {
        return usual;
    }
    const double stated = expectation->softmax_scale.value_or(usual);
    return expectation->specs.empty()
               ? stated
               : stated * make_spectrum(expectation->specs.front()).softmax_scale_factor;
}

std::optional<Finding> factor_finding(const ScoreFit& fit, Index head_dim,
                                      const Expectation* expectation) {
    const double expected = expected_softmax_scale(head_dim, expectation);
    const double allowed = allowed_share(fit, to_double(head_dim));
    if (std::abs(fit.factor / expected - 1.0) <= allowed) {
        return std::nullopt;
    }
    Finding finding{faults::code("softmax.scale"),
                    {say::kOtherFactor, {fit.factor, expected}},
                    {.tensor = "scores"},
                    fit.factor,
                    expected};
    if (expectation == nullptr && !is_mistake(fit.factor, to_double(head_dim), allowed)) {
        finding.words.phrase = &say::kOwnFactor;
        finding.weight = Weight::note;
    }
    return finding;
}

std::vector<Finding> score_findings(const Dump& dump, const Expectation* expectation) {
    return dump.scores && dump.q && dump.k ? ScoreJudge(dump, expectation).findings()
                                           : std::vector<Finding>();
}

bool is_about_scores(std::string_view code) {
    return code == faults::code("softmax.scale") || code.starts_with("scores.");
}

}  // namespace ropescope::diagnosis
