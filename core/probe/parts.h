// Which part of a model answers were held to, and whether they are right for another.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/probe/judge.h"

namespace ropescope::probe {

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
