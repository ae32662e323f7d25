// Checks of the trained models in the box: what they were measured at, and that their rotation does
// what RoPE promises.
#pragma once

#include <vector>

#include "core/checks/check.h"
#include "core/checks/reference/reference_encoder.h"
#include "core/demo/demo_models.h"

namespace ropescope::demo {

/// The family demo.
const std::vector<Check>& demo_checks();

/// Those that count hidden pieces of the held-out text and hold the counts to the script's.
std::vector<Check> count_checks();

/// The shipped model on the beginning of the held-out text, in double and with the bounds of fp32.
struct RealPass {
    EncoderFiles files;
    EncoderInput input;
    ReferenceTrace reference;
};
const RealPass& real_pass();

}  // namespace ropescope::demo
