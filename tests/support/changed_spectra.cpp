// Other frequencies: of another base or scaling, of a wrong exponent, and rounded ones.
#include <cmath>

#include "tests/support/rotation_changes.h"

namespace ropescope::test {
void add_spectra(Mutants& all) {
    const std::string no_number = "the number that was taken is not among the wrong answers";
    all.push_back({"base 10000",
                   {"spectrum.default"},
                   {"base"},
                   {},
                   both(in_one_axis,
                        [](const ProbedCall& call) { return call.subject.spec->base != 10000.0; }),
                   with_spec([](RopeSpec& spec) { spec.base = 10000.0; })});
    all.push_back(
        {"twice the base", {}, {"base"}, no_number, in_one_axis, with_spec([](RopeSpec& spec) {
             spec.base *= 2.0;
         })});
    all.push_back({"scaling left out",
                   {"spectrum.default"},
                   {"scaling"},
                   {},
                   is_scaled,
                   with_spec([](RopeSpec& spec) { spec.scaling = {}; })});
    all.push_back({"scaled linearly",
                   {"spectrum.scaled"},
                   {"scaling"},
                   {},
                   both(is_scaled,
                        [](const ProbedCall& call) {
                            return !std::holds_alternative<LinearScaling>(
                                call.subject.spec->scaling);
                        }),
                   with_spec([](RopeSpec& spec) {
                       spec.scaling = LinearScaling{extension_factor(spec.scaling)};
                   })});
    all.push_back(
        {"half the factor",
         {},
         {"scaling"},
         no_number,
         [](const ProbedCall& call) {
             return in_one_axis(call) &&
                    std::holds_alternative<Llama3Scaling>(call.subject.spec->scaling);
         },
         with_spec([](RopeSpec& spec) { std::get<Llama3Scaling>(spec.scaling).factor /= 2.0; })});
    const Fits yarn = [](const ProbedCall& call) {
        return in_one_axis(call) && std::holds_alternative<YarnScaling>(call.subject.spec->scaling);
    };
    all.push_back({"YaRN's ramp truncated otherwise",
                   {"spectrum.scaled"},
                   {"yarn_truncate"},
                   {},
                   yarn,
                   with_spec([](RopeSpec& spec) {
                       bool& truncate = std::get<YarnScaling>(spec.scaling).truncate;
                       truncate = !truncate;
                   })});
    const Fits by_length = [](const ProbedCall& call) {
        return in_one_axis(call) && depends_on_seq_len(call.subject.spec->scaling);
    };
    all.push_back({"frequencies of a short sequence",
                   {"spectrum.changes_at", "spectrum.default"},
                   {"longrope_boundary", "scaling"},
                   {},
                   both(by_length, goes_far),
                   with_spec([](RopeSpec& spec) { spec.seq_len = 1; })});
    all.push_back({"frequencies of a long sequence",
                   {"spectrum.changes_at"},
                   {"longrope_boundary"},
                   {},
                   both(by_length, [](const ProbedCall& call) { return !goes_far(call); }),
                   with_spec([](RopeSpec& spec) { spec.seq_len = kMaxPosition; })});
    all.push_back({"no attention factor", {"gain"}, {"gain"}, {}, has_gain, [](ProbedCall& call) {
                       call.rotation.gain = 1.0;
                   }});
    all.push_back(
        {"attention factor twice", {"gain"}, {"gain"}, {}, has_gain, [](ProbedCall& call) {
             call.rotation.gain *= call.rotation.gain;
         }});
}

void add_exponents(Mutants& all) {
    const std::set<std::string> off = {"spectrum.exponent_off_by_one"};
    const auto add = [&](const std::string& name, const std::set<std::string>& codes,
                         auto formula) {
        all.push_back({name, codes, {"base"}, {}, in_one_axis, with_formula(formula)});
    };
    add("exponent from 1", off,
        [](double i, double pairs, double base) { return std::pow(base, -(i + 1) / pairs); });
    add("exponent to 1", off,
        [](double i, double pairs, double base) { return std::pow(base, -i / (pairs - 1)); });
    add("exponent without 2", off,
        [](double i, double pairs, double base) { return std::pow(base, -i / (2 * pairs)); });
    add("exponent from a half", off, [](double i, double pairs, double base) {
        return std::pow(base, -(2 * i + 1) / (2 * pairs));
    });
    add("exponent without minus", {"spectrum.inverted"},
        [](double i, double pairs, double base) { return std::pow(base, i / pairs); });
    add("all pairs alike", {"spectrum.flat"}, [](double, double, double) { return 1.0; });
    all.push_back({"frequencies in reverse order",
                   {"spectrum.inverted"},
                   {"base"},
                   {},
                   in_one_axis,
                   [](ProbedCall& call) { std::ranges::reverse(call.rotation.omega); }});
}

void add_precision(Mutants& all) {
    const std::set<std::string> low = {"spectrum.low_precision"};
    all.push_back({"bf16 frequencies", low, {"far"}, {}, goes_far, [](ProbedCall& call) {
                       call.rotation.inv_freq = Dtype::bf16;
                   }});
    all.push_back({"fp16 frequencies", low, {"far"}, {}, goes_far, [](ProbedCall& call) {
                       call.rotation.inv_freq = Dtype::f16;
                   }});
    all.push_back({"bf16 angles", low, {"far"}, {}, goes_far, [](ProbedCall& call) {
                       call.rotation.angle = Dtype::bf16;
                   }});
    all.push_back({"fp16 angles",
                   {"answer.not_finite", "spectrum.low_precision"},
                   {"far"},
                   {},
                   [](const ProbedCall& call) { return call.request.reach() > 65536; },
                   [](ProbedCall& call) { call.rotation.angle = Dtype::f16; }});
    all.push_back({"bf16 positions",
                   {"positions.low_precision"},
                   {"far"},
                   {},
                   goes_far,
                   [](ProbedCall& call) { call.rotation.position = Dtype::bf16; }});
    all.push_back({"bf16 throughout", low, {"far"}, {}, goes_far, [](ProbedCall& call) {
                       ProbedRotation& how = call.rotation;
                       how.position = how.inv_freq = how.angle = how.table = Dtype::bf16;
                   }});
    RotationMutant fp16{"fp16 table",  {"table.fp16"},
                        {"precision"}, {},
                        any,           [](ProbedCall& call) { call.rotation.table = Dtype::f16; }};
    RotationMutant bf16{"bf16 table",  {"table.bf16"},
                        {"precision"}, {},
                        any,           [](ProbedCall& call) { call.rotation.table = Dtype::bf16; }};
    fp16.hides_in_16_bits = bf16.hides_in_16_bits = true;
    all.push_back(fp16);
    all.push_back(bf16);
    RotationMutant short_turn{"2 pi in six decimals",
                              {},
                              {"far"},
                              "its reduction of angles is not among the wrong answers",
                              [](const ProbedCall& call) { return call.request.reach() > 65536; },
                              [](ProbedCall& call) {
                                  call.rotation.reduced = [](double rad) {
                                      return rad - 6.283185 * std::round(rad / 6.283185);
                                  };
                              }};
    short_turn.hides_in_16_bits = true;  // it is off by 4e-3 rad at most
    all.push_back(short_turn);
}

}  // namespace ropescope::test
