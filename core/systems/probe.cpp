// Feeds probes of one common shape to any system.
#include "core/systems/probe.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/uniform.h"
#include "core/formats/tensor.h"

namespace ropescope {

namespace {

constexpr std::string_view kCanonical = "bhld";

/// Makes one call in the system's own axes; `x` has exactly these, in the order of `letters`.
Outcome call(const System& system, const nd::Array& x, std::string_view letters,
             const ProbeSetting& setting) {
    std::vector<int> to_native;
    for (const char axis : system.axes) {
        to_native.push_back(static_cast<int>(letters.find(axis)));
    }
    SystemInput input{
        nd::transpose(x, to_native), setting.base, setting.offset, {}, {}, setting.role, false,
        setting.arithmetic};
    Outcome outcome = system.apply(input);
    nd::Array* y = std::get_if<nd::Array>(&outcome);
    if (y == nullptr) {
        return outcome;
    }
    if (system.kind == SystemKind::additive_table) {
        *y = nd::add(nd::cast(input.x, input.dtype(NumberFormat::fp32)), *y);
    }
    if (y->shape != input.x.shape) {
        return FrameworkError{nd::Fault::view, "no exception",
                              fmt::format("input of shape {} comes back with shape {}",
                                          shape_text(input.x.shape), shape_text(y->shape))};
    }
    std::vector<int> back;
    for (const char axis : letters) {
        back.push_back(static_cast<int>(system.axes.find(axis)));
    }
    return nd::transpose(*y, back);
}

/// Makes one call for each slice of x along the axis `missing`, and joins the results.
Outcome call_by_slices(const System& system, const nd::Array& x, std::size_t missing,
                       const ProbeSetting& setting) {
    std::string letters(kCanonical);
    letters.erase(missing, 1);
    std::vector<int> front = {static_cast<int>(missing)};
    for (int axis = 0; axis < 4; ++axis) {
        if (axis != front[0]) {
            front.push_back(axis);
        }
    }
    const nd::Array sliced_first = nd::transpose(x, front);
    nd::Array out{sliced_first.shape, {}, x.dtype};
    for (std::int64_t i = 0; i < sliced_first.shape[0]; ++i) {
        nd::Array part = nd::slice(sliced_first, 0, i, i + 1);
        part.shape.erase(part.shape.begin());
        Outcome outcome = call(system, part, letters, setting);
        const nd::Array* y = std::get_if<nd::Array>(&outcome);
        if (y == nullptr) {
            return outcome;
        }
        out.values.insert(out.values.end(), y->values.begin(), y->values.end());
        out.dtype = y->dtype;
    }
    std::vector<int> restore(4);
    for (std::size_t i = 0; i < 4; ++i) {
        restore[static_cast<std::size_t>(front[i])] = static_cast<int>(i);
    }
    return nd::transpose(out, restore);
}

}  // namespace

Outcome run_bhld(const System& system, const nd::Array& x, const ProbeSetting& setting) {
    for (std::size_t axis = 0; axis < kCanonical.size(); ++axis) {
        if (system.axes.find(kCanonical[axis]) == std::string::npos) {
            return call_by_slices(system, x, axis, setting);
        }
    }
    return call(system, x, kCanonical, setting);
}

Outcome run_at_position(const System& system, const nd::Array& vectors,
                        const ProbeSetting& setting) {
    // With one position, heads may stand on the batch axis where the system has no heads.
    if (system.axes.find('h') != std::string::npos) {
        return run_bhld(system, vectors, setting);
    }
    nd::Array as_batch = vectors;
    std::swap(as_batch.shape[0], as_batch.shape[1]);
    Outcome outcome = run_bhld(system, as_batch, setting);
    if (nd::Array* y = std::get_if<nd::Array>(&outcome)) {
        std::swap(y->shape[0], y->shape[1]);
    }
    return outcome;
}

nd::Array probe_vectors(std::uint64_t seed, std::int64_t batch, std::int64_t heads,
                        std::int64_t positions, std::int64_t head_dim) {
    const nd::Shape shape = {batch, heads, positions, head_dim};
    return nd::make(NumberFormat::fp32, shape,
                    systems::fixed_noise(seed, static_cast<std::size_t>(nd::count(shape))));
}

Operator operator_at(const System& system, std::int64_t head_dim, double base,
                     std::int64_t position, Arithmetic arithmetic) {
    nd::Array basis{{1, head_dim + 1, 1, head_dim}, {}, NumberFormat::fp32};
    basis.values.assign(static_cast<std::size_t>(nd::count(basis.shape)), 0.0);
    for (std::int64_t c = 0; c < head_dim; ++c) {
        basis.values[static_cast<std::size_t>(c * head_dim + c)] = 1.0;
    }
    const Outcome outcome =
        run_at_position(system, basis, {base, position, Role::query, arithmetic});
    if (const auto* error = std::get_if<FrameworkError>(&outcome)) {
        throw InputError(fmt::format("{} at head_dim {}: {}: {}", system.id, head_dim,
                                     error->exception, error->text));
    }
    const nd::Array& images = std::get<nd::Array>(outcome);
    const Eigen::Map<const Eigen::MatrixXd> columns(images.values.data(), head_dim, head_dim + 1);
    Operator out;
    out.image_of_zero = columns.col(head_dim);
    out.matrix = columns.leftCols(head_dim).colwise() - out.image_of_zero;
    return out;
}

nd::Array scores(const System& system, const nd::Array& image_q, const nd::Array& image_k) {
    const std::int64_t seq = nd::size(image_q, 2);
    const std::int64_t d = nd::size(image_q, 3);
    const double scale = 1.0 / std::sqrt(static_cast<double>(d));
    nd::Array out{{nd::size(image_q, 0), nd::size(image_q, 1), seq, seq}, {}, NumberFormat::fp64};
    std::vector<double> factor(static_cast<std::size_t>(2 * seq), scale);
    for (std::int64_t distance = -seq + 1; system.score_factor && distance < seq; ++distance) {
        factor[static_cast<std::size_t>(distance + seq)] *= system.score_factor(distance);
    }
    for (std::int64_t head = 0; head < out.shape[0] * out.shape[1]; ++head) {
        const auto matrix = [&](const nd::Array& image) {
            return Eigen::Map<const Eigen::MatrixXd>(image.values.data() + head * seq * d, d, seq);
        };
        for (std::int64_t m = 0; m < seq; ++m) {
            for (std::int64_t n = 0; n < seq; ++n) {
                out.values.push_back(matrix(image_q).col(m).dot(matrix(image_k).col(n)) *
                                     factor[static_cast<std::size_t>(n - m + seq)]);
            }
        }
    }
    return out;
}

}  // namespace ropescope

namespace ropescope::systems {

// Generates fixed noise.

std::vector<double> fixed_noise(std::uint64_t seed, std::size_t count) {
    std::vector<double> values(count);
    std::uint64_t state = seed;
    for (double& value : values) {
        state += 0x9e3779b97f4a7c15U;
        const std::uint64_t bits = mixed(state);
        double sum = 0.0;
        for (unsigned shift = 0; shift < 64; shift += 16) {
            sum += (static_cast<double>((bits >> shift) & 0xffffU) + 0.5) / 65536.0;
        }
        value = (sum - 2.0) * std::sqrt(3.0);  // four uniforms: mean 2, variance 4/12
    }
    return values;
}

}  // namespace ropescope::systems
