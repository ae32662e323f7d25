// Answers the cases of test vectors as a rotation does, and has the judge read the answers.
#include <algorithm>

#include "core/formats/safetensors.h"
#include "core/models/model.h"
#include "core/vectors/pack_file.h"
#include "tests/support/planted_rotations.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

/// A case as a call of its q.
probe::Request request_of(const vectors::RotationCase& made, Dtype result) {
    probe::Request request{.id = 1, .name = made.id, .dtype = result};
    request.q_shape = made.plan.shape;
    request.k_shape = {1, 1, 1, made.plan.shape.head_dim};
    request.q = made.input;
    request.k.assign(static_cast<std::size_t>(request.k_shape.size()), 0.0);
    request.positions = made.plan.positions;
    request.axes = made.plan.axes;
    return request;
}

Part subject_of_case(const vectors::RotationCase& made) {
    return parse_model(made.config_json, made.id).part(made.part);
}

}  // namespace

std::vector<RightRotation> right_rotations() {
    std::vector<RightRotation> all;
    for (const Dtype dtype : vectors::kResultDtypes) {
        const std::string name(to_string(dtype));
        if (dtype != Dtype::f64) {
            all.push_back({name + ", angles in fp32", dtype, {}});
            all.push_back({name + ", frequencies as in ggml", dtype,
                           where(both(in_one_axis,
                                      [](const ProbedCall& call) {
                                          return call.subject.spec->scaling == Scaling{};
                                      }),
                                 multiply_frequencies_up)});
        }
        if (dtype == Dtype::f16 || dtype == Dtype::bf16) {
            all.push_back({name + ", tables and products in it", dtype, [=](ProbedCall& call) {
                               call.rotation.table = call.rotation.arithmetic = dtype;
                           }});
        }
        all.push_back({name + ", everything in fp64", dtype, compute_in_fp64});
    }
    return all;
}

std::vector<Tensor> answers_of(const vectors::Pack& pack, const ChangeCall& change,
                               const std::function<bool(const ProbedCall&)>& fits, Dtype result,
                               bool& differs) {
    std::vector<Tensor> answers;
    for (const vectors::RotationCase& made : pack.rotations) {
        const probe::Request request = request_of(made, result);
        const auto changed = [&](ProbedCall& call) {
            if (result == Dtype::f64) {
                EmulatedRotation& how = call.rotation;
                how.table = how.inv_freq = how.position = how.angle = how.arithmetic = Dtype::f64;
            }
            if (!call.of_keys && change && (!fits || fits(call))) {
                differs = true;
                change(call);
            }
        };
        Tensor answer = *answer_call(subject_of_case(made), request, changed).q_rot;
        answer.name = made.id;
        answers.push_back(std::move(answer));
    }
    return answers;
}

WrittenPack::WrittenPack(vectors::Pack pack) : pack_(std::move(pack)) {
    const auto folder = std::make_shared<TempFolder>();
    folder_ = folder->path().string();
    owner_ = folder;
    write_pack(folder_, pack_);
}

std::vector<vectors::CaseJudgement> WrittenPack::judge(const std::vector<Tensor>& answers) const {
    const std::string path = folder_ + "/answers.safetensors";
    write_safetensors(path, std::span(answers));
    return vectors::judge(folder_, path);
}

const std::vector<std::string>& WrittenPack::flags_of(const std::string& id) const {
    const auto rotation = std::ranges::find(pack_.rotations, id, &vectors::RotationCase::id);
    return rotation != pack_.rotations.end()
               ? rotation->flags
               : std::ranges::find(pack_.positions, id, &vectors::PositionCase::id)->flags;
}

Kill kill_of(const WrittenPack& pack, const std::vector<Tensor>& answers,
             const std::set<std::string>& codes, const std::set<std::string>& flags) {
    Kill kill;
    for (const vectors::CaseJudgement& judged : pack.judge(answers)) {
        if (judged.judged == vectors::CaseVerdict::right) {
            continue;
        }
        kill.killed = true;
        kill.by_flag = kill.by_flag ||
                       std::ranges::any_of(pack.flags_of(judged.id), [&](const std::string& flag) {
                           return flags.contains(flag);
                       });
        kill.named =
            kill.named || std::ranges::any_of(judged.faults, [&](const faults::NamedFault& fault) {
                return codes.contains(fault.code);
            });
    }
    return kill;
}

}  // namespace ropescope::test
