#include "tests/support/golden_arrays.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/support/paths.h"

namespace ropescope::test {

SafetensorsFile open_golden(const std::string& path) {
    return SafetensorsFile::open(source_dir() + "/tests/golden/" + path);
}

nd::Array golden_array(const SafetensorsFile& file, const std::string& name) {
    const TensorBytes& tensor = file.at(name);
    const NumberFormat dtype = tensor.dtype == Dtype::f64 ? NumberFormat::fp64 : NumberFormat::fp32;
    return nd::make(dtype, tensor.shape, to_f64(tensor));
}

double largest_difference(const nd::Array& a, const nd::Array& b) {
    if (a.shape != b.shape) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double off = std::abs(a.values[i] - b.values[i]);
        largest = off <= largest ? largest : off;
    }
    return largest;
}

nd::Array array_of(const SystemResult& outcome) {
    if (const auto* error = std::get_if<FrameworkError>(&outcome)) {
        ADD_FAILURE() << error->exception << ": " << error->text;
        return {};
    }
    return std::get<nd::Array>(outcome);
}

FrameworkError error_of(const SystemResult& outcome) {
    const auto* error = std::get_if<FrameworkError>(&outcome);
    if (error == nullptr) {
        ADD_FAILURE() << "it runs";
        return {};
    }
    return *error;
}

double pair_length(const nd::Array& x) {
    double largest = 0.0;
    for (const double value : x.values) {
        largest = std::max(largest, std::abs(value));
    }
    return std::sqrt(2.0) * largest;
}

}  // namespace ropescope::test
