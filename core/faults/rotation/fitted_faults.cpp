// Fits one parameter of the spectrum at a time to measured angles.
//
// Angles are known modulo a turn, so that a fit by least squares has many minima. Here an interval
// of the parameter is halved again and again: each half of which some pair cannot turn by its
// measured angle anywhere is thrown away. A frequency rises or falls with each parameter, so that
// its angles at both ends bound it in between. Slow pairs throw the wrong halves away first.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "core/base/error.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/near_families.h"
#include "core/faults/rotation/spectra.h"
#include "core/rope/spectrum.h"

namespace ropescope::faults {
namespace {

/// A parameter: its range, and the plan that has it; nothing where no plan can.
struct Parameter {
    std::string_view code;
    std::string name;  ///< "the base"
    double expected = 0.0, low = 0.0, high = 0.0;
    std::function<std::optional<RotationPlan>(double value)> plan;
};

/// The angles of a plan where angles were measured, in radians and not reduced.
std::vector<double> angles_of(const RotationPlan& plan, std::span<const MeasuredAngle> measured) {
    std::vector<double> angles;
    angles.reserve(measured.size());
    for (const MeasuredAngle& at : measured) {
        double angle = 0.0;
        for (Index a = 0; a < plan.axes; ++a) {
            angle += plan.omega_rad[plan.omega_at(at.h, at.pair) + a] *
                     plan.position_of(a, at.b, at.h, at.l);
        }
        angles.push_back(angle);
    }
    return angles;
}

enum class Bounds { impossible, open, narrow };

/// Whether the measured angles can lie between those of two spectra.
Bounds between(std::span<const MeasuredAngle> measured, const std::vector<double>& one,
               const std::vector<double>& two) {
    bool narrow = true;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const MeasuredAngle& at = measured[i];
        const double from = std::min(one[i], two[i]) - at.error_rad - at.rad;
        const double to = std::max(one[i], two[i]) + at.error_rad - at.rad;
        constexpr double kTurn = 2.0 * std::numbers::pi;
        if (to - from < kTurn && std::ceil(from / kTurn) > std::floor(to / kTurn)) {
            return Bounds::impossible;
        }
        narrow = narrow && std::abs(two[i] - one[i]) <= 0.25 * at.error_rad;
    }
    return narrow ? Bounds::narrow : Bounds::open;
}

/// The number with the fewest digits near `value` whose plan matches.
std::optional<double> roundest(const NearSubject& subject, const Parameter& parameter,
                               double value) {
    constexpr int kMostDigits = 9;
    for (int digits = 1; digits <= kMostDigits; ++digits) {
        const double rounded =
            std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
        if (rounded == parameter.expected) {
            continue;
        }
        auto plan = parameter.plan(rounded);
        if (!plan) {
            continue;
        }
        const bool with_own_gain = subject.matches(*plan);
        plan->gain = subject.right.gain;
        if (with_own_gain || subject.matches(*plan)) {
            return rounded;
        }
    }
    return std::nullopt;
}

class Search {
  public:
    Search(const NearSubject& subject, const Parameter& parameter)
        : subject_(subject), parameter_(parameter) {}

    /// Near the expected value first, where fewer angles have gone round more than once.
    std::optional<double> found() {
        const double first = std::log(parameter_.low), last = std::log(parameter_.high);
        if (parameter_.expected > parameter_.low && parameter_.expected < parameter_.high) {
            const double expected = std::log(parameter_.expected);
            for (const double ring : {0.02, 0.3, 2.5}) {
                const auto value =
                    within(std::max(first, expected - ring), std::min(last, expected + ring));
                if (value) {
                    return value;
                }
            }
        }
        return within(first, last);
    }

  private:
    using Angles = std::vector<double>;

    std::optional<double> within(double begin, double end) {
        left_ = kMostIntervals;
        const auto low = angles(begin);
        auto high = angles(end);
        for (; !high && end > begin; end -= 1.0) {
            high = angles(end - 1.0);  // what a model can have ends before
        }
        return low && high ? look(begin, end, *low, *high) : std::nullopt;
    }

    std::optional<Angles> angles(double log) const {
        const auto plan = parameter_.plan(std::exp(log));
        return plan ? std::optional(angles_of(*plan, subject_.measured)) : std::nullopt;
    }

    std::optional<double> look(double low, double high, const Angles& at_low,
                               const Angles& at_high) {
        const Bounds bounds = between(subject_.measured, at_low, at_high);
        if (bounds == Bounds::impossible || left_ <= 0) {
            return std::nullopt;
        }
        --left_;
        const double middle = 0.5 * (low + high);
        constexpr double kSmallest = 1e-13;
        if (bounds == Bounds::narrow || high - low < kSmallest) {
            left_ -= kCostOfNumber;
            return roundest(subject_, parameter_, std::exp(middle));
        }
        const auto at_middle = angles(middle);
        if (!at_middle) {
            return std::nullopt;
        }
        const auto first = look(low, middle, at_low, *at_middle);
        return first ? first : look(middle, high, *at_middle, at_high);
    }

    static constexpr int kCostOfNumber = 50;
    const NearSubject& subject_;
    const Parameter& parameter_;
    static constexpr int kMostIntervals = 400;  ///< a fit that is one takes a hundred
    int left_ = kMostIntervals;
};

std::optional<RotationPlan> plan_of_spec(const RotationPlan& right, const RopeSpec& spec) {
    try {
        validate(spec);
        return with_spectrum_of(right, spec);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// The plan with a changed spec, whose gain is its own, or the right one.
using Change = std::function<void(RopeSpec&, double value)>;
Parameter of_spec(const NearSubject& subject, std::string name, double expected, double low,
                  double high, Change change, std::string_view fault = code("spectrum.scaled")) {
    return {fault,
            std::move(name),
            expected,
            low,
            high,
            [&subject, change = std::move(change)](double value) {
                RopeSpec spec = *subject.spec;
                change(spec, value);
                auto plan = plan_of_spec(subject.right, spec);
                return plan;
            }};
}

template <typename Method>
Parameter of_method(const NearSubject& subject, std::string name, double Method::*member,
                    double low, double high) {
    return of_spec(
        subject, std::move(name), std::get<Method>(subject.spec->scaling).*member, low, high,
        [member](RopeSpec& spec, double value) { std::get<Method>(spec.scaling).*member = value; });
}

template <typename Method>
Parameter of_length(const NearSubject& subject, std::string name) {
    return of_spec(subject, std::move(name),
                   to_double(std::get<Method>(subject.spec->scaling).original_positions), 16.0,
                   0x1p24, [](RopeSpec& spec, double value) {
                       std::get<Method>(spec.scaling).original_positions =
                           static_cast<std::int64_t>(std::llround(value));
                   });
}

constexpr double kMostFactor = 4096.0;

void add_of_scaling(const NearSubject& subject, std::vector<Parameter>& all) {
    const Scaling& scaling = subject.spec->scaling;
    if (std::holds_alternative<LinearScaling>(scaling)) {
        all.push_back(of_method(subject, "the factor", &LinearScaling::factor, 1.0, kMostFactor));
    } else if (std::holds_alternative<NtkScaling>(scaling)) {
        all.push_back(of_method(subject, "the factor", &NtkScaling::factor, 1.0, kMostFactor));
    } else if (std::holds_alternative<DynamicNtkScaling>(scaling)) {
        all.push_back(
            of_method(subject, "the factor", &DynamicNtkScaling::factor, 1.0, kMostFactor));
        all.push_back(of_length<DynamicNtkScaling>(subject, "the original length"));
    } else if (const auto* yarn = std::get_if<YarnScaling>(&scaling)) {
        all.push_back(of_method(subject, "the factor", &YarnScaling::factor, 1.0, kMostFactor));
        all.push_back(of_length<YarnScaling>(subject, "the original length"));
        all.push_back(of_method(subject, "beta_fast", &YarnScaling::beta_fast,
                                yarn->beta_slow * 1.0001, 1e4));
        all.push_back(
            of_method(subject, "beta_slow", &YarnScaling::beta_slow, 1e-3, yarn->beta_fast));
    } else if (const auto* llama = std::get_if<Llama3Scaling>(&scaling)) {
        all.push_back(of_method(subject, "the factor", &Llama3Scaling::factor, 1.0, kMostFactor));
        all.push_back(of_length<Llama3Scaling>(subject, "the original length"));
        all.push_back(of_method(subject, "low_freq_factor", &Llama3Scaling::low_freq_factor, 1e-3,
                                llama->high_freq_factor * 0.9999));
        all.push_back(of_method(subject, "high_freq_factor", &Llama3Scaling::high_freq_factor,
                                llama->low_freq_factor * 1.0001, 1e3));
    } else if (std::holds_alternative<ProportionalScaling>(scaling)) {
        all.push_back(
            of_method(subject, "the factor", &ProportionalScaling::factor, 1.0, kMostFactor));
    }
}

/// The base of the frequencies of some axes, if they fall from 1 by equal ratios: base^(-j / n).
std::optional<double> base_of(const RotationPlan& right, Index first, Index last) {
    std::vector<double> logs;
    for (Index p = 0; p < std::ssize(right.pairs); ++p) {
        for (Index a = first; a <= last; ++a) {
            const double omega = std::abs(right.omega_rad[p * right.axes + a]);
            if (omega != 0.0) {
                logs.push_back(std::log(omega));
            }
        }
    }
    std::ranges::sort(logs, std::greater());
    const auto same =
        std::ranges::unique(logs, [](double x, double y) { return std::abs(x - y) < 1e-9; });
    logs.erase(same.begin(), same.end());
    if (logs.size() < 3 || std::abs(logs.front()) > 1e-9) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < logs.size(); ++i) {
        if (std::abs(logs[i] - to_double(static_cast<Index>(i)) * logs[1]) > 1e-6) {
            return std::nullopt;
        }
    }
    const double base = std::exp(-logs[1] * to_double(std::ssize(logs)));
    return std::abs(base - std::round(base)) < 1e-6 * base ? std::round(base) : base;
}

/// Of sections of one spectrum, or of axes that have one each, all of the same base.
std::optional<double> base_of_axes(const RotationPlan& right) {
    if (std::ssize(right.omega_rad) != std::ssize(right.pairs) * right.axes) {
        return std::nullopt;
    }
    if (const auto of_all = base_of(right, 0, right.axes - 1)) {
        return of_all;
    }
    std::optional<double> base;
    for (Index a = 0; a < right.axes; ++a) {
        const auto own = base_of(right, a, a);
        if (!own || (base && std::abs(*own - *base) > 1e-6 * *base)) {
            return std::nullopt;
        }
        base = own;
    }
    return base;
}

/// All frequencies to a power: in spectra of base^-e that is another base.
std::optional<Parameter> base_of_several(const NearSubject& subject) {
    const auto base = base_of_axes(subject.right);
    if (subject.spec != nullptr || !base || !(*base > 1.0)) {
        return std::nullopt;
    }
    return Parameter{
        code("spectrum.default"), "the base", *base, 2.0, 1e12, [&subject, base](double value) {
            RotationPlan plan = subject.right;
            const double power = std::log(value) / std::log(*base);
            for (double& omega : plan.omega_rad) {
                if (omega != 0.0) {
                    omega = std::copysign(std::pow(std::abs(omega), power), omega);
                }
            }
            return std::optional(plan);
        }};
}

std::vector<Parameter> parameters(const NearSubject& subject) {
    std::vector<Parameter> all;
    if (const auto base = base_of_several(subject)) {
        all.push_back(*base);
    }
    if (subject.spec != nullptr) {
        all.push_back(of_spec(
            subject, "the base", subject.spec->base, 2.0, 1e12,
            [](RopeSpec& spec, double value) { spec.base = value; }, code("spectrum.default")));
        add_of_scaling(subject, all);
    }
    const bool vary = std::ranges::any_of(subject.right.positions, [&](double position) {
        return position != subject.right.positions.front();
    });
    if (vary && subject.right.axes == 1) {
        all.push_back(
            {code("positions.wrong_axis"), "", 0.0, 1.0, 0x1p21, [&subject](double value) {
                 RotationPlan plan = subject.right;
                 for (double& position : plan.positions) {
                     position = value - position;
                 }
                 return std::optional(plan);
             }});
    }
    // A factor 1 is the right plan; both sides of it are searched.
    for (const auto& [low, high] :
         {std::pair(1.0 + 1e-7, 64.0), std::pair(1.0 / 64.0, 1.0 - 1e-7)}) {
        all.push_back({code("positions.scaled"), "a factor on all positions", 1.0, low, high,
                       [&subject](double value) {
                           RotationPlan plan = subject.right;
                           for (double& omega : plan.omega_rad) {
                               omega *= value;
                           }
                           return std::optional(plan);
                       }});
    }
    return all;
}

std::size_t digits_of(double value) {
    std::string text = fmt::format("{:.12g}", value);
    text = text.substr(0, text.find('e'));
    std::erase(text, '.');
    text.erase(0, text.find_first_not_of('0'));
    while (!text.empty() && text.back() == '0') {
        text.pop_back();
    }
    return text.size();
}

std::string text_of(const Parameter& parameter, double value) {
    if (parameter.code == code("positions.wrong_axis")) {
        return fmt::format("positions were counted backwards from {:.10g}", value);
    }
    return parameter.code == code("positions.scaled")
               ? fmt::format("all positions were multiplied by {:.10g}", value)
               : fmt::format("{} was {:.10g} in place of {:.10g}", parameter.name, value,
                             parameter.expected);
}

struct Fit {
    std::string_view code;
    std::string text;
    std::size_t digits = 0;
};

}  // namespace

Near other_parameters(const NearSubject& subject) {
    if (subject.measured.empty()) {
        return std::nullopt;
    }
    std::vector<Fit> fits;
    for (const Parameter& parameter : parameters(subject)) {
        if (const auto value = Search(subject, parameter).found()) {
            fits.push_back({parameter.code, text_of(parameter, *value), digits_of(*value)});
        }
    }
    if (fits.empty()) {
        return std::nullopt;
    }
    std::ranges::stable_sort(fits, {}, &Fit::digits);
    const Fit& simplest = fits.front();
    std::string text = simplest.text;
    if (fits.size() > 1 && fits[1].digits <= simplest.digits + 1) {
        text += ", or " + fits[1].text;
    }
    return NamedFault{std::string(simplest.code), text, true};
}

Near other_gain(const NearSubject& subject) {
    if (subject.measured.empty()) {
        return std::nullopt;
    }
    std::vector<double> stretched;
    for (const MeasuredAngle& at : subject.measured) {
        stretched.push_back(at.stretched / std::abs(subject.right.gain));
    }
    const auto middle = stretched.begin() + std::ssize(stretched) / 2;
    std::ranges::nth_element(stretched, middle);
    struct Kind {
        std::string_view text;
        double RotationPlan::*of;
    };
    for (const Kind& kind :
         {Kind{"all numbers were multiplied by {:.7g}", &RotationPlan::factor},
          Kind{"the channels that turn were multiplied by {:.7g}", &RotationPlan::gain}}) {
        const Parameter gain{code("gain"), "", 1.0, 0.0, 0.0, [&](double value) {
                                 RotationPlan plan = subject.right;
                                 plan.*(kind.of) *= value;
                                 return std::optional(plan);
                             }};
        if (const auto value = roundest(subject, gain, *middle)) {
            return NamedFault{std::string(gain.code), fmt::format(fmt::runtime(kind.text), *value),
                              true};
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::faults
