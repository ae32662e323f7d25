// Turns what differs from the model into findings.
#include <algorithm>
#include <array>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/score_findings.h"
#include "core/faults/codes.h"
#include "core/probe/request_faults.h"

namespace ropescope::probe {
namespace {

using diagnosis::Diagnosis;
using diagnosis::Finding;
using diagnosis::Weight;

/// What begins the codes of findings about the same thing as a mismatch.
struct Topic {
    std::string_view mismatch, prefix, code;
};
constexpr std::array<Topic, 8> kTopics = {
    {{"layout", "layout.", faults::code("layout.other")},
     {"partner", faults::code("layout.other"), faults::code("layout.other")},
     {"rotary_dim", "partial_rotary", faults::code("partial_rotary")},
     {"base", "spectrum.", faults::code("spectrum.default")},
     {"scaling", "spectrum.", faults::code("spectrum.scaled")},
     {"spectrum", "spectrum.", faults::code("spectrum.scaled")},
     {"attention factor", "gain", faults::code("gain")},
     {"sign", "sign.", faults::code("sign.reversed")}}};

/// A factor on all speeds is one on all positions, and diagnose calls it by the latter.
bool is_about(const Finding& finding, const Topic& topic) {
    return finding.code.starts_with(topic.prefix) ||
           (topic.prefix == "spectrum." && finding.code == faults::code("positions.scaled"));
}

}  // namespace

void add_mismatches(Diagnosis& diagnosis) {
    for (const Finding& mismatch : diagnosis.mismatches) {
        const auto topic = std::ranges::find(kTopics, mismatch.code, &Topic::mismatch);
        if (topic == kTopics.end()) {
            continue;  // a fault that is among the findings already
        }
        const auto same = std::ranges::find_if(
            diagnosis.findings, [&](const Finding& finding) { return is_about(finding, *topic); });
        Finding finding{.code = std::string(topic->code), .place = {diagnosis::Side::both}};
        if (same != diagnosis.findings.end()) {
            finding.code = same->code;
            finding.place = same->place;
            diagnosis.findings.erase(same);
        }
        finding.words = {diagnosis::say::kFound, {mismatch.words}};
        finding.measured = mismatch.measured;
        finding.expected = mismatch.expected;
        finding.weight = Weight::fault;
        diagnosis.findings.push_back(std::move(finding));
    }
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
}

std::vector<Finding> diagnosed_faults(const Part& subject, const Reply& reply) {
    const diagnosis::Expectation expected = expectation_of(subject, reply.request->reach());
    Diagnosis diagnosis = diagnose(dump_of(reply), &expected);
    add_mismatches(diagnosis);
    std::vector<Finding> faults;
    std::ranges::copy_if(diagnosis.findings, std::back_inserter(faults), [](const Finding& f) {
        return f.weight == Weight::fault && !diagnosis::is_about_scores(f.code);
    });
    return faults;
}

}  // namespace ropescope::probe
