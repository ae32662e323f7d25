// Asks an implementation and judges what it answers. A pure function but for the calls of `ask`:
// the command `probe` asks a process, a library or a test asks a function.
#pragma once

#include "core/probe/judge.h"
#include "core/probe/requests.h"

namespace ropescope::probe {

/// The answers to all requests. After one that ended the implementation nothing more is asked. What
/// `ask` throws goes through.
std::vector<Answer> ask_all(const std::vector<Request>& requests, const Ask& ask);

/// What was asked, and what came of it.
struct Conversation {
    std::vector<Request> requests = {};
    std::vector<Answer> answers = {};
};

/// Asks every request of make_requests(), and kTimesAgain times in a row the smallest of those that
/// got a wrong answer: a fault of every second or third call shows there.
Conversation converse(const Part& subject, const Settings& settings, const Ask& ask);
inline constexpr int kTimesAgain = 3;

/// Judges the answers of a conversation.
Report probe(const Part& subject, const Settings& settings, const Ask& ask);

}  // namespace ropescope::probe
