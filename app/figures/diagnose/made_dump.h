// Tensors as a right or a faulty implementation of an encoding would dump them, to be diagnosed.
#pragma once

#include <string>

#include "core/diagnosis/dump.h"
#include "core/rope/rope_spec.h"

namespace ropescope::figures {

struct MadeDump {
    diagnosis::Dump dump;
    std::string fault;    ///< what was done wrong: "the base was 10000"; empty if nothing was
    bool unseen = false;  ///< the encoding has nothing that the fault could concern
};

/// q and k in fp32, two sequences of two heads: one from position 0 on, and one that passes
/// position 4096, behind which short tables end. `code` is that of a fault or "none"; of several
/// faults with one code, the first that concerns the encoding is made. It is made in k, and if
/// `in_both` in q.
MadeDump make_dump_of(const RopeSpec& spec, const std::string& code, bool in_both);

}  // namespace ropescope::figures
