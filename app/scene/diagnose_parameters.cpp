// Lists the parameters of the diagnose view.
#include <algorithm>

#include "app/scene/parameters.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/catalogue.h"

namespace ropescope {
namespace {

/// Whether the view can draw it: pairs of one axis that turn by some angle.
bool can_be_drawn(std::string_view code) {
    return !code.starts_with("axes.") && !code.starts_with("answer.") &&
           code != faults::code("not_a_rotation");
}

/// The codes of the faults that the view can draw, each once.
std::vector<std::string> dump_faults() {
    std::vector<std::string> codes = {"none"};
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        if (can_be_drawn(fault.code) && std::ranges::count(codes, fault.code) == 0) {
            codes.emplace_back(fault.code);
        }
    }
    return codes;
}

}  // namespace

std::vector<Parameter> diagnose_parameters() {
    return {
        {.name = "dump",
         .group = "Dump",
         .member = &Scene::dump,
         .help = "The tensors that are diagnosed: made, by the encoding of the scene, or the path "
                 "of a .safetensors or .npz file with q, q_rot, k and k_rot.",
         .label = "tensors"},
        {.name = "dump_fault",
         .group = "Dump",
         .member = &Scene::dump_fault,
         .choices = dump_faults(),
         .help = "What is wrong with tensors that are made, by its code.",
         .read_when = {{.parameter = "dump", .values = {"made"}}},
         .label = "fault"},
        {.name = "dump_fault_in",
         .group = "Dump",
         .member = &Scene::dump_fault_in,
         .choices = {"q_and_k", "k"},
         .help = "Whether the fault is in q and k, or in k alone.",
         .read_when = {{.parameter = "dump", .values = {"made"}},
                       {.parameter = "dump_fault", .values = {"none"}, .unless = true}},
         .label = "fault is in"},
        {.name = "dump_expected",
         .group = "Dump",
         .member = &Scene::dump_expected,
         .help = "Whether the tensors are held against the encoding of the scene, which a model "
                 "of the menu sets.",
         .label = "compare with the encoding"},
    };
}

}  // namespace ropescope
