// Lists the parameters of the diagnose view.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scene/fault_names.h"
#include "app/scene/parameters.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/catalogue.h"
#include "core/rope/qk_norm.h"

namespace ropescope {

namespace {

/// Whether the view can draw it: pairs of one axis that turn by some angle from where they stood.
bool can_be_drawn(std::string_view code) {
    return !code.starts_with("axes.") && !code.starts_with("answer.") &&
           code != faults::code("not_a_rotation") && code != faults::code("phase");
}

/// The codes of the faults that the view can draw, each once, in the order of their groups.
std::vector<std::string> dump_faults() {
    std::vector<std::string> codes = {"none"};
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        if (can_be_drawn(fault.code) && std::ranges::count(codes, fault.code) == 0) {
            codes.emplace_back(fault.code);
        }
    }
    std::ranges::stable_sort(codes.begin() + 1, codes.end(), {}, [](const std::string& code) {
        return std::ranges::find(fault_names(), code, &FaultName::code) - fault_names().begin();
    });
    return codes;
}

/// The file, and what it calls its tensors.
std::vector<Parameter> dump_parameters(const ReadWhen& of_a_file) {
    return {
        {.name = "dump",
         .group = "Dump",
         .member = &Scene::dump,
         .help = "The tensors that are diagnosed: made, by the encoding of the scene, or the path "
                 "of a .safetensors or .npz file with q, q_rot, k and k_rot.",
         .label = "tensors"},
        {.name = "dump_map",
         .group = "Dump",
         .member = &Scene::dump_map,
         .help =
             "What the file calls q, q_rot, k, k_rot, positions, q_positions, k_positions, scores, "
             "q_norm, k_norm and others: pairs like q=query,q_rot=query_turned, where * stands for "
             "the number of "
             "a layer; or usual.",
         .read_when = {of_a_file},
         .label = "names of the tensors"},
        {.name = "dump_axes",
         .group = "Dump",
         .member = &Scene::dump_axes,
         .help = "Axes of q and k by their letters (b batch, h heads, l tokens, d channels): bhld, "
                 "blhd, hld, lhd or ld; or found.",
         .read_when = {of_a_file},
         .label = "axes of q and k"},
        {.name = "dump_position_axes",
         .group = "Dump",
         .member = &Scene::dump_position_axes,
         .help = "Axes of positions by the letters a (axis), b (batch) and l (tokens); or found.",
         .read_when = {of_a_file},
         .label = "axes of positions"},
    };
}

/// What is wrong with tensors that are made, and what they are held to.
std::vector<Parameter> made_parameters() {
    return {
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

/// The norm that a file has beside the rotation.
std::vector<Parameter> norm_parameters(const ReadWhen& of_a_file) {
    const ReadWhen of_a_norm = {.parameter = "dump_norm", .values = {"found"}, .unless = true};
    std::vector<std::string> kinds = enum_names<NormKind>();
    kinds.insert(kinds.begin(), "found");
    return {
        {.name = "dump_norm",
         .group = "Dump",
         .member = &Scene::dump_norm,
         .choices = std::move(kinds),
         .help =
             "The norm of q and k beside the rotation, with the weights q_norm and k_norm if the "
             "file has them; found: rms if it has, else none.",
         .read_when = {of_a_file},
         .label = "norm of q and k"},
        {.name = "dump_norm_eps",
         .group = "Dump",
         .member = &Scene::dump_norm_eps,
         .min = 1e-8,
         .max = 1e-2,
         .step = 0.0,
         .scale = Scale::logarithmic,
         .help = "What the norm adds to the mean of squares.",
         .accepted_min = 0.0,
         .accepted_max = 0.999,
         .read_when = {of_a_file, of_a_norm},
         .label = "eps of the norm"},
        {.name = "dump_norm_order",
         .group = "Dump",
         .member = &Scene::dump_norm_order,
         .choices = enum_names<NormOrder>(),
         .help = "Where the norm stands, by the rotation.",
         .read_when = {of_a_file, of_a_norm},
         .label = "norm stands"},
    };
}

}  // namespace

std::vector<Parameter> diagnose_parameters() {
    const ReadWhen of_a_file = {.parameter = "dump", .values = {"made"}, .unless = true};
    std::vector<Parameter> all = dump_parameters(of_a_file);
    std::ranges::move(norm_parameters(of_a_file), std::back_inserter(all));
    std::ranges::move(made_parameters(), std::back_inserter(all));
    return all;
}

}  // namespace ropescope
