// Asks one request after the other.
#include "core/probe/probe.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/faults/codes.h"

namespace ropescope::probe {
namespace {

/// The smallest request with a wrong answer, again; none if all are right, or if the implementation
/// is gone.
std::vector<Request> asked_again(const Part& subject, const Conversation& so_far) {
    const Report report = judge(subject, so_far.requests, so_far.answers);
    const Request* smallest = nullptr;
    for (std::size_t i = 0; i < so_far.requests.size(); ++i) {
        const Request& request = so_far.requests[i];
        const Judged judged = report.requests[i].judged;
        if (judged == Judged::not_asked) {
            return {};
        }
        if (judged == Judged::wrong && !request.repeats &&
            (smallest == nullptr || request.size() < smallest->size())) {
            smallest = &request;
        }
    }
    std::vector<Request> again;
    for (int time = 1; smallest != nullptr && time <= kTimesAgain; ++time) {
        Request& request = again.emplace_back(*smallest);
        request.repeats = smallest->id;
        request.id = std::ssize(so_far.requests) + time;
        request.name = fmt::format("{}, time {}", smallest->name, time + 1);
        request.separates = faults::code("answer.changes");
        request.why = "The smallest call with a wrong answer must give the same answer again.";
    }
    return again;
}

}  // namespace

std::vector<Answer> ask_all(const std::vector<Request>& requests, const Ask& ask) {
    std::vector<Answer> answers;
    bool gone = false;
    for (const Request& request : requests) {
        answers.push_back(gone ? Answer{.outcome = Outcome::not_asked} : ask(request));
        const Outcome outcome = answers.back().outcome;
        gone = gone || outcome == Outcome::ended || outcome == Outcome::timed_out ||
               outcome == Outcome::garbled;
    }
    return answers;
}

Conversation converse(const Part& subject, const Settings& settings, const Ask& ask) {
    Conversation conversation{.requests = make_requests(subject, settings)};
    conversation.answers = ask_all(conversation.requests, ask);
    const std::vector<Request> again = asked_again(subject, conversation);
    std::ranges::move(ask_all(again, ask), std::back_inserter(conversation.answers));
    conversation.requests.insert(conversation.requests.end(), again.begin(), again.end());
    return conversation;
}

Report probe(const Part& subject, const Settings& settings, const Ask& ask) {
    const Conversation conversation = converse(subject, settings, ask);
    return judge(subject, conversation.requests, conversation.answers);
}

}  // namespace ropescope::probe
