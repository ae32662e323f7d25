// The claims of the walk through Llama about its code and about what RoPE promises.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>
#include <vector>

#include "core/claims/claim.h"
#include "core/claims/llama_walkthrough.h"
#include "core/rope/routes.h"
#include "core/systems/properties.h"

namespace ropescope::claims {
namespace {

constexpr int kLlamaHeadDim = 128;
constexpr std::int64_t kContext = 4096;

/// e^{i delta theta_j} of every pair.
std::vector<std::complex<double>> phases(const Spectrum& spectrum, std::int64_t delta) {
    std::vector<std::complex<double>> z;
    for (const double inv_freq : spectrum.inv_freq_rad) {
        z.push_back(std::polar(1.0, reduced_angle_rad(delta, inv_freq)));
    }
    return z;
}

double largest_singular_change(const char* id) {
    double change = 0.0;
    for (const std::int64_t m : {1, 10, 100, 1000}) {
        for (const double value : singular_values(find_system(id), kLlamaHeadDim, 10000.0, m)) {
            change = std::max(change, std::abs(value - 1.0));
        }
    }
    return change;
}

}  // namespace

Evidence strided_rotate_half() {
    return {.what = "singular values of the repaired code are 1, head_dim 128, m = 1 .. 1000",
            .error = largest_singular_change("strided_llama_repaired"),
            // Backward stable: a few units times the matrix' norm (1) and its dimension.
            .bound = 4 * kLlamaHeadDim * kUnit,
            .bound_reason = "4 x 128 units of a singular value decomposition",
            .refutation = Refutation{"singular values as written leave 1 by",
                                     largest_singular_change("strided_llama_as_written"), 0.1},
            .detail = fmt::format("at d = 2 they leave 1 by {:.2g}: there both pairings are one",
                                  std::abs(singular_values(find_system("strided_llama_as_written"),
                                                           2, 10000.0, 10)[0] -
                                           1.0))};
}

Evidence distance_decay() {
    // Abel summation (RoFormer, eq. 36-37): |sum h_j z_j| <= max |h_{j+1} - h_j| sum |S_j|, S_j the
    // partial sums of the phases z_j, h_j = q_j conj(k_j), h after the last being 0.
    const Spectrum spectrum = make_spectrum(interleaved_spec(kLlamaHeadDim, 10000.0));
    const Eigen::VectorXd q = vector(1, kLlamaHeadDim);
    const Eigen::VectorXd k = vector(2, kLlamaHeadDim);
    std::vector<std::complex<double>> h;
    for (int i = 0; i < kLlamaHeadDim; i += 2) {
        h.push_back(std::complex(q[i], q[i + 1]) * std::conj(std::complex(k[i], k[i + 1])));
    }
    h.emplace_back(0.0);
    double jump = 0.0;
    for (std::size_t j = 0; j + 1 < h.size(); ++j) {
        jump = std::max(jump, std::abs(h[j + 1] - h[j]));
    }
    double excess = 0.0;
    std::int64_t rises = 0;
    double previous = static_cast<double>(spectrum.pairs());
    for (std::int64_t delta = 1; delta <= kContext; ++delta) {
        const auto z = phases(spectrum, delta);
        std::complex<double> partial = 0.0;
        std::complex<double> score = 0.0;
        double envelope = 0.0;
        for (std::size_t j = 0; j < z.size(); ++j) {
            partial += z[j];
            score += h[j] * z[j];
            envelope += std::abs(partial);
        }
        excess = std::max(excess, std::abs(score) - jump * envelope);
        rises += partial.real() > previous ? 1 : 0;
        previous = partial.real();
    }
    return {
        .what = "a score above its Abel envelope, distances 1 .. 4096, head_dim 128",
        .error = std::max(excess, 0.0),
        .bound = 0.0,
        .bound_reason = "an inequality, far from equality here",
        .refutation = Refutation{"share of steps at which sum cos(delta theta) grows",
                                 static_cast<double>(rises) / static_cast<double>(kContext), 0.1}};
}

Evidence extrapolation() {
    const Spectrum spectrum = make_spectrum(interleaved_spec(kLlamaHeadDim, 10000.0));
    std::int64_t unfinished = 0;
    for (int i = 0; i < spectrum.pairs(); ++i) {
        unfinished += spectrum.wavelength_positions(i) > kContext ? 1 : 0;
    }
    // 2 pi base^(2i/d) > context  <=>  i > d/2 log_base(context / 2 pi)
    const double crossing =
        kLlamaHeadDim / 2.0 * std::log(kContext / (2 * std::numbers::pi)) / std::log(10000.0);
    const auto expected = kLlamaHeadDim / 2 - 1 - static_cast<std::int64_t>(std::floor(crossing));
    Evidence evidence =
        exact_count("pairs of 64 that never finish a turn in 4096 positions", unfinished, expected);
    evidence.refutation =
        Refutation{"pairs that meet angles never trained on beyond 4096 positions",
                   static_cast<double>(unfinished), 1.0};
    return evidence;
}

Evidence even_width() {
    std::int64_t failing = 0;
    std::int64_t running = 0;
    for (std::int64_t width = 3; width <= 33; ++width) {
        SystemInput input;
        input.x = probe_vectors(1, 1, 1, 4, width);
        input.x.shape = {1, 4, width};
        const bool fails =
            std::holds_alternative<FrameworkError>(find_system("d2l_sinusoidal").apply(input));
        (width % 2 == 0 ? running : failing) += (width % 2 == 0) != fails ? 1 : 0;
    }
    Evidence evidence =
        exact_count("even num_hiddens from 4 to 32 for which the code runs", running, 15);
    evidence.refutation = Refutation{"odd num_hiddens from 3 to 33 for which it raises",
                                     static_cast<double>(failing), 16.0};
    return evidence;
}

Evidence shift_map() {
    const Spectrum spectrum = make_spectrum(interleaved_spec(32, 10000.0));
    double error = 0.0;
    for (const double inv_freq : spectrum.inv_freq_rad) {
        for (const std::int64_t i : {0, 1, 63, 2000}) {
            for (const std::int64_t shift : {1, 5, 100}) {
                const double now = reduced_angle_rad(i, inv_freq);
                const double then = reduced_angle_rad(i + shift, inv_freq);
                // [[cos, sin], [-sin, cos]] is the rotation by minus the shift's angle.
                const Eigen::Vector2d moved = turn(-reduced_angle_rad(shift, inv_freq)) *
                                              Eigen::Vector2d(std::sin(now), std::cos(now));
                error = std::max(error, largest_difference(moved, Eigen::Vector2d(std::sin(then),
                                                                                  std::cos(then))));
            }
        }
    }
    return {.what = "max |M_shift (sin, cos)_i - (sin, cos)_{i+shift}|, 32 channels",
            .error = error,
            .bound = kProductOfRotations,
            .bound_reason = "a rotation and a pair of sines on either side"};
}

/// The largest entry that the best linear map M leaves of |M p_i - p_{i+shift}|, with p the sines
/// or the cosines alone; [channels, positions] each.
double left_by_best_map(const Eigen::MatrixXd& now, const Eigen::MatrixXd& then) {
    const Eigen::MatrixXd map = now.transpose().colPivHouseholderQr().solve(then.transpose());
    return largest_difference(now.transpose() * map, then.transpose());
}

Evidence sine_and_cosine() {
    constexpr std::int64_t kPositions = 1000;
    constexpr std::int64_t kShift =
        11;  // turns the first pair by nearly 3/2 pi: sines become cosines
    const Spectrum spectrum = make_spectrum(interleaved_spec(32, 10000.0));
    const Index pairs = spectrum.pairs();
    Eigen::MatrixXd sines(pairs, kPositions + kShift), cosines(pairs, kPositions + kShift);
    double error = 0.0;
    for (Index pair = 0; pair < pairs; ++pair) {
        const double inv_freq = spectrum.inv_freq_rad[pair];
        for (std::int64_t i = 0; i < sines.cols(); ++i) {
            sines(pair, i) = std::sin(reduced_angle_rad(i, inv_freq));
            cosines(pair, i) = std::cos(reduced_angle_rad(i, inv_freq));
        }
        const Eigen::Matrix2d map = turn(-reduced_angle_rad(kShift, inv_freq));
        Eigen::MatrixXd both(2, sines.cols());
        both << sines.row(pair), cosines.row(pair);
        error = std::max(
            error, largest_difference(map * both.leftCols(kPositions), both.rightCols(kPositions)));
    }
    const auto left = [&](const Eigen::MatrixXd& table) {
        return left_by_best_map(table.leftCols(kPositions), table.rightCols(kPositions));
    };
    const double by_sines = left(sines), by_cosines = left(cosines);
    return {
        .what = "max |M p_i - p_{i+11}| with both, 32 channels, 1000 positions",
        .error = error,
        .bound = kProductOfRotations,
        .bound_reason = "a rotation and a pair of sines on either side",
        .refutation = Refutation{"the best linear map of sines alone, or cosines alone, leaves",
                                 std::min(by_sines, by_cosines), 0.5},
        .detail = fmt::format("sines alone {:.3g}, cosines alone {:.3g}", by_sines, by_cosines)};
}

Evidence matrix_of_pairs() {
    const RopeSpec spec = interleaved_spec(16, 10000.0);
    const Eigen::VectorXd q = vector(1, 16);
    double error = 0.0;
    for (const std::int64_t m : {0, 1, 40, 131071}) {
        const std::vector<double> by_complex = rotate_by_complex(spec, {q.data(), 16}, m);
        const Eigen::VectorXd by_matrix = rotation(spec, m) * q;
        error = std::max(error, largest_difference(by_matrix, Eigen::Map<const Eigen::VectorXd>(
                                                                  by_complex.data(), 16)));
    }
    return {.what = "max |R q - complex multiplication| / max |q|, 16 channels",
            .error = error / q.cwiseAbs().maxCoeff(),
            .bound = 2 * kProductOfRotations,
            .bound_reason = "two routes to the same rotation"};
}

}  // namespace ropescope::claims
