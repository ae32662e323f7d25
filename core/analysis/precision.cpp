// Runs chains of roundings from a position to cos and sin, and measures their errors.
#include "core/analysis/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/turns.h"
#include "core/base/names.h"

namespace ropescope {
namespace {

std::vector<PrecisionChain> make_chains() {
    using F = NumberFormat;
    const auto table = [](const char* id, const char* title, const char* where, F stored) {
        return PrecisionChain{.id = id, .title = title, .where = where, .stored = stored};
    };
    const auto fp32 = [](const char* id, const char* title, const char* where) {
        return PrecisionChain{.id = id,
                              .title = title,
                              .where = where,
                              .position = F::fp32,
                              .inv_freq = F::fp32,
                              .angle = F::fp32,
                              .evaluated = F::fp32,
                              .stored = F::fp32};
    };
    PrecisionChain fp64 = table("fp64", "fp64", "everything in fp64", F::fp64);
    fp64.position = fp64.inv_freq = fp64.angle = fp64.evaluated = F::fp64;
    PrecisionChain running =
        fp32("fp32_running", "fp32 running product", "ggml: each pair's angle from the one before");
    running.running_product = true;
    PrecisionChain bf16_inv_freq =
        fp32("bf16_inv_freq", "bf16 inv_freq", "a model cast to bf16 with its buffers");
    bf16_inv_freq.inv_freq = F::bf16;
    PrecisionChain bf16_positions =
        fp32("bf16_positions", "bf16 positions", "position ids in the model's dtype");
    bf16_positions.position = F::bf16;
    return {fp64,
            table("fp32_table", "fp32 table", "exact angles, fp32 cache: this program, RoFormer",
                  F::fp32),
            fp32("fp32_angle", "fp32 angle", "Hugging Face and Meta: fp32 throughout"),
            running,
            table("fp16_table", "fp16 table", "exact angles, fp16 cache", F::fp16),
            table("bf16_table", "bf16 table", "exact angles, bf16 cache", F::bf16),
            bf16_inv_freq,
            bf16_positions};
}

/// The angle of each pair as the chain computes it.
class ChainAngles {
  public:
    ChainAngles(const PrecisionChain& chain, const Spectrum& spectrum, Index position)
        : chain_(chain),
          spectrum_(spectrum),
          position_(position),
          rounded_(round_to(chain.position, to_double(position))) {}

    double next() {
        const std::size_t i = pair_++;
        const double inv_freq = round_to(chain_.inv_freq, spectrum_.inv_freq_rad[i]);
        if (chain_.angle == NumberFormat::exact && chain_.position == NumberFormat::exact) {
            return reduced_angle_rad(position_, inv_freq);
        }
        if (chain_.running_product && i > 0) {
            const double before = spectrum_.inv_freq_rad[i - 1];
            const double ratio = before == 0 ? 0 : spectrum_.inv_freq_rad[i] / before;
            angle_ = round_to(chain_.angle, angle_ * round_to(chain_.angle, ratio));
        } else {
            // Both factors have at most 24 bits unless they are fp64: the product rounds once.
            angle_ = round_to(chain_.angle, rounded_ * inv_freq);
        }
        return angle_;
    }

  private:
    const PrecisionChain& chain_;
    const Spectrum& spectrum_;
    Index position_;
    double rounded_;
    double angle_ = 0;
    std::size_t pair_ = 0;
};

}  // namespace

const std::vector<PrecisionChain>& precision_chains() {
    static const std::vector<PrecisionChain> chains = make_chains();
    return chains;
}

const PrecisionChain& precision_chain(std::string_view id) {
    return element_named(precision_chains(), &PrecisionChain::id, id, [&](const std::string& near) {
        return "precision chain: '" + std::string(id) + "' is unknown" + near;
    });
}

void fill_chain_row(const PrecisionChain& chain, const Spectrum& spectrum, Index position,
                    ChainRow& row) {
    const std::size_t pairs = spectrum.inv_freq_rad.size();
    row.cos.resize(pairs);
    row.sin.resize(pairs);
    ChainAngles angles(chain, spectrum, position);
    const auto kept = [&](double value) {
        return round_to(chain.stored, round_to(chain.evaluated, value));
    };
    // The C library takes ten times as long for angles beyond, which only bases below 1 lead to.
    constexpr double kFar = 0x1p26;
    for (std::size_t i = 0; i < pairs; ++i) {
        const double whole = angles.next();
        const double angle = std::abs(whole) < kFar ? whole : reduced_angle_rad(1, whole);
        row.cos[i] = kept(std::cos(angle));
        row.sin[i] = kept(std::sin(angle));
    }
}

std::vector<double> chain_error(const PrecisionChain& chain, const Spectrum& truth,
                                Index position) {
    ChainRow row;
    fill_chain_row(chain, truth, position, row);
    const Turn exact = make_turn(truth, position);
    std::vector<double> errors(row.cos.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
        errors[i] =
            std::max(std::abs(row.cos[i] - exact.cos[i]), std::abs(row.sin[i] - exact.sin[i]));
    }
    return errors;
}

ChainPair make_chain_pair(const PrecisionChain& chain, const Spectrum& spectrum, Index m, Index n) {
    ChainPair pair;
    fill_chain_row(chain, spectrum, m, pair.query);
    fill_chain_row(chain, spectrum, n, pair.key);
    return pair;
}

RelativeViolation relative_violation(const ChainPair& before, const ChainPair& moved,
                                     Index head_dim) {
    RelativeViolation violation;
    double squares = 0;
    for (std::size_t i = 0; i < before.query.cos.size(); ++i) {
        // conj(z_m) z_n of this pair
        const auto product = [i](const ChainPair& at) {
            const double c = at.query.cos[i], s = at.query.sin[i];
            return std::pair{c * at.key.cos[i] + s * at.key.sin[i],
                             c * at.key.sin[i] - s * at.key.cos[i]};
        };
        const auto [re, im] = product(before);
        const auto [moved_re, moved_im] = product(moved);
        const double change = std::hypot(moved_re - re, moved_im - im);
        violation.worst = std::max(violation.worst, change);
        squares += change * change;
    }
    // Var(q^T D k) = 2 sum |change|^2 for D of the pairs' 2 x 2 blocks, E |q|^2 = head_dim.
    violation.typical = std::sqrt(2 * squares) / to_double(head_dim);
    return violation;
}

RelativeViolation relative_violation(const PrecisionChain& chain, const Spectrum& spectrum,
                                     Index head_dim, Index m, Index n, Index shift) {
    return relative_violation(make_chain_pair(chain, spectrum, m, n),
                              make_chain_pair(chain, spectrum, m + shift, n + shift), head_dim);
}

// Searches for the first position at which a chain of roundings reaches an error.

namespace {

/// fp16 underflows and overflows within the range of angles: no relative bound holds.
double angle_unit(NumberFormat format) {
    return format == NumberFormat::fp16 ? std::numeric_limits<double>::infinity()
                                        : unit_roundoff(format);
}

/// Position -> the pairs whose error can reach the level there for the first time, ascending. An
/// angle m theta (1 + e) moves cos and sin by at most m theta |e|, where e collects the roundings
/// of position, inv_freq and angle, and of ratio and angle for every step of a running product;
/// then come those of cos and sin themselves, which are at most 1. A hundredth on top covers the
/// products of the roundings, 1e-9 what underflows and the double precision of the reference.
std::vector<std::pair<double, Index>> begins(const PrecisionChain& chain, const Spectrum& truth,
                                             double level) {
    const double table =
        1.01 * (unit_roundoff(chain.evaluated) + unit_roundoff(chain.stored)) + 1e-9;
    std::vector<std::pair<double, Index>> pairs;
    for (Index i = 0; i < truth.pairs(); ++i) {
        const double steps = chain.running_product ? 2.0 * to_double(i) : 0.0;
        const double relative = angle_unit(chain.position) + angle_unit(chain.inv_freq) +
                                (1 + steps) * angle_unit(chain.angle);
        const double growth = 1.01 * relative * truth.inv_freq_rad[i];
        const bool anywhere = table >= level;
        const bool nowhere = !anywhere && growth == 0;
        if (!nowhere) {
            pairs.emplace_back(anywhere ? 1.0 : std::max(1.0, (level - table) / growth), i);
        }
    }
    std::ranges::sort(pairs);
    return pairs;
}

bool reaches(const ChainRow& row, const Turn& exact, double level) {
    for (std::size_t i = 0; i < row.cos.size(); ++i) {
        const bool below = std::abs(row.cos[i] - exact.cos[i]) < level &&
                           std::abs(row.sin[i] - exact.sin[i]) < level;
        if (!below) {  // or no number
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<Index> first_error(const PrecisionChain& chain, const Spectrum& truth,
                                 const FirstErrorSearch& search, Index& entries,
                                 const std::stop_token& stop) {
    const auto order = begins(chain, truth, search.level);
    if (order.empty() || order.front().first > to_double(search.last)) {
        return -1;
    }
    auto next = order.begin();
    Spectrum looked_at;  // up to the last pair that counts: a running product needs all before it
    ChainRow row;
    Turn exact;
    for (Index at = floor_to_index(next->first); at <= search.last; ++at) {
        for (; next != order.end() && next->first < to_double(at + 1); ++next) {
            for (Index i = looked_at.pairs(); i <= next->second; ++i) {
                looked_at.inv_freq_rad.push_back(truth.inv_freq_rad[i]);
            }
        }
        entries -= looked_at.pairs();
        if (entries < 0 || stop.stop_requested()) {
            return std::nullopt;
        }
        fill_chain_row(chain, looked_at, at, row);
        fill_turn(looked_at, at, exact);
        if (reaches(row, exact, search.level)) {
            return at;
        }
    }
    return -1;
}

}  // namespace ropescope
