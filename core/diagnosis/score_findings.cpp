// Says which scores are wrong, and of what they are multiples instead.
#include "core/diagnosis/score_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/diagnosis/number_names.h"
#include "core/diagnosis/score_check.h"
#include "core/diagnosis/softmax_scale.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// "query 3", "queries 3 to 63"
std::string range_text(const char* one, const char* several, Index first, Index last) {
    return first == last ? fmt::format("{} {}", one, first)
                         : fmt::format("{} {} to {}", several, first, last);
}

/// Names the scores of a group.
class Places {
  public:
    Places(const ScoreGroup& group, const DumpTensor& scores) : group_(group), scores_(scores) {}

    Index all() const { return scores_.batch * scores_.heads * scores_.length * scores_.channels; }

    /// "batch row 1, heads 0 to 3, query 5": axes of which all is concerned are left out, and those
    /// that have one place; empty if all is concerned.
    std::string text() const {
        std::vector<std::string> parts;
        const auto add = [&](Index size, Index concerned, std::string part) {
            if (size > 1 && (concerned < size || group_.count == 1)) {
                parts.push_back(std::move(part));
            }
        };
        const std::vector<Index> rows =
            numbers(scores_.batch, [&](Index i) { return i / scores_.heads; });
        const std::vector<Index> heads =
            numbers(scores_.heads, [&](Index i) { return i % scores_.heads; });
        add(scores_.batch, std::ssize(rows), numbered("batch row", rows));
        add(scores_.heads, std::ssize(heads), numbered("head", heads));
        add(scores_.length, group_.last_query - group_.first_query + 1,
            range_text("query", "queries", group_.first_query, group_.last_query));
        add(scores_.channels, group_.last_key - group_.first_key + 1,
            range_text("key", "keys", group_.first_key, group_.last_key));
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    /// "The score of query 3, key 5 is", "512 of 4096 scores (head 2) are", "All scores are"
    std::string subject() const {
        const std::string where = text();
        if (group_.count == 1) {
            return fmt::format("The score{}{} is", where.empty() ? "" : " of ", where);
        }
        if (group_.count == all()) {
            return "All scores are";
        }
        return fmt::format("{} of {} scores{} are", group_.count, all(),
                           where.empty() ? "" : fmt::format(" ({})", where));
    }

    Finding finding(const char* code, std::string text_of_it) const {
        const std::string where = text();
        return {.code = code,
                .text = std::move(text_of_it),
                .where = where.empty() ? "scores" : "scores, " + where};
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
        const Places places(check_.not_finite, scores());
        return places.finding(faults::code("scores.not_finite"),
                              fmt::format("{} NaN or infinite.", places.subject()));
    }

    Finding masked() const {
        const Places places(check_.masked, scores());
        return places.finding(
            faults::code("scores.masked"),
            check_.masked.count == places.all()
                ? "All scores are masked, so that none can be held to q_rot . k_rot; dump them "
                  "before the mask and the softmax."
                : fmt::format("{} masked where no mask hides a key (causal, padding, a window, "
                              "documents); dump scores before the mask and the softmax.",
                              places.subject()));
    }

    Finding unusual_mask() const {
        const Places places(check_.unusual_mask, scores());
        Finding finding = places.finding(
            faults::code("scores.masked"),
            fmt::format("{} masked in all heads, and the mask is no causal, window, padding or "
                        "document mask; it is not judged.",
                        places.subject()));
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
        const Places places(wrong, scores());
        Finding finding = places.finding(faults::code("scores.not_the_product"), "");
        if (wrong.count == 1) {
            finding.text = fmt::format("{} {:.6g}, and q_rot . k_rot times {:.6g} is {:.6g}.",
                                       places.subject(), wrong.measured, factor_, wrong.ideal);
        } else if (zero_heads().count == wrong.count) {
            finding.text = fmt::format("Scores{} are all 0, and q_rot . k_rot is not.",
                                       places.text().empty() ? "" : " of " + places.text());
        } else {
            finding.text = fmt::format(
                "{} not q_rot . k_rot times {:.6g}: the first of them is {:.6g} in place of "
                "{:.6g}.",
                places.subject(), factor_, wrong.measured, wrong.ideal);
        }
        finding.measured = wrong.measured;
        finding.expected = wrong.ideal;
        return finding;
    }

    /// Each score is near enough, but all those of a head or a query differ alike.
    Finding leaning() const {
        const ScoreLean& lean = *fit_->lean;
        std::string where =
            scores().batch > 1 ? fmt::format("batch row {}, ", lean.head / scores().heads) : "";
        where += fmt::format("head {}", lean.head % scores().heads);
        where += lean.query < 0 ? "" : fmt::format(", query {}", lean.query);
        const double own = factor_ * (1.0 + lean.share);
        return {.code = faults::code("scores.not_the_product"),
                .text = fmt::format("Scores of {} are q_rot . k_rot times {:.6g}, and those of all "
                                    "are times {:.6g}.",
                                    where, own, factor_),
                .where = "scores, " + where,
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
        const bool exact = check_.wrong.count == 0 && fit_ && fit_->unit <= kFloat32 &&
                           fit_->unit_of_terms <= kFloat32;
        if (!fit_ || exact) {
            return std::nullopt;
        }
        std::string text = other_products();
        if (text.empty() && !some_right() && zero_heads().count < check_.wrong.count) {
            text =
                "Scores are not a multiple of q_rot . k_rot; dump them before the mask and the "
                "softmax.";
        }
        return text.empty() ? std::nullopt
                            : std::optional(Finding{faults::code("softmax.scale"), text, "scores",
                                                    factor_, expected_});
    }

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
    std::string other_products() const {
        const DumpSide &q = *dump_.q, &k = *dump_.k;
        if (are_capped(50.0) || are_capped(30.0)) {  // Gemma 2, Grok
            return "Scores are cap tanh(x / cap) of multiples x of q_rot . k_rot, as models with "
                   "attn_logit_softcapping have them; dump them before the cap.";
        }
        if (are({q.after, k.after, true})) {
            return fmt::format(
                "Query head h reads key head h mod {0} where groups of {1} neighbours share one: "
                "keys were repeated as a whole, not each {1} times.",
                k.after.heads, q.after.heads / k.after.heads);
        }
        if (are({q.before, k.before})) {
            return "Scores are a multiple of q . k: neither is rotated in them.";
        }
        if (are({q.after, k.before})) {
            return "Scores are a multiple of q_rot . k: k is not rotated in them.";
        }
        if (are({q.before, k.after})) {
            return "Scores are a multiple of q . k_rot: q is not rotated in them.";
        }
        return "";
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

std::vector<Finding> score_findings(const Dump& dump, const Expectation* expectation) {
    return dump.scores && dump.q && dump.k ? ScoreJudge(dump, expectation).findings()
                                           : std::vector<Finding>();
}

bool is_about_scores(std::string_view code) {
    return code == faults::code("softmax.scale") || code.starts_with("scores.");
}

}  // namespace ropescope::diagnosis
