// Judges somebody's answers to a pack.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/faults/codes.h"

namespace ropescope::vectors {

enum class CaseVerdict : std::uint8_t { right, fault, wrong, missing };
}  // namespace ropescope::vectors

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<vectors::CaseVerdict> = {
    "right", "fault", "wrong", "missing"};
}  // namespace ropescope

namespace ropescope::vectors {

struct CaseJudgement {
    std::string id;
    CaseVerdict judged = CaseVerdict::missing;
    /// Of CaseVerdict::fault: those whose wrong answer the answer equals (several if these agree),
    /// or an answer of another shape.
    std::vector<faults::NamedFault> faults = {};
    /// Of a wrong answer: how many numbers are off, and the one that is off most, in tolerances,
    /// and where it stands: an index for each axis of the tensor.
    Index off = 0, numbers = 0;
    double worst_in_tolerances = 0;
    std::vector<Index> worst_at = {};
    /// Of CaseVerdict::wrong: the answer is nearer to the right one than every wrong one that the
    /// judge knows.
    bool inexact = false;
    /// What was inferred about the model of the case, in words; empty if its family is known.
    std::string inferred = {};
    /// Of CaseVerdict::right: what no key of the model's file states, and the answer has another
    /// value of: "layout interleaved, inferred half-split".
    std::string unlike_inferred = {};
};

/// What was found, behind the id of the case: one line without its end. Empty for a right answer.
std::string text_of(const CaseJudgement& judgement);

/// Compares the answers with what the index in `folder` expects: a tensor of the id of each case,
/// in a .safetensors or .npz. Position ids are integers, and `ID/deltas`
/// [batch] may stand beside them; rotations are F64, F32, F16 or BF16 and are held to the tolerance
/// of their dtype. An answer that is not right is compared with each wrong answer, then with those
/// of the whole catalogue and of faults that have a number of their own (near_faults.h), which are
/// made again from the model. A wrong answer is a name only if it differs from the right one by
/// more than the dtype of the answer leaves open. If no key says how the channels of a model pair,
/// its answers are right, too, if all of them are in the other layout. Throws InputError that names
/// the file and the entry if the folder is no pack.
std::vector<CaseJudgement> judge(const std::filesystem::path& folder,
                                 const std::filesystem::path& results);

}  // namespace ropescope::vectors
