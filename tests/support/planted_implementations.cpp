// The classes of faults by number, the faulty implementations of each, and the right ones.
#include "tests/support/planted_implementations.h"

#include <algorithm>

#include "core/models/model.h"
#include "tests/support/faulty_calls.h"

namespace ropescope::test {
namespace {

/// A spec whose frequencies depend on the length.
Part dynamic_subject(Index head_dim) {
    Part subject =
        part_of(RopeSpec{.head_dim = head_dim,
                         .rotary_dim = head_dim,
                         .scaling = DynamicNtkScaling{.factor = 4.0, .original_positions = 2048}});
    subject.model = "dynamic";
    subject.reach = 8192;
    return subject;
}

/// "gemma-3-4b:sliding_attention" is a part of a model, "dynamic NTK, head_dim 64" one of our own.
Part subject_named(const std::string& model) {
    const std::string_view dynamic = "dynamic NTK, head_dim ";
    if (model.starts_with(dynamic)) {
        return dynamic_subject(std::stoi(model.substr(dynamic.size())));
    }
    const std::size_t colon = model.find(':');
    return open_model(model.substr(0, colon))
        .part(colon == model.npos ? "" : model.substr(colon + 1));
}

}  // namespace

const std::vector<FaultClass>& fault_classes() {
    static const std::string kIds = "it is made before the rotation: position ids";
    static const std::string kFile = "it is in files, not in the rotation";
    static const std::vector<FaultClass> kAll = {
        {1, "one model has two layouts, and a part takes the other one"},
        {2, "`mrope_interleaved` read as pairs of neighbours, or the reverse"},
        {3, "a converter of weights forgets the layout", kFile},
        {4, "weights permuted for a part without rotation", kFile},
        {5, "rotated halves are concatenated, not put back in turn"},
        {6, "pairs of neighbours on weights for half-split"},
        {7, "half-split on weights for pairs of neighbours"},
        {8, "partial rotary pairs i with i + head_dim / 2"},
        {9, "a vision tower takes the spectrum of another one"},
        {10, "the path of YaRN ignores the layout"},
        {11, "a fused operator ignores layout and rotary width"},
        {12, "an unknown permutation of channels"},
        {13, "the base falls back to 10000"},
        {14, "scaling is declared and never applied"},
        {15, "prefill without scaling, decode with it"},
        {16, "parameters of Llama 3's scaling are wrong"},
        {17, "nobody knows which key of the file counts", kFile},
        {18, "two bases by type of layer are built as one"},
        {19, "the rotary width is wrong"},
        {20, "dynamic NTK: never applied, never reset, or no number"},
        {21, "LongRoPE switches at the wrong length, or token by token"},
        {22, "the factor of YaRN on the softmax scale is missing"},
        {23, "inv_freq is rounded to bf16"},
        {24, "fast sine and cosine of large angles"},
        {25, "periods of a vision tower are rounded to bf16"},
        {26, "the path for bf16 negates the wrong half"},
        {27, "tests follow a moving reference", "it is in somebody's tests"},
        {28, "padding on the left is counted"},
        {29, "packed documents and ranks get positions of another row"},
        {30, "with one token a row, rows after the first do not turn"},
        {31, "the delta of M-RoPE is lost in decode"},
        {32, "chunks of M-RoPE begin again"},
        {33, "the shift of a cache turns the wrong way or not at all"},
        {34, "the time of images is scaled", kIds},
        {35, "a drafter's slots in M-RoPE", "it is in the scheduling of a server"},
        {36, "frames stand at their slot, not at their time", kIds},
        {37, "positions beyond training, negative frames are missing", kIds},
        {38, "ids for four times the tokens", kIds},
        {39, "chunks of a sequence have no offset"},
        {40, "axes in sections where they are in turn, or the reverse"},
        {41, "height and width exchanged"},
        {42, "the channels are split among axes in another way"},
        {43, "positions are read by the wrong axis"},
        {44, "documents contradict the code", "it is in documents"},
        {45, "layers with and without rotation are confused"},
        {46, "no gradient through the rotation", "a process answers values, not gradients"},
        {47, "keys with one head stay, or one row of the table is read"},
        {48, "strides: heads and tokens change places"},
        {49, "keys are rotated twice"},
    };
    return kAll;
}

std::vector<PlantedImplementation> planted_implementations() {
    std::vector<PlantedImplementation> planted;
    for (const FaultyCall& call : faulty_calls()) {
        for (const FaultyCall::Probed& probed : call.probed) {
            for (const std::string& model : probed.models) {
                const Part subject = subject_named(model);
                planted.push_back({.fault_class = probed.fault_class,
                                   .variant = call.name,
                                   .model = model,
                                   .subject = subject,
                                   .settings = {.negative = call.at_negative_positions},
                                   .codes = probed.codes.empty() ? call.codes : probed.codes,
                                   .ask = probed.ask ? probed.ask(subject)
                                                     : implementation(subject, call.change)});
            }
        }
    }
    std::ranges::stable_sort(planted, {}, &PlantedImplementation::fault_class);
    return planted;
}

std::vector<PlantedImplementation> right_implementations(const std::string& model) {
    std::vector<PlantedImplementation> all;
    for (const Part& subject : open_model(model).parts) {
        const auto add = [&](const std::string& variant, const ChangeCall& change) {
            all.push_back({.variant = variant,
                           .model = model + " " + subject.name(),
                           .subject = subject,
                           .ask = implementation(subject, change)});
        };
        add("fp32", {});
        add("fp64", compute_in_fp64);
        add("16 bits in the tensors' dtype", [](ProbedCall& call) {
            call.rotation.table = call.rotation.arithmetic = call.request.dtype;
        });
        if (subject.spec && subject.spec->scaling == Scaling{}) {
            add("ggml", multiply_frequencies_up);
        }
    }
    return all;
}

}  // namespace ropescope::test
