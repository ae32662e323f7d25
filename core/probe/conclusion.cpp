// Weighs the findings of a probe and counts its right answers.
#include "core/probe/conclusion.h"

#include <algorithm>

#include "core/diagnosis/phrases.h"

namespace ropescope::probe {
namespace {

using diagnosis::Diagnosis;
using diagnosis::Finding;
using diagnosis::Verdict;
using diagnosis::Weight;
namespace say = diagnosis::say;

diagnosis::Words gist_of(const Part& subject, const Report& report) {
    const auto right = std::ranges::count(report.requests, Judged::right, &RequestResult::judged);
    const auto asked =
        std::ssize(report.requests) -
        std::ranges::count(report.requests, Judged::not_asked, &RequestResult::judged);
    const Diagnosis& diagnosis = report.diagnosis;
    if (diagnosis.verdict == Verdict::valid) {
        return {say::kAnswersRight, {right, asked, subject.model}};
    }
    const diagnosis::Words why = diagnosis.findings.empty()
                                     ? diagnosis::Words(say::kNothingAnswered)
                                     : diagnosis.findings.front().words;
    return {say::kAnswersWrong, {why, right, asked, subject.model}};
}

void set_smallest(std::span<const Reply> replies, Report& report) {
    Index least = 0;
    for (std::size_t i = 0; i < replies.size(); ++i) {
        const Judged judged = report.requests[i].judged;
        const bool refused = replies[i].problem && replies[i].problem->weight == Weight::note;
        const bool fails = judged == Judged::wrong || (judged == Judged::failed && !refused);
        const Index size = replies[i].request->size();
        if (fails && (!report.smallest_failing || size < least)) {
            report.smallest_failing = replies[i].request->id;
            least = size;
        }
    }
}

void set_verdict(const Part& subject, Report& report) {
    Diagnosis& diagnosis = report.diagnosis;
    const auto has = [&](Weight weight) {
        return std::ranges::find(diagnosis.findings, weight, &Finding::weight) !=
               diagnosis.findings.end();
    };
    const bool any_answer = std::ranges::any_of(report.requests, [](const auto& result) {
        return result.judged == Judged::right || result.judged == Judged::wrong;
    });
    const bool all_right = std::ranges::none_of(
        report.requests, [](const auto& result) { return result.judged == Judged::wrong; });
    diagnosis.verdict = has(Weight::fault)        ? Verdict::invalid
                        : !any_answer             ? Verdict::undetermined
                        : all_right               ? Verdict::valid
                        : has(Weight::equivalent) ? Verdict::equivalent
                                                  : Verdict::invalid;
    if (all_right && diagnosis.verdict == Verdict::valid) {
        diagnosis.next.clear();
        diagnosis.mismatches.clear();
    }
    diagnosis.gist = gist_of(subject, report);
}

}  // namespace

void conclude(const Part& subject, std::span<const Reply> replies, Report& report) {
    set_smallest(replies, report);
    set_verdict(subject, report);
}

}  // namespace ropescope::probe
