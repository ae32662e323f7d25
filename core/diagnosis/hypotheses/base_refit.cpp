// Fits a base, and a factor on all speeds, to the angles of every token: speeds are measured on
// neighbours, whose rounding leaves the base open by more than far tokens allow.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/diagnosis/hypotheses/model_search.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// ln omega[p] = start - p step, with bounds of both.
struct PowerLaw {
    double start = 0.0, step = 0.0, start_error = 0.0, step_error = 0.0;
    bool has_factor = false;

    double omega(Index pair) const { return std::exp(start - to_double(pair) * step); }
    double relative_error(Index pair) const { return start_error + to_double(pair) * step_error; }
};

/// Sums of least squares for a line.
struct LineSums {
    double w = 0.0, x = 0.0, xx = 0.0, y = 0.0, xy = 0.0;

    void add(double at, double value, double error) {
        const double weight = 1.0 / (error * error);
        w += weight;
        x += weight * at;
        xx += weight * at * at;
        y += weight * value;
        xy += weight * at * value;
    }
};

class Refit {
  public:
    explicit Refit(const Explanation& side) : side_(side) {
        const SpectrumModel& model = *side.model;
        const double d = to_double(model.rotary_dim);
        law_.step = 2.0 * std::log(*model.base) / d;
        law_.step_error = 2.0 * std::max(model.base_error / *model.base, 1e-9) / d;
        law_.start = std::log(model.omega.front());
        law_.has_factor = model.omega.front() != 1.0;
        law_.start_error = law_.has_factor ? 0x1p-10 : 0.0;
        pairs_ = std::min<Index>(model.rotary_dim / 2, side.turns.pairs);
    }

    /// By distances from a token of the run that the speeds were measured on, and then by the
    /// positions themselves, which may be far away. Follows the angles to twice the distance again
    /// and again, as far as whole turns are sure.
    PowerLaw law() {
        if (side_.speeds.known() && !side_.heads_differ) {
            const std::size_t first = side_.speeds.row * side_.turns.length;
            from_ = first + side_.speeds.first;
            follow(first, first + side_.turns.length);
        }
        from_.reset();
        follow(0, side_.stated.size());
        return law_;
    }

  private:
    /// How far a token stands from where angles are counted.
    double distance(std::size_t token) const {
        return side_.stated[token] - (from_ ? side_.stated[*from_] : 0.0);
    }

    void follow(std::size_t first, std::size_t last) {
        tokens_.clear();
        for (std::size_t at = first; at < last; ++at) {
            if (distance(at) != 0.0) {
                tokens_.push_back(at);
            }
        }
        std::ranges::sort(tokens_, {}, [&](std::size_t at) { return std::abs(distance(at)); });
        for (std::size_t count = std::min<std::size_t>(tokens_.size(), 8); count > 0;) {
            fit(count);
            if (count == tokens_.size()) {
                break;
            }
            const double reach = 2.0 * std::abs(distance(tokens_[count - 1]));
            std::size_t next = count + 1;
            while (next < tokens_.size() && std::abs(distance(tokens_[next])) <= reach) {
                ++next;
            }
            count = next;
        }
    }

    void fit(std::size_t count) {
        LineSums sums;
        constexpr std::size_t kMost = 1024;
        const std::size_t step = std::max<std::size_t>(1, count / kMost);
        for (std::size_t i = count; i > 0; i -= std::min(step, i)) {
            add_token(tokens_[i - 1], sums);
        }
        const double det = sums.w * sums.xx - sums.x * sums.x;
        if (!law_.has_factor && sums.xx > 0.0) {
            law_.step -= sums.xy / sums.xx;
            law_.step_error = std::min(law_.step_error, 1.0 / std::sqrt(sums.xx));
        } else if (law_.has_factor && det > 0.0) {
            const double slope = (sums.w * sums.xy - sums.x * sums.y) / det;
            law_.start += (sums.y - slope * sums.x) / sums.w;
            law_.step -= slope;
            law_.step_error = std::min(law_.step_error, std::sqrt(sums.w / det));
            law_.start_error = std::min(law_.start_error, std::sqrt(sums.xx / det));
        }
    }

    void add_token(std::size_t token, LineSums& sums) const {
        const double position = distance(token);
        for (Index p = law_.has_factor ? 0 : 1; p < pairs_; ++p) {
            const std::size_t at = token * side_.turns.pairs + p;
            const double turned = law_.omega(p) * position;
            double own = side_.turns.error_rad[at] + side_.noise.table_rad +
                         side_.noise.relative * std::abs(law_.omega(p) * side_.stated[token]);
            double angle = side_.turns.angle_rad[at];
            if (from_) {
                const std::size_t start = *from_ * side_.turns.pairs + p;
                own = 2.0 * own + side_.turns.error_rad[start];
                angle -= side_.turns.angle_rad[start];
            }
            const double doubt = own + 2.0 * law_.relative_error(p) * std::abs(turned);
            if (!(doubt < std::numbers::pi / 2.0)) {
                continue;  // whole turns are in doubt
            }
            const double off = wrapped(side_.sign * angle - turned);
            sums.add(to_double(p), off / turned, own / std::abs(turned));
        }
    }

    const Explanation& side_;
    PowerLaw law_;
    Index pairs_ = 0;
    std::vector<std::size_t> tokens_;
    std::optional<std::size_t> from_;  ///< the token that angles are counted from
};

/// The model with another base, and the factor that the fit gives.
SpectrumModel with_base(const SpectrumModel& fitted, double base, double factor) {
    SpectrumModel model = fitted;
    for (Index p = 0; p < std::ssize(model.omega); ++p) {
        model.omega[p] = factor * std::pow(base, -2.0 * to_double(p) / to_double(model.rotary_dim));
    }
    model.base = base;
    if (!model.words.values.empty()) {
        model.words.values.front() = Measured{base, model.base_error};
    }
    if (factor != 1.0 && model.words.values.size() == 2) {
        const bool slower = std::holds_alternative<LinearScaling>(model.scaling);
        model.words.values.back() = slower ? 1.0 / factor : factor;
        model.scaling = slower ? Scaling(LinearScaling{1.0 / factor}) : model.scaling;
        model.factor = model.factor == 1.0 ? 1.0 : factor;
        model.fitted_factor = factor;
    }
    return model;
}

/// A number with as many digits.
double with_digits(double value, int digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) + 1.0 - digits);
    return std::round(value / unit) * unit;
}

}  // namespace

void refit_base(Explanation& side) {
    const bool fitted = side.model && side.model->base &&
                        (side.model->base_error > 0.0 || side.model->fitted_factor != 1.0) &&
                        !side.model->omega.empty() && side.model->omega.front() > 0.0 &&
                        !std::holds_alternative<NtkScaling>(side.model->scaling);
    if (!fitted || is_plain(side)) {
        return;
    }
    const PowerLaw law = Refit(side).law();
    const double exact = std::exp(law.step * to_double(side.model->rotary_dim) / 2.0);
    const double factor = law.has_factor ? std::exp(law.start) : 1.0;
    for (int digits = 2; digits <= 12; ++digits) {
        const SpectrumModel model =
            with_base(*side.model, with_digits(exact, digits),
                      law.has_factor ? 1.0 / with_digits(1.0 / factor, digits) : 1.0);
        if (explains_in_place(side, model, side.sign, 0, side.turns.length)) {
            side.places = places_by(side, model, side.sign);
            side.model = model;
            side.model->base_error =
                exact * law.step_error * to_double(side.model->rotary_dim) / 2.0;
            return;
        }
    }
}

}  // namespace ropescope::diagnosis
