// Lists that faulty implementations are made from: models, and changes to their calls.
// Sources: planted_calls.cpp, planted_call_spectra.cpp, planted_call_lengths.cpp,
// planted_call_places.cpp, planted_call_sides.cpp.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/support/planted_implementations.h"
#include "tests/support/probed_rotation.h"

namespace ropescope::test {

using Codes = std::set<std::string>;
using Models = std::vector<std::string>;

inline const Models kHalfSplit = {"llama-2-7b", "llama-3-8b", "qwen2-7b", "gemma-2b",
                                  "smollm2-1.7b"};
inline const Models kInterleaved = {"gpt-j-6b", "command-r", "deepseek-v3", "deepseek-v2-lite"};
inline const Models kPartial = {"phi-2", "stablelm-3b-4e1t", "pythia-160m", "gpt-neox-20b"};
inline const Models kScaled = {"llama-3.1-8b", "llama-3.2-1b", "gpt-oss-20b", "qwen2.5-7b-yarn",
                               "vicuna-7b-16k"};
inline const Models kText = {"llama-2-7b", "llama-3.1-8b", "phi-2", "gpt-j-6b", "gemma-2b"};
inline const Models kMultimodal = {"qwen2-vl-7b", "qwen2.5-vl-7b", "qwen3-vl-8b", "glm-4.1v-9b"};
inline const Models kTowers = {"qwen2-vl-vision", "qwen3-vl-vision", "pixtral-12b", "moonvit"};

/// "gemma-3-4b:sliding_attention" is a part of a model.
Part subject_named(const std::string& model);

/// Implementations that are planted one after the other.
class Collection {
  public:
    void add(int number, const std::string& variant, const Models& models, const Codes& codes,
             const ChangeCall& change);
    PlantedImplementation& add_one(int number, const std::string& variant, const std::string& model,
                                   const Part& subject, const Codes& codes, probe::Ask ask);
    std::vector<PlantedImplementation> take() { return std::move(planted_); }

  private:
    std::vector<PlantedImplementation> planted_;
};

/// q_rot . k_rot / sqrt(head_dim), times a factor.
Tensor scores_of(const probe::Answer& answer, const probe::Request& request, double factor);
void use_pairs(ProbedCall& call, Layout layout);
void use_base(ProbedCall& call, double base);
void leave_scaling(ProbedCall& call);
void use_width(ProbedCall& call, Index rotary_dim);

void add_layouts(Collection& all);
void add_spectra(Collection& all);
void add_lengths(Collection& all);
void add_precision(Collection& all);
void add_positions(Collection& all);
void add_axes(Collection& all);
void add_sides(Collection& all);

}  // namespace ropescope::test
