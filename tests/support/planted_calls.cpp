// Changes one thing about the calls of a right implementation.
#include "tests/support/planted_calls.h"

#include "core/models/model.h"

namespace ropescope::test {

Part subject_named(const std::string& model) {
    const std::size_t colon = model.find(':');
    return open_model(model.substr(0, colon))
        .part(colon == model.npos ? "" : model.substr(colon + 1));
}

void Collection::add(int number, const std::string& variant, const Models& models,
                     const Codes& codes, const ChangeCall& change) {
    for (const std::string& model : models) {
        const Part subject = subject_named(model);
        add_one(number, variant, model, subject, codes, implementation(subject, change));
    }
}

PlantedImplementation& Collection::add_one(int number, const std::string& variant,
                                           const std::string& model, const Part& subject,
                                           const Codes& codes, probe::Ask ask) {
    return planted_.emplace_back(
        PlantedImplementation{number, variant, model, subject, {}, codes, std::move(ask)});
}

void use_pairs(ProbedCall& call, Layout layout) {
    call.rotation.pairs = call.rotation.written =
        channel_pairs(layout, 2 * std::ssize(call.rotation.pairs));
}

void use_base(ProbedCall& call, double base) {
    RopeSpec spec = *call.subject.spec;
    spec.base = base;
    call.use_spec(spec);
}

void leave_scaling(ProbedCall& call) {
    RopeSpec spec = *call.subject.spec;
    spec.scaling = {};
    call.use_spec(spec);
}

void use_width(ProbedCall& call, Index rotary_dim) {
    RopeSpec spec = *call.subject.spec;
    spec.rotary_dim = rotary_dim;
    call.use_spec(spec, true);
}
}  // namespace ropescope::test
