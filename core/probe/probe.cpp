// Asks one request after the other.
#include "core/probe/probe.h"

namespace ropescope::probe {

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

Report probe(const Part& subject, const Settings& settings, const Ask& ask) {
    const std::vector<Request> requests = make_requests(subject, settings);
    return judge(subject, requests, ask_all(requests, ask));
}

}  // namespace ropescope::probe
