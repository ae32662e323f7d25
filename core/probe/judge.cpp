// Puts what the answers show together.
#include "core/probe/judge.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "core/faults/codes.h"
#include "core/probe/behaviour.h"
#include "core/probe/request_faults.h"

namespace ropescope::probe {
namespace {

using diagnosis::Diagnosis;
using diagnosis::Finding;
using diagnosis::Verdict;
using diagnosis::Weight;

/// A finding of the report and the smallest request that shows it.
struct Shown {
    Finding finding;
    const Request* by = nullptr;
};

class Judge {
  public:
    Judge(const Subject& subject, std::span<const Request> requests,
          std::span<const Answer> answers)
        : subject_(subject) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            replies_.push_back(read_reply(requests[i], answers[i]));
            asked_.push_back(answers[i].outcome != Outcome::not_asked);
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
                result.text = replies_[i].problem->text;
            }
            report_.requests.push_back(std::move(result));
        }
    }

    /// Whether both sides are as the model says, within the rounding of the implementation's table.
    void compare_with_model(std::size_t i) {
        RequestResult& result = report_.requests[i];
        for (const bool of_keys : {false, true}) {
            const Difference difference = difference_from(
                replies_[i], of_keys, expected_plan(subject_, *replies_[i].request, of_keys),
                behaviour_.of(of_keys).table);
            result.off += difference.off;
            result.numbers += difference.numbers;
            result.worst_in_tolerances =
                std::max(result.worst_in_tolerances, difference.worst_in_tolerances);
        }
        result.judged = result.off == 0 ? Judged::right : Judged::wrong;
    }

    /// The first answer says what the implementation does.
    void take_first() {
        behaviour_ = behaviour_of(subject_, replies_.front());
        const diagnosis::Expectation expected =
            expectation_of(subject_, replies_.front().request->reach());
        report_.diagnosis = diagnose(dump_of(replies_.front()), &expected);
        explain_stillness();
        compare_with_model(0);
        drop_what_is_right();
        if (report_.requests.front().judged == Judged::wrong) {
            if (permuted_alike()) {
                std::erase_if(report_.diagnosis.mismatches,
                              [](const auto& mismatch) { return mismatch.what == "layout"; });
            }
            add_mismatches(report_.diagnosis);
            name_first();
            name_known_faults();
            weigh_layout();
        }
        for (Finding& finding : report_.diagnosis.findings) {
            if (finding.weight != Weight::note) {
                first_codes_.insert(finding.code);
            }
            shown_.push_back({std::move(finding), replies_.front().request});
        }
    }

    /// Numbers that are right within their tolerance are right, whatever explains them too.
    void drop_what_is_right() {
        const auto not_of_scores = [](const auto& code) { return code != faults::kSoftmaxScale; };
        if (report_.requests.front().judged == Judged::right) {
            std::erase_if(report_.diagnosis.findings, [&](const Finding& finding) {
                return finding.weight != Weight::note && not_of_scores(finding.code);
            });
            std::erase_if(report_.diagnosis.mismatches,
                          [&](const auto& mismatch) { return not_of_scores(mismatch.what); });
        }
    }

    /// Whether q and k are read in the model's pairs and written elsewhere, both alike: then scores
    /// are the model's.
    bool permuted_alike() const {
        const Request& request = *replies_.front().request;
        const auto plan = [&](bool of_keys) {
            return plan_of_side(subject_, request, of_keys, behaviour_.of(of_keys));
        };
        const vectors::RotationPlan q = plan(false), k = plan(true);
        return q.pairs == subject_.scheme.pairs && k.pairs == q.pairs && q.written != q.pairs &&
               k.written == q.written;
    }

    /// Another layout gives the same scores only with other weights than the model's, unless only
    /// the order of what comes out is another one.
    void weigh_layout() {
        Diagnosis& diagnosis = report_.diagnosis;
        const bool alike = permuted_alike();
        if (alike) {
            std::erase_if(diagnosis.findings, [](const Finding& finding) {
                return finding.code == faults::kNotARotation;
            });
        }
        for (Finding& finding : diagnosis.findings) {
            if (finding.code == faults::kLayoutOther && finding.weight != Weight::note) {
                finding.weight = alike ? Weight::equivalent : Weight::fault;
            }
        }
    }

    /// A wrong first answer must have a finding that says why.
    void name_first() {
        std::vector<Finding>& findings = report_.diagnosis.findings;
        const auto says_why = [](const Finding& finding) {
            return finding.weight != Weight::note && finding.code != faults::kNotARotation &&
                   finding.code != faults::kSoftmaxScale;
        };
        if (std::ranges::any_of(findings, says_why)) {
            return;
        }
        const Behaviour right;
        const Question question{subject_, replies_.front(), right, codes_};
        for (Finding& finding : faults_of(question)) {
            const auto same = std::ranges::find(findings, finding.code, &Finding::code);
            if (finding.code != faults::kAnswerWrong ||
                std::ranges::none_of(findings,
                                     [](const auto& f) { return f.weight == Weight::fault; })) {
                if (same != findings.end()) {
                    findings.erase(same);
                }
                findings.insert(findings.begin(), std::move(finding));
            }
        }
    }

    /// Replies that a fault gives, on both sides.
    Index given_by(const vectors::RotationFault& fault) const {
        const SideBehaviour side{.kind = SideBehaviour::Kind::fault, .fault = &fault};
        Index given = 0;
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            const auto same = [&](bool of_keys) {
                return difference_from(replies_[i], of_keys,
                                       plan_of_side(subject_, *replies_[i].request, of_keys, side),
                                       {})
                    .none();
            };
            given += answered(i) && same(false) && same(true) ? 1 : 0;
        }
        return given;
    }

    /// A first answer in which nothing turns has several explanations, of which the others tell the
    /// right one: the table may be read at the position of the first token alone.
    void explain_stillness() {
        if (behaviour_.q.kind != SideBehaviour::Kind::still ||
            behaviour_.k.kind != SideBehaviour::Kind::still) {
            return;
        }
        const vectors::RotationPlan right =
            expected_plan(subject_, *replies_.front().request, false);
        const vectors::RotationFault* best = nullptr;
        Index most = 0;
        for (const auto* fault : matching_faults(subject_, replies_.front(), false, right, {})) {
            const Index given = given_by(*fault);
            if (given > most) {
                most = given;
                best = fault;
            }
        }
        if (best != nullptr && best->code != faults::kSpectrumZero) {
            behaviour_.q = behaviour_.k = {.kind = SideBehaviour::Kind::fault, .fault = best};
        }
    }

    /// The code of a fault that gives exactly the first answer of a side.
    std::string code_of(bool of_keys) const {
        const SideBehaviour& side = behaviour_.of(of_keys);
        const Request& request = *replies_.front().request;
        const bool twice = plan_of_side(subject_, request, of_keys, side).omega_rad.front() ==
                           2.0 * expected_plan(subject_, request, of_keys).omega_rad.front();
        return of_keys && twice && behaviour_.q.kind == SideBehaviour::Kind::expected
                   ? faults::kKRotatedTwice
                   : std::string(side.fault->code);
    }

    /// A fault that gives exactly the first answer says more than what the angles look like.
    void name_known_faults() {
        std::vector<Finding>& findings = report_.diagnosis.findings;
        const auto fault_of = [&](bool of_keys) {
            const SideBehaviour& side = behaviour_.of(of_keys);
            return side.kind == SideBehaviour::Kind::fault ? side.fault : nullptr;
        };
        const bool both = fault_of(false) != nullptr && fault_of(false) == fault_of(true);
        for (const bool of_keys : {false, true}) {
            if (fault_of(of_keys) == nullptr || (both && of_keys)) {
                continue;
            }
            const std::string where = both ? "q and k" : of_keys ? "k" : "q";
            std::erase_if(findings, [&](const Finding& finding) {
                return finding.weight == Weight::fault && finding.code != faults::kSoftmaxScale &&
                       (both || finding.where.starts_with(where));
            });
            findings.insert(findings.begin(),
                            {.code = code_of(of_keys),
                             .text = fmt::format("In every call, {}.", fault_of(of_keys)->text),
                             .where = where});
        }
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
            const vectors::HeadShape& shape = replies_[i].request->q_shape;
            return shape.length > 1 ? shape.batch * shape.length : 0;
        });
        for (const std::size_t i : order) {
            compare_with_model(i);
            take_other(i);
        }
    }

    void take_other(std::size_t i) {
        const Request& request = *replies_[i].request;
        if (changed(i)) {
            return;
        }
        const std::vector<Finding> faults = faults_of({subject_, replies_[i], behaviour_, codes_});
        for (const Finding& finding : faults) {
            show(finding, request);
        }
        if (faults.empty() && report_.requests[i].judged == Judged::wrong) {
            show_first_faults(request);
        }
    }

    /// A repeated call with another answer than the first time.
    bool changed(std::size_t i) {
        const Request& request = *replies_[i].request;
        if (!request.repeats) {
            return false;
        }
        const auto earlier = std::ranges::find(
            replies_, *request.repeats, [](const Reply& reply) { return reply.request->id; });
        if (earlier == replies_.end() || !earlier->usable() ||
            !asked_[static_cast<std::size_t>(earlier - replies_.begin())]) {
            return false;
        }
        const bool same =
            earlier->q_values == replies_[i].q_values && earlier->k_values == replies_[i].k_values;
        const bool was_as_otherwise = faults_of({subject_, *earlier, behaviour_, codes_}).empty();
        const std::vector<Finding> now =
            same ? std::vector<Finding>() : faults_of({subject_, replies_[i], behaviour_, codes_});
        if (same || now.empty() || !was_as_otherwise) {
            return false;  // threads may add in another order, within rounding
        }
        show({.code = faults::kAnswerChanges,
              .text = fmt::format("The request \"{}\" gets another answer the second time: {}",
                                  earlier->request->name, now.front().text),
              .where = now.front().where},
             request);
        return true;
    }

    /// The faults of the first answer show in this request, too.
    void show_first_faults(const Request& request) {
        for (Shown& shown : shown_) {
            if (first_codes_.contains(shown.finding.code) &&
                shown.finding.code != faults::kSoftmaxScale && request.size() < shown.by->size()) {
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

    Report finished() {
        std::ranges::stable_sort(shown_, {}, [](const Shown& s) { return s.finding.weight; });
        // What has a name explains what has none.
        const bool named = std::ranges::any_of(shown_, [](const Shown& shown) {
            return shown.finding.weight == Weight::fault &&
                   shown.finding.code != faults::kAnswerWrong;
        });
        if (named) {
            std::erase_if(shown_,
                          [](const Shown& s) { return s.finding.code == faults::kAnswerWrong; });
        }
        report_.part = subject_.part;
        report_.diagnosis.findings.clear();
        for (Shown& shown : shown_) {
            report_.diagnosis.findings.push_back(std::move(shown.finding));
            report_.shown_by.push_back(shown.by->id);
        }
        set_smallest();
        set_verdict();
        return std::move(report_);
    }

    void set_smallest() {
        Index least = 0;
        for (std::size_t i = 0; i < replies_.size(); ++i) {
            const Judged judged = report_.requests[i].judged;
            const bool refused = replies_[i].problem && replies_[i].problem->weight == Weight::note;
            const bool fails = judged == Judged::wrong || (judged == Judged::failed && !refused);
            const Index size = replies_[i].request->size();
            if (fails && (!report_.smallest_failing || size < least)) {
                report_.smallest_failing = replies_[i].request->id;
                least = size;
            }
        }
    }

    void set_verdict() {
        Diagnosis& diagnosis = report_.diagnosis;
        const auto has = [&](Weight weight) {
            return std::ranges::find(diagnosis.findings, weight, &Finding::weight) !=
                   diagnosis.findings.end();
        };
        const bool any_answer = std::ranges::any_of(report_.requests, [](const auto& result) {
            return result.judged == Judged::right || result.judged == Judged::wrong;
        });
        const bool all_right = std::ranges::none_of(
            report_.requests, [](const auto& result) { return result.judged == Judged::wrong; });
        diagnosis.verdict = has(Weight::fault)        ? Verdict::invalid
                            : !any_answer             ? Verdict::undetermined
                            : all_right               ? Verdict::valid
                            : has(Weight::equivalent) ? Verdict::equivalent
                                                      : Verdict::invalid;
        if (all_right && diagnosis.verdict == Verdict::valid) {
            diagnosis.next.clear();
            diagnosis.mismatches.clear();
        }
        diagnosis.summary = summary();
    }

    std::string summary() const {
        const auto right =
            std::ranges::count(report_.requests, Judged::right, &RequestResult::judged);
        const auto asked =
            std::ssize(report_.requests) -
            std::ranges::count(report_.requests, Judged::not_asked, &RequestResult::judged);
        const Diagnosis& diagnosis = report_.diagnosis;
        const std::string verdict(to_string(diagnosis.verdict));
        if (diagnosis.verdict == Verdict::valid) {
            return fmt::format("{}: {} of {} answers are as {} says", verdict, right, asked,
                               subject_.name);
        }
        return fmt::format(
            "{}: {} ({} of {} answers are as {} says)", verdict,
            diagnosis.findings.empty() ? "nothing was answered" : diagnosis.findings.front().text,
            right, asked, subject_.name);
    }

    const Subject& subject_;
    std::vector<Reply> replies_;
    std::vector<bool> asked_;
    Behaviour behaviour_;
    std::set<std::string> codes_, first_codes_;
    std::vector<Shown> shown_;
    Report report_;
};

}  // namespace

bool Report::passed() const {
    return diagnosis.verdict == Verdict::valid || diagnosis.verdict == Verdict::equivalent;
}

Report judge(const Subject& subject, std::span<const Request> requests,
             std::span<const Answer> answers) {
    return Judge(subject, requests, answers).report();
}

Expected expected_answer(const Subject& subject, const Request& request) {
    return {rotated(expected_plan(subject, request, false), request.q),
            rotated(expected_plan(subject, request, true), request.k)};
}

}  // namespace ropescope::probe
