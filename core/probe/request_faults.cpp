// Looks for the fault of one answer: in the positions of its tokens, among the faults that
// implementations are known to have, in the order of heads.
#include "core/probe/request_faults.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/held/planned_fault.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/score_findings.h"
#include "core/diagnosis/tell/sides.h"
#include "core/faults/codes.h"
#include "core/probe/phrases.h"
#include "core/probe/reply_norm.h"
#include "core/probe/side_question.h"

namespace ropescope::probe {
namespace {

using diagnosis::Explanation;
using diagnosis::Finding;
using diagnosis::Side;
using diagnosis::Value;
using diagnosis::Words;
namespace say = diagnosis::say;
using faults::RotationPlan;

/// A token stands still although its position is not 0, and all others do.
std::optional<Finding> still_side(const SideQuestion& side, const Explanation& found) {
    for (std::size_t at = 0; at < found.turns.angle_rad.size(); ++at) {
        const double error = found.turns.error_rad[at];
        if (error < 1.0 && std::abs(found.turns.angle_rad[at]) > error + found.noise.table_rad) {
            return std::nullopt;
        }
    }
    if (side.is_step()) {
        return side.fault(faults::code("positions.restart"), {say::kStepAtZero, {side.side()}});
    }
    const char* const still =
        side.of_keys ? faults::code("k.unrotated") : faults::code("spectrum.zero");
    return side.fault(still, {say::kStillCall, {side.side()}});
}

/// All tokens are off by the same, and the cache of other calls is not.
std::optional<Finding> shifted_side(const SideQuestion& side, const Explanation& found) {
    const std::optional<double> shift = diagnosis::constant_offset(found);
    if (!shift || std::abs(*shift) < 1e-6) {
        return std::nullopt;
    }
    const double first = found.places.position.front(), stated = found.stated.front();
    const bool from_zero = std::abs(first) < 0.5 && stated > 0.5;
    Finding finding = from_zero ? side.fault(faults::code("positions.restart"),
                                             {say::kFromZero, {side.side(), stated}})
                                : side.fault(faults::code("positions.offset"),
                                             {say::kOffsetInCall, {side.side(), *shift}});
    finding.measured = first;
    finding.expected = stated;
    return finding;
}

std::optional<Finding> gain_of_side(const SideQuestion& side, const Explanation& found) {
    const diagnosis::Gain& gain = found.gain;
    if (!gain.zero_at.empty()) {
        return side.fault(faults::code("not_a_rotation"), words_of_zeros(found));
    }
    const double allowed = 2.0 * (diagnosis::kRotationUnits * side.asked.reply.format.unit +
                                  found.noise.table_rad + 0x1p-20);
    if (!gain.uniform || std::abs(gain.value / side.plan.gain - 1.0) <= allowed) {
        return std::nullopt;
    }
    Finding finding = side.fault(faults::code("gain"),
                                 {say::kGainInCall, {side.side(), gain.value, side.plan.gain}});
    finding.measured = gain.value;
    finding.expected = side.plan.gain;
    return finding;
}

/// A plan of several axes that agree at every token, as in text, with the sum of the speeds of each
/// pair; nothing if they do not agree.
std::optional<RotationPlan> as_one_axis(const RotationPlan& plan) {
    if (plan.heads_differ()) {
        return std::nullopt;
    }
    const auto tokens = static_cast<std::size_t>(plan.shape.batch * plan.shape.length);
    for (std::size_t at = tokens; at < plan.positions.size(); ++at) {
        if (plan.positions[at] != plan.positions[at % tokens]) {
            return std::nullopt;
        }
    }
    RotationPlan one = plan;
    one.axes = 1;
    one.positions.resize(tokens);
    one.omega_rad.assign(plan.pairs.size(), 0.0);
    for (std::size_t i = 0; i < plan.omega_rad.size(); ++i) {
        one.omega_rad[i / static_cast<std::size_t>(plan.axes)] += plan.omega_rad[i];
    }
    return one;
}

/// Every token turns as if its position had the other sign.
std::optional<Finding> reversed_side(const SideQuestion& side, const Explanation& found) {
    bool turns = false;
    for (std::size_t at = 0; at < found.stated.size(); ++at) {
        const double error = found.places.error[at];
        if (std::abs(found.places.position[at] + found.stated[at]) > 2.0 * error + 1e-6) {
            return std::nullopt;
        }
        turns = turns || std::abs(found.stated[at]) > 2.0 * error + 1e-6;
    }
    if (!turns) {
        return std::nullopt;
    }
    return side.fault(
        side.of_keys ? faults::code("sign.k_reversed") : faults::code("sign.reversed"),
        {say::kBackwardsInCall, {side.side()}});
}

/// The same spectrum at other positions.
std::optional<Finding> fault_of_positions(const SideQuestion& asked) {
    const std::optional<RotationPlan> plan = as_one_axis(asked.plan);
    if (!plan) {
        return std::nullopt;
    }
    const SideQuestion side{asked.asked, asked.of_keys, *plan};
    Explanation found = turns_of(side);
    found.gain = measure_gain(found.turns, found.noise, asked.asked.reply.format);
    if (std::optional<Finding> gain = gain_of_side(side, found)) {
        return gain;
    }
    if (std::optional<Finding> still = still_side(side, found)) {
        return still;
    }
    found.places = recover_places(found.turns, side.plan.omega_rad, found.stated, found.noise);
    if (found.places.unexplained > 0) {
        return std::nullopt;
    }
    if (std::optional<Finding> reversed = reversed_side(side, found)) {
        return reversed;
    }
    if (std::optional<Finding> shifted = shifted_side(side, found)) {
        return shifted;
    }
    find_position_faults(found);
    return found.findings.empty() ? std::nullopt : std::optional(found.findings.front());
}

/// A step meets the keys of a whole sequence, so that other frequencies in one of them are wrong
/// between the two, whatever they are.
Finding of_step(const SideQuestion& side, const Value& why) {
    return side.fault(faults::code("spectrum.qk_mismatch"), {say::kStepDiffers, {why}});
}

/// The positions of all axes less that of the first token: a later part counts as the first does.
std::optional<Finding> counted_again(const SideQuestion& side) {
    RotationPlan plan = side.plan;
    const double first = plan.positions.front();
    for (double& position : plan.positions) {
        position -= first;
    }
    if (first == 0.0 ||
        !difference_from(side.asked.reply, side.of_keys, plan, side.behaviour().table).none()) {
        return std::nullopt;
    }
    return side.fault(faults::code("positions.restart"), {say::kFirstAtZero, {side.side(), first}});
}

std::optional<Finding> known_fault(const SideQuestion& side) {
    const RotationPlan right = expected_plan(side.asked.subject, side.request(), side.of_keys);
    const auto table = side.behaviour().table;
    if (side.behaviour().kind != SideBehaviour::Kind::expected &&
        difference_from(side.asked.reply, side.of_keys, right, table).none()) {
        return side.is_step() ? of_step(side, say::kFirstCallDiffers)
                              : side.fault(faults::code("spectrum.changes_at"),
                                           {say::kCallsDiffer, {say::kFirstCallDiffers}});
    }
    const auto faults =
        matching_faults(side.asked.subject, side.asked.reply, side.of_keys, side.plan, table);
    if (faults.empty()) {
        return std::nullopt;
    }
    const auto known = std::ranges::find_if(faults, [&](const auto* fault) {
        return side.asked.known.contains(std::string(fault->code));
    });
    const faults::RotationFault& fault = **(known == faults.end() ? faults.begin() : known);
    const bool of_spectrum = fault.code.starts_with("spectrum.") &&
                             fault.code != faults::code("spectrum.zero") &&
                             fault.code != faults::code("spectrum.low_precision");
    if (side.is_step() && of_spectrum) {
        return of_step(side, std::string(fault.text));
    }
    return side.fault(std::string(fault.code), {say::kInThisCall, {std::string(fault.text)}});
}

/// Heads and tokens changed places in memory.
std::optional<Finding> exchanged_order(const SideQuestion& side) {
    const faults::HeadShape& shape = side.plan.shape;
    if (shape.heads == 1 || shape.length == 1) {
        return std::nullopt;
    }
    const std::vector<double>& values = side.asked.reply.values(side.of_keys);
    Reply exchanged = side.asked.reply;
    std::vector<double>& to = side.of_keys ? exchanged.k_values : exchanged.q_values;
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.length; ++l) {
                const Index from = ((b * shape.length + l) * shape.heads + h) * shape.head_dim;
                std::copy_n(values.begin() + from, shape.head_dim,
                            to.begin() + side.plan.row(b, h, l));
            }
        }
    }
    if (!difference_from(exchanged, side.of_keys, side.plan, side.behaviour().table).none()) {
        return std::nullopt;
    }
    return side.fault(faults::code("answer.order"), {say::kAnswerOrder, {side.side()}});
}

/// What is wrong with one side; empty if nothing is.
std::optional<Finding> fault_of_side(const Question& question, bool of_keys, bool& unnamed) {
    const SideBehaviour& behaviour = question.behaviour.of(of_keys);
    if ((of_keys && !question.reply.request->has_keys()) ||
        behaviour.kind == SideBehaviour::Kind::unknown ||
        question.reply.request->reach() > behaviour.reach) {
        return std::nullopt;
    }
    const SideQuestion side{
        question, of_keys,
        plan_of_side(question.subject, *question.reply.request, of_keys, behaviour)};
    const Difference difference =
        difference_from(question.reply, of_keys, side.plan, behaviour.table);
    if (difference.none() ||
        (!behaviour.speed_error.empty() &&
         difference_from(question.reply, of_keys, side.plan, behaviour.table, behaviour.speed_error)
             .none()) ||
        (behaviour.kind == SideBehaviour::Kind::expected &&
         held_as_expected(question.subject, question.reply))) {
        return std::nullopt;
    }
    // A single token has any position that some other spectrum would give it, too.
    const auto first = side.is_step() ? known_fault : fault_of_positions;
    const auto second = side.is_step() ? fault_of_positions : known_fault;
    for (const auto rule : {left_alone, ruled_positions, first, second, counted_again,
                            exchanged_order, coarse_angles}) {
        if (std::optional<Finding> finding = rule(side)) {
            return finding;
        }
    }
    unnamed = true;
    return unnamed_fault(question.reply, of_keys, difference);
}

/// The fault of the catalogue that makes every number of the answer in place of the model's
/// rotation; empty for a single token a side, whose numbers many faults make.
std::vector<Finding> planned_in(const Question& question) {
    const Request& request = *question.reply.request;
    if (request.q_shape.batch * request.q_shape.length == 1) {
        return {};
    }
    const auto held = diagnosis::hold_to(dump_of(question.reply),
                                         expectation_of(question.subject, request.reach()));
    return held && !held->met() ? planned_faults(*held).sentences() : std::vector<Finding>();
}

/// What was measured, and what has no name, may have one in the catalogue; and a fault that other
/// answers have shown explains this one better than another that fits it, too.
std::optional<std::vector<Finding>> better_named(const Question& question,
                                                 const std::vector<Finding>& findings,
                                                 bool unnamed) {
    std::vector<Finding> planned = findings.empty() ? std::vector<Finding>() : planned_in(question);
    if (planned.empty()) {
        return std::nullopt;
    }
    const std::string& code = planned.front().code;
    const bool vague =
        unnamed || std::ranges::any_of(findings, [](const Finding& finding) {
            return diagnosis::is_measurement(finding) && finding.words.phrase != &say::kStillRows;
        });
    const bool known = question.known.contains(code) &&
                       std::ranges::none_of(findings, [&](const Finding& finding) {
                           return question.known.contains(finding.code);
                       });
    return vague || known ? std::optional(std::move(planned)) : std::nullopt;
}

}  // namespace

Finding unnamed_fault(const Reply&, bool of_keys, const Difference& difference) {
    return {.code = faults::code("answer.wrong"),
            .words = {say::kUnnamed,
                      {difference.off, difference.numbers, side_of(of_keys),
                       difference.worst_in_tolerances}},
            .place = {side_of(of_keys)}};
}

std::vector<Finding> faults_of(const Question& question) {
    std::vector<Finding> findings;
    bool unnamed = false;
    for (const bool of_keys : {false, true}) {
        std::optional<Finding> finding = fault_of_side(question, of_keys, unnamed);
        if (!finding) {
            continue;
        }
        if (auto norms = wrong_norms(question.subject, question.reply)) {
            return std::move(norms->faults);
        }
        if (!findings.empty() && findings.front().code == finding->code) {
            findings.front().place.sides = Side::both;
        } else {
            findings.push_back(std::move(*finding));
        }
    }
    if (auto planned = better_named(question, findings, unnamed)) {
        return *std::move(planned);
    }
    constexpr Index kEnoughTokens = 8;  // for a diagnosis
    if (unnamed && question.reply.request->q_shape.length >= kEnoughTokens) {
        std::vector<Finding> diagnosed = diagnosed_faults(question.subject, question.reply);
        if (!diagnosed.empty()) {
            return diagnosed;
        }
    }
    return findings;
}

// Turns what differs from the model into findings.

namespace {

using diagnosis::Diagnosis;
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
