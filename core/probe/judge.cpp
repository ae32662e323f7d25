// Puts what the answers show together.
#include "core/probe/judge.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/score_findings.h"
#include "core/faults/codes.h"
#include "core/probe/answer_dtype.h"
#include "core/probe/behaviour.h"
#include "core/probe/first_answer.h"
#include "core/probe/phrases.h"
#include "core/probe/reply_norm.h"
#include "core/probe/request_faults.h"

namespace ropescope::probe {
namespace {

using diagnosis::Finding;
using diagnosis::Verdict;
using diagnosis::Weight;
namespace say = diagnosis::say;

/// A finding of the report and the smallest request that shows it.
struct Shown {
    Finding finding;
    const Request* by = nullptr;
};

/// A probe has a code of its own for numbers that are none, in whatever tensor.
Finding as_in_a_probe(Finding finding) {
    if (finding.code == faults::code("scores.not_finite")) {
        finding.code = faults::code("answer.not_finite");
    }
    return finding;
}

class Judge {
  public:
    Judge(const Part& subject, std::span<const Request> requests, std::span<const Answer> answers)
        : subject_(subject) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            replies_.push_back(read_reply(requests[i], answers[i]));
            if (replies_.back().usable() && answers[i].outcome != Outcome::not_asked) {
                take_norms(subject, {requests[i].q_norm, requests[i].k_norm}, replies_.back());
            }
            asked_.push_back(answers[i].outcome != Outcome::not_asked);
        }
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            if (answered(i)) {
                comparable_.push_back(&replies_[i]);
            }
        }
    }

    Report report() {
        take_results();
        if (!replies_.empty() && asked_.front() && replies_.front().usable()) {
            take_first();
        }
        take_problems();
        take_others();
        return finished();
    }

  private:
    bool answered(std::size_t i) const { return asked_[i] && replies_[i].usable(); }

    /// Compares every answer with what the model says.
    void take_results() {
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            const Request& request = *replies_[i].request;
            RequestResult result{.id = request.id,
                                 .name = request.name,
                                 .separates = request.separates,
                                 .why = request.why};
            if (!asked_[i]) {
                result.judged = Judged::not_asked;
            } else if (!replies_[i].usable()) {
                result.judged = Judged::failed;
                result.words = replies_[i].problem->words;
            }
            report_.requests.push_back(std::move(result));
        }
    }

    void compare_with_model(std::size_t i) {
        RequestResult& result = report_.requests[i];
        const Difference difference = difference_from_model(subject_, replies_[i], behaviour_);
        result.off = difference.off;
        result.numbers = difference.numbers;
        result.worst_in_tolerances = difference.worst_in_tolerances;
        result.judged = difference.none() ? Judged::right : Judged::wrong;
        if (!difference.none()) {
            result.words = {say::kAnswerOff,
                            {difference.off, difference.numbers, difference.worst_in_tolerances}};
        }
    }

    std::vector<Finding> faults_in(const Reply& reply) const {
        return faults_of({subject_, reply, behaviour_, codes_, comparable_});
    }

    /// The first answer says what the implementation does.
    void take_first() {
        FirstAnswer first = explain_first(subject_, comparable_);
        behaviour_ = std::move(first.behaviour);
        report_.diagnosis = std::move(first.diagnosis);
        compare_with_model(0);
        if (first.norms) {
            read_again(*first.norms);
        }
        for (Finding& finding : report_.diagnosis.findings) {
            if (finding.weight != Weight::note) {
                first_codes_.insert(finding.code);
            }
            shown_.push_back({as_in_a_probe(std::move(finding)), replies_.front().request});
        }
        take_narrowed(0);
        take_scores(0);
    }

    /// Answers are compared with what the implementation does otherwise, its norms included.
    void read_again(const Norms& norms) {
        as_done_ = replies_;
        comparable_.clear();
        for (std::size_t i = 0; i < as_done_.size(); ++i) {
            if (answered(i)) {
                as_done_[i].q_values = to_f64(as_done_[i].q_rot.view());
                if (as_done_[i].request->has_keys()) {
                    as_done_[i].k_values = to_f64(as_done_[i].k_rot.view());
                }
                as_done_[i].before = {as_done_[i].request->q, as_done_[i].request->k};
                as_done_[i].unweighted = {};
                take_norms(subject_, norms, as_done_[i]);
                comparable_.push_back(&as_done_[i]);
            }
        }
    }
    const Reply& as_done(std::size_t i) const {
        return as_done_.empty() ? replies_[i] : as_done_[i];
    }

    void take_problems() {
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            if (asked_[i] && replies_[i].problem) {
                show(*replies_[i].problem, *replies_[i].request);
            }
        }
    }

    /// The richest requests first, so that a fault that several show gets the name that the one
    /// that says most gives it.
    void take_others() {
        std::vector<std::size_t> order;
        for (std::size_t i = 1; i < replies_.size(); ++i) {
            if (answered(i)) {
                order.push_back(i);
            }
        }
        std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) {
            const faults::HeadShape& shape = replies_[i].request->q_shape;
            return shape.length > 1 ? shape.batch * shape.length : 0;
        });
        for (const std::size_t i : order) {
            compare_with_model(i);
            take_other(i);
            take_narrowed(i);
            take_scores(i);
        }
    }

    /// Scores are held to what came of q and k, whether that is right or not.
    void take_scores(std::size_t i) {
        const Request& request = *replies_[i].request;
        const diagnosis::Expectation expected = expectation_of(subject_, request.reach());
        RequestResult& result = report_.requests[i];
        for (Finding& finding : score_findings(dump_of(replies_[i]), &expected)) {
            if (finding.weight == Weight::note) {
                continue;
            }
            result.judged = Judged::wrong;
            result.words = finding.words;
            show(as_in_a_probe(std::move(finding)), request);
        }
    }

    /// Numbers that are right for a narrower dtype alone are not those that were asked for.
    void take_narrowed(std::size_t i) {
        RequestResult& result = report_.requests[i];
        if (result.judged != Judged::right) {
            return;
        }
        if (const auto finding = narrowed_numbers(subject_, replies_[i], behaviour_)) {
            result.judged = Judged::wrong;
            result.words = finding->words;
            show(*finding, *replies_[i].request);
        }
    }

    void take_other(std::size_t i) {
        const Request& request = *replies_[i].request;
        if (changed(i)) {
            return;
        }
        const std::vector<Finding> faults = faults_in(as_done(i));
        for (const Finding& finding : faults) {
            show(finding, request);
        }
        if (!faults.empty() && report_.requests[i].judged == Judged::wrong) {
            report_.requests[i].words = faults.front().words;
        }
        if (faults.empty() && report_.requests[i].judged == Judged::wrong) {
            show_first_faults(request);
        }
    }

    /// The earlier answer to the same call; null if there is none to compare with.
    const Reply* earlier_of(const Request& request) const {
        const auto same = [&](const Reply* reply) { return reply->request->id == request.repeats; };
        const auto found = std::ranges::find_if(comparable_, same);
        return request.repeats && found != comparable_.end() ? *found : nullptr;
    }

    /// Whether two answers to the same call differ by more than both may be off.
    bool differ(const Reply& one, const Reply& other) const {
        for (const bool of_keys : {false, true}) {
            if (of_keys && !one.request->has_keys()) {
                continue;
            }
            const SideBehaviour& side = behaviour_.of(of_keys);
            const std::vector<double> allowed = allowance(
                one, of_keys, plan_of_side(subject_, *one.request, of_keys, side), side.table);
            for (std::size_t i = 0; i < allowed.size(); ++i) {
                const double off = one.values(of_keys)[i] - other.values(of_keys)[i];
                if (std::abs(off) > 2.0 * allowed[i]) {
                    return true;
                }
            }
        }
        return false;
    }

    /// A repeated call with another answer than before.
    bool changed(std::size_t i) {
        const Request& request = *replies_[i].request;
        const Reply* earlier = earlier_of(request);
        if (earlier == nullptr || !differ(*earlier, as_done(i))) {
            return false;  // threads may add in another order, within rounding
        }
        const std::string& name = earlier->request->name;
        const std::vector<Finding> now = faults_in(as_done(i)), before = faults_in(*earlier);
        Finding finding{.code = faults::code("answer.changes"),
                        .words = {say::kChangedSomehow, {name}},
                        .place = {diagnosis::Side::both}};
        if (!now.empty()) {
            finding.words = {say::kChanges, {name, now.front().words}};
            finding.place = now.front().place;
        } else if (!before.empty()) {
            finding.words = {say::kChangedFrom, {name, before.front().words}};
            finding.place = before.front().place;
        }
        report_.requests[i].words = finding.words;
        show(finding, request);
        changes_ = true;
        // What the first answer shows is then one of the two answers, and not what every call does.
        const bool right_before = difference_from_model(subject_, *earlier, behaviour_).none();
        const bool right_now = difference_from_model(subject_, as_done(i), behaviour_).none();
        const bool is_known = behaviour_.q.kind != SideBehaviour::Kind::unknown &&
                              behaviour_.k.kind != SideBehaviour::Kind::unknown;
        first_changes_ = first_changes_ || (is_known && right_now != right_before &&
                                            (right_now ? before : now).empty());
        return true;
    }

    /// The faults of the first answer show in this request, too.
    void show_first_faults(const Request& request) {
        for (Shown& shown : shown_) {
            if (first_codes_.contains(shown.finding.code) &&
                !diagnosis::is_about_scores(shown.finding.code) &&
                request.size() < shown.by->size()) {
                shown.by = &request;
            }
        }
    }

    void show(const Finding& finding, const Request& request) {
        codes_.insert(finding.code);
        const auto same = std::ranges::find_if(
            shown_, [&](const Shown& shown) { return shown.finding.code == finding.code; });
        if (same == shown_.end()) {
            shown_.push_back({finding, &request});
            return;
        }
        const Weight had = same->finding.weight;
        if (finding.weight < had || (finding.weight == had && request.size() < same->by->size())) {
            *same = {finding, &request};
        }
    }

    /// Where calls change, a wrong answer to one of them has no other name, as the same call may
    /// get the right one. What every call shows as the first does keeps its name.
    void drop_what_changes() {
        std::erase_if(shown_, [&](const Shown& shown) {
            const std::string& code = shown.finding.code;
            return changes_ && shown.finding.weight != Weight::note &&
                   !code.starts_with("answer.") && !diagnosis::is_about_scores(code) &&
                   (first_changes_ || !first_codes_.contains(code));
        });
        if (first_changes_) {
            report_.diagnosis.mismatches.clear();
        }
    }

    /// A factor that single calls show is none if scores of others are no product at all.
    void drop_factor_of_no_product() {
        const bool no_product = codes_.contains(faults::code("scores.not_the_product"));
        std::erase_if(shown_, [&](const Shown& shown) {
            const std::string& code = shown.finding.code;
            return no_product && code == faults::code("softmax.scale") &&
                   shown.finding.weight != Weight::note && !first_codes_.contains(code);
        });
    }

    /// What has a name explains what has none.
    void drop_what_has_no_name() {
        const auto is_nameless = [](const Shown& shown) {
            return shown.finding.code == faults::code("answer.wrong");
        };
        const bool named = std::ranges::any_of(shown_, [&](const Shown& shown) {
            return shown.finding.weight == Weight::fault && !is_nameless(shown);
        });
        if (named) {
            std::erase_if(shown_, is_nameless);
        }
    }

    /// A change from call to call comes first, and slightly wrong angles come last.
    static int rank(const Shown& shown) {
        return shown.finding.code == faults::code("answer.changes") ? 0
               : shown.finding.words.phrase == &say::kCoarseAngles  ? 2
                                                                    : 1;
    }

    Report finished() {
        drop_what_changes();
        drop_factor_of_no_product();
        std::ranges::stable_sort(shown_, {}, [](const Shown& shown) {
            return std::pair(shown.finding.weight, rank(shown));
        });
        drop_what_has_no_name();
        report_.part = subject_.name();
        report_.inferred = subject_.inferred;
        report_.diagnosis.findings.clear();
        const bool q_alone = !replies_.empty() && !replies_.front().request->has_keys();
        for (Shown& shown : shown_) {
            if (q_alone && shown.finding.place.sides == diagnosis::Side::both) {
                shown.finding.place.sides = diagnosis::Side::q;
            }
            report_.diagnosis.findings.push_back(std::move(shown.finding));
            report_.shown_by.push_back(shown.by->id);
        }
        conclude(subject_, replies_, report_);
        return std::move(report_);
    }

    const Part& subject_;
    std::vector<Reply> replies_;
    std::vector<Reply> as_done_;  ///< with the norms that the implementation has; empty: the same
    std::vector<bool> asked_;
    std::vector<const Reply*> comparable_;
    Behaviour behaviour_;
    std::set<std::string> codes_, first_codes_;
    std::vector<Shown> shown_;
    bool changes_ = false, first_changes_ = false;
    Report report_;
};

}  // namespace

bool Report::passed() const {
    return diagnosis.verdict == Verdict::valid || diagnosis.verdict == Verdict::equivalent;
}

Report judge(const Part& subject, std::span<const Request> requests,
             std::span<const Answer> answers) {
    Report report = Judge(subject, requests, answers).report();
    if (!subject.layout_is_assumed || report.passed()) {
        return report;
    }
    // No key says how channels pair, so what is right in the other layout is right.
    const Part other = subject.in_other_layout();
    Report again = Judge(other, requests, answers).report();
    return again.passed() ? again : report;
}

RightAnswer expected_answer(const Part& subject, const Request& request) {
    return {expected_numbers(subject, request, false), expected_numbers(subject, request, true)};
}

}  // namespace ropescope::probe
