// Puts what was found in the place of what was inferred.
#include "core/diagnosis/held/inferred_facts.h"

#include <string>

#include "core/base/error.h"
#include "core/diagnosis/held/phrases.h"

namespace ropescope::diagnosis {
namespace {

Finding difference(const char* what, const Value& inferred, const Value& found) {
    return {.code = what,
            .words = {say::kDiffersFromInferred, {what, found, inferred}},
            .measured = found,
            .expected = inferred,
            .weight = Weight::note};
}

}  // namespace

std::vector<Finding> differences_from_inferred(const Expectation& expectation,
                                               const ExpectedPart& part) {
    std::vector<Finding> all;
    if (expectation.specs.empty() || !part.spec) {
        return all;
    }
    const RopeSpec &inferred = expectation.specs.front(), &found = *part.spec;
    if (expectation.any_layout && found.layout != inferred.layout) {
        all.push_back(difference("layout", std::string(to_string(inferred.layout)),
                                 std::string(to_string(found.layout))));
    }
    if (expectation.any_width && found.rotary_dim != inferred.rotary_dim) {
        all.push_back(
            difference("rotary_dim", Index{inferred.rotary_dim}, Index{found.rotary_dim}));
    }
    if (expectation.any_base && found.base != inferred.base) {
        all.push_back(difference("base", inferred.base, found.base));
    }
    return all;
}

std::optional<Held> held_but_for_inferred(const Dump& dump, const Expectation& expectation,
                                          const Recovered& found) {
    const bool width = expectation.any_width && found.rotary_dim;
    const bool base = expectation.any_base && found.base;
    if ((!width && !base) || !expectation.schemes.empty()) {
        return std::nullopt;
    }
    Expectation changed = expectation;
    for (RopeSpec& spec : changed.specs) {
        spec.rotary_dim = width ? *found.rotary_dim : spec.rotary_dim;
        spec.base = base ? *found.base : spec.base;
    }
    try {
        std::optional<Held> held = hold_to(dump, changed);
        return held && held->met() ? std::move(held) : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;  // the scaling of the file does not fit to what was found
    }
}

}  // namespace ropescope::diagnosis
