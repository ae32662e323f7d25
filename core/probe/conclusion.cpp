// Weighs the findings of a probe, counts its right answers, and holds them to the other parts of a
// model.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/probe/judge.h"
#include "core/probe/phrases.h"

namespace ropescope::probe {

namespace {

namespace say = diagnosis::say;
using diagnosis::Diagnosis;
using diagnosis::Finding;
using diagnosis::Verdict;
using diagnosis::Weight;

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

// Holds answers to the other parts of a model.

namespace {

/// Whether answers to requests of one can be held to the other: types of layers of one text.
bool asked_alike(const Part& one, const Part& other) {
    return one.spec && other.spec && one.spec->head_dim == other.spec->head_dim;
}

}  // namespace

HeldPart held_part(std::span<const Part> parts, std::span<const Request> requests,
                   std::span<const Answer> answers, const Report& report) {
    HeldPart held{.part = parts.front().name()};
    for (const Part& part : parts.subspan(1)) {
        held.others.push_back(part.name());
        if (!report.passed() && asked_alike(parts.front(), part) &&
            judge(part, requests, answers).passed()) {
            held.fits = part.name();
        }
    }
    return held;
}

std::string text_of(const HeldPart& held, std::string_view option) {
    const std::string line =
        fmt::format("the answers were held to the part {} of the model, which also has {}",
                    held.part, fmt::join(held.others, ", "));
    return held.fits.empty()
               ? fmt::format("{}: {}NAME holds them to another", line, option)
               : fmt::format("{}; they are right for {}: give {}{} if the code is for that", line,
                             held.fits, option, held.fits);
}

}  // namespace ropescope::probe
