// Finds tensors by the names of a dump.
#include "core/diagnosis/dump_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"

namespace ropescope::diagnosis {

void DumpSource::fail(const TensorBytes& tensor, const std::string& what) const {
    throw InputError(fmt::format("{}: tensor {}: {}", origin, in_quotes(tensor.name), what));
}

std::vector<std::string> DumpSource::names() const {
    std::vector<std::string> all;
    std::ranges::transform(tensors, std::back_inserter(all), &TensorBytes::name);
    return all;
}

const TensorBytes* DumpSource::find(const std::string& name) const {
    const auto mapped = options.names.find(name);
    const std::string& wanted = mapped == options.names.end() ? name : mapped->second;
    const auto found = std::ranges::find(tensors, wanted, &TensorBytes::name);
    if (found == tensors.end()) {
        if (mapped != options.names.end()) {
            throw InputError(fmt::format("--map: {} has no tensor {}{}", origin, in_quotes(wanted),
                                         did_you_mean(wanted, names())));
        }
        return nullptr;
    }
    return &*found;
}

void DumpSource::check_floats(const TensorBytes& tensor) const {
    const bool floats = tensor.dtype == Dtype::f64 || tensor.dtype == Dtype::f32 ||
                        tensor.dtype == Dtype::f16 || tensor.dtype == Dtype::bf16;
    if (!floats) {
        fail(tensor,
             fmt::format("dtype {}; F64, F32, F16 or BF16 is expected", to_string(tensor.dtype)));
    }
}

}  // namespace ropescope::diagnosis
