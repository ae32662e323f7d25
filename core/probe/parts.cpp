// Holds answers to the other parts of a model.
#include "core/probe/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ropescope::probe {
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
