// Judges the answers of an implementation: what it does, what is wrong, and which request shows it.
// Sources: judge.cpp, conclusion.cpp; reply.h, first_answer.h and request_faults.h lead to the
// others.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/diagnosis/diagnosis.h"
#include "core/probe/reply.h"
#include "core/probe/request.h"
#include "core/schemes/part.h"

namespace ropescope::probe {

/// failed: there is no answer that could be compared. not_asked: an earlier one ended the run.
enum class Judged : std::uint8_t { right, wrong, failed, not_asked };

/// What became of one request.
struct RequestResult {
    Index id = 0;
    std::string name = {}, separates = {}, why = {};
    Judged judged = Judged::right;
    diagnosis::Words words = {};  ///< of failed and wrong: why
    /// Of a wrong answer: numbers of q_rot and k_rot beyond their tolerance, and the worst, in
    /// tolerances.
    Index off = 0, numbers = 0;
    double worst_in_tolerances = 0;
};

/// A diagnosis of all answers together. Its findings have codes of `diagnose`, and beside them
/// answer.error, answer.timeout, answer.garbled, answer.shape, answer.not_finite, answer.order
/// (heads and tokens exchanged), answer.changes (a repeated call), answer.wrong (no known fault).
struct Report {
    diagnosis::Diagnosis diagnosis = {};
    std::string part = {};  ///< of the model
    /// What was inferred about the model, in words; empty if its family is known.
    std::string inferred = {};
    std::vector<Index> shown_by = {};  ///< [findings]: id of the smallest request that shows it
    std::vector<RequestResult> requests = {};
    std::optional<Index> smallest_failing = {};  ///< id
    /// Whether the implementation does what the model says, or what is equivalent
    /// (diagnosis::Weight).
    bool passed() const;
};

/// `answers` [requests].
Report judge(const Part& subject, std::span<const Request> requests,
             std::span<const Answer> answers);

/// What must come out of a request, in float64.
struct RightAnswer {
    std::vector<double> q_rot, k_rot;
};
RightAnswer expected_answer(const Part& subject, const Request& request);

}  // namespace ropescope::probe

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<probe::Judged> = {
    "right", "wrong", "failed", "not_asked"};
}  // namespace ropescope

namespace ropescope::probe {

// What all requests and findings of a report come to.

/// Sets the smallest failing request, the verdict and its line. `replies` [requests].
void conclude(const Part& subject, std::span<const Reply> replies, Report& report);

// Which part of a model answers were held to, and whether they are right for another.

/// Of a model of several parts, of which nobody said which one is asked.
struct HeldPart {
    std::string part = {};
    std::vector<std::string> others = {};
    std::string fits = {};  ///< one of the others that all answers are right for; empty without one
};

/// What became of the answers to requests about the first of `parts`, of which there are several.
HeldPart held_part(std::span<const Part> parts, std::span<const Request> requests,
                   std::span<const Answer> answers, const Report& report);

/// One sentence without a full stop. `option` stands before the name of a part: "--part ".
std::string text_of(const HeldPart& held, std::string_view option);

}  // namespace ropescope::probe
