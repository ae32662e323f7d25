// What faulty and right implementations of a rotation answer to the cases of test vectors. The
// faulty ones are those of faulty_calls.h. Sources: planted_answers.cpp, planted_ids.cpp.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/vectors/judge.h"
#include "core/vectors/packs.h"
#include "tests/support/faulty_calls.h"

namespace ropescope::test {

/// A way to be right in a dtype: everything in fp64, in fp32, frequencies multiplied up as in ggml,
/// tables and products in the dtype of the result.
struct RightRotation {
    std::string name = {};
    Dtype result = Dtype::f32;
    ChangeCall change = {};
};
std::vector<RightRotation> right_rotations();

/// A way to make wrong position ids, of the right ones of a case.
struct IdMutant {
    std::string name = {};
    std::set<std::string> codes = {}, flags = {};
    std::string unnamed = {};
    void (*change)(MultimodalIds& ids) = nullptr;
};
const std::vector<IdMutant>& id_mutants();

/// What a mutant answers to the cases of a pack: a tensor of each case's id, in `result`. Sets
/// `differs` if the mutant fits one of them.
std::vector<Tensor> answers_of(const vectors::Pack& pack, const ChangeCall& change,
                               const std::function<bool(const ProbedCall&)>& fits, Dtype result,
                               bool& differs);
std::vector<Tensor> answers_of(const vectors::Pack& pack, const IdMutant& mutant, bool& differs);

/// A pack on disk, so that answers go through the files that `vectors --check` reads.
class WrittenPack {
  public:
    explicit WrittenPack(vectors::Pack pack);
    const vectors::Pack& pack() const { return pack_; }
    std::vector<vectors::CaseJudgement> judge(const std::vector<Tensor>& answers) const;
    const std::vector<std::string>& flags_of(const std::string& id) const;

  private:
    vectors::Pack pack_;
    std::string folder_;
    std::shared_ptr<const void> owner_;
};

/// What the judge made of a mutant.
struct Kill {
    bool killed = false;   ///< some answer is not right
    bool by_flag = false;  ///< and its case has a flag that names the fault
    bool named = false;    ///< and the judge says a code of the fault
};
Kill kill_of(const WrittenPack& pack, const std::vector<Tensor>& answers,
             const std::set<std::string>& codes, const std::set<std::string>& flags);

/// Models for `vectors --config` that differ in head_dim, base, layout, width, scaling and axes.
struct NamedConfig {
    std::string name = {}, json = {};
};
std::vector<NamedConfig> configs_for_vectors();

}  // namespace ropescope::test
