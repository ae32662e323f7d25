// The list of faulty rotations for test vectors, and the right ones.
#include "tests/support/planted_rotations.h"

#include <cmath>
#include <numbers>

#include "core/scaling/method.h"
#include "tests/support/call_changes.h"

namespace ropescope::test {
namespace {

class MutantList {
  public:
    using Names = std::set<std::string>;

    void add(const std::string& name, const Names& codes, const Names& flags, Fits fits,
             ChangeCall change) {
        all_.push_back({.name = name,
                        .codes = codes,
                        .flags = flags,
                        .fits = std::move(fits),
                        .change = std::move(change)});
    }
    /// A fault that no code can name, and why.
    void add_unnamed(const std::string& name, const std::string& flag, const std::string& why,
                     Fits fits, ChangeCall change) {
        add(name, {}, {flag}, std::move(fits), std::move(change));
        all_.back().unnamed = why;
    }
    /// The one that was added last is right where results have 16 bits.
    void hide_in_16_bits() { all_.back().hides_in_16_bits = true; }
    std::vector<RotationMutant> take() { return std::move(all_); }

  private:
    std::vector<RotationMutant> all_;
};

void add_layouts(MutantList& all) {
    all.add("pairs of neighbours", {"layout.interleaved"}, {"layout"}, is_half_split,
            in_layout(Layout::interleaved));
    all.add("pairs of halves", {"layout.half_split"}, {"layout"}, is_interleaved,
            in_layout(Layout::half_split));
    all.add("neighbours read, halves written", {"layout.other"}, {"layout"}, is_interleaved,
            written_in(Layout::half_split));
    all.add("halves read, neighbours written", {"layout.other"}, {"layout"}, is_half_split,
            written_in(Layout::interleaved));
    all.add_unnamed("channels in reverse order", "layout",
                    "an arbitrary order of channels is not among the wrong answers", any,
                    with_channels([](const ProbedCall& call, Index channel) {
                        return width(call) - 1 - channel;
                    }));
    all.add("cos and sin exchanged", {"phase"}, {"layout"}, any,
            [](ProbedCall& call) { call.rotation.exchanged = true; });
    all.add("degrees in place of radians", {"positions.scaled"}, {"layout"}, any,
            at_speed(180.0 / std::numbers::pi));
    all.add("turned the other way", {"sign.reversed"}, {"layout"}, any, at_speed(-1.0));
    all.add("no minus in rotate_half", {"not_a_rotation"}, {"layout"}, any,
            [](ProbedCall& call) { call.rotation.first_sign = 1.0; });
    all.add("table of the other layout, halves", {"not_a_rotation"}, {"layout"}, is_half_split,
            [](ProbedCall& call) {
                const Index pairs = std::ssize(call.rotation.pairs);
                call.rotation.first_entry = [](Index pair) { return pair / 2; };
                call.rotation.second_entry = [=](Index pair) { return (pair + pairs) / 2; };
            });
    all.add("table of the other layout, neighbours", {"not_a_rotation"}, {"layout"}, is_interleaved,
            [](ProbedCall& call) {
                const Index pairs = std::ssize(call.rotation.pairs);
                call.rotation.first_entry = [=](Index pair) { return 2 * pair % pairs; };
                call.rotation.second_entry = [=](Index pair) { return (2 * pair + 1) % pairs; };
            });
    all.add("not turned", {"spectrum.zero"}, {"layout"}, any, turn_nothing);
    all.add("turned twice", {"positions.scaled"}, {"layout"}, any, [](ProbedCall& call) {
        at_speed(2.0)(call);
        call.rotation.gain *= call.rotation.gain;
    });
}

void add_widths(MutantList& all) {
    all.add("the whole head", {"partial_rotary"}, {"partial"}, is_partial,
            with_spec([](RopeSpec& spec) {
                spec.rotary_dim = spec.head_dim;
                spec.scaling = {};
            }));
    all.add(
        "half of the pairs", {"partial_rotary"}, {"partial"},
        [](const ProbedCall& call) {
            return in_one_axis(call) && width(call) >= 8 && width(call) % 4 == 0 &&
                   call.subject.spec->scaling == Scaling{};
        },
        with_spec([](RopeSpec& spec) { spec.rotary_dim /= 2; }));
    all.add("partner in the other half of the head", {"layout.other"}, {"partial"},
            both(is_partial, is_half_split), pair_across_the_head);
    all.add("the last channels of the head", {"partial_rotary"}, {"partial"}, is_partial,
            with_channels([](const ProbedCall& call, Index channel) {
                return channel + call.subject.spec->head_dim - width(call);
            }));
    all.add("exponents over the whole head", {"spectrum.default"}, {"partial"},
            both(is_partial, no(is_scaled)), [](ProbedCall& call) {
                const RopeSpec& spec = *call.subject.spec;
                for (Index i = 0; i < std::ssize(call.rotation.omega); ++i) {
                    call.rotation.omega[i] =
                        std::pow(spec.base, -2.0 * to_double(i) / to_double(spec.head_dim));
                }
            });
}

void add_spectra(MutantList& all) {
    const std::string no_number = "the number that was taken is not among the wrong answers";
    const auto by_length = [](const ProbedCall& call) {
        return in_one_axis(call) && depends_on_seq_len(call.subject.spec->scaling);
    };
    all.add(
        "base 10000", {"spectrum.default"}, {"base"},
        [](const ProbedCall& call) {
            return in_one_axis(call) && call.subject.spec->base != 10000.0;
        },
        with_base(10000.0));
    all.add_unnamed("twice the base", "base", no_number, in_one_axis,
                    with_spec([](RopeSpec& spec) { spec.base *= 2.0; }));
    all.add("scaling left out", {"spectrum.default"}, {"scaling"}, is_scaled, leave_scaling);
    all.add("scaled linearly", {"spectrum.scaled"}, {"scaling"},
            both(is_scaled, no(has_method<LinearScaling>)), with_spec([](RopeSpec& spec) {
                spec.scaling = LinearScaling{extension_factor(spec.scaling)};
            }));
    all.add_unnamed(
        "half the factor", "scaling", no_number, has_method<Llama3Scaling>,
        with_spec([](RopeSpec& spec) { std::get<Llama3Scaling>(spec.scaling).factor /= 2.0; }));
    all.add("YaRN's ramp truncated otherwise", {"spectrum.scaled"}, {"yarn_truncate"},
            has_method<YarnScaling>, with_spec([](RopeSpec& spec) {
                bool& truncate = std::get<YarnScaling>(spec.scaling).truncate;
                truncate = !truncate;
            }));
    all.add("frequencies of a short sequence", {"spectrum.changes_at", "spectrum.default"},
            {"longrope_boundary", "scaling"}, both(by_length, goes_far), at_length(1));
    all.add("frequencies of a long sequence", {"spectrum.changes_at"}, {"longrope_boundary"},
            both(by_length, no(goes_far)), at_length(kMaxPosition));
    all.add("no attention factor", {"gain"}, {"gain"}, has_gain,
            [](ProbedCall& call) { call.rotation.gain = 1.0; });
    all.add("attention factor twice", {"gain"}, {"gain"}, has_gain,
            [](ProbedCall& call) { call.rotation.gain *= call.rotation.gain; });
}

void add_exponents(MutantList& all) {
    using Formula = double (*)(double i, double pairs, double base);
    const auto add = [&](const std::string& name, const std::string& code, Formula formula) {
        all.add(name, {code}, {"base"}, in_one_axis, with_formula(formula));
    };
    const std::string off = "spectrum.exponent_off_by_one";
    add("exponent from 1", off,
        [](double i, double pairs, double base) { return std::pow(base, -(i + 1) / pairs); });
    add("exponent to 1", off,
        [](double i, double pairs, double base) { return std::pow(base, -i / (pairs - 1)); });
    add("exponent without 2", off,
        [](double i, double pairs, double base) { return std::pow(base, -i / (2 * pairs)); });
    add("exponent from a half", off, [](double i, double pairs, double base) {
        return std::pow(base, -(2 * i + 1) / (2 * pairs));
    });
    add("exponent without minus", "spectrum.inverted",
        [](double i, double pairs, double base) { return std::pow(base, i / pairs); });
    add("all pairs alike", "spectrum.flat", [](double, double, double) { return 1.0; });
    all.add("frequencies in reverse order", {"spectrum.inverted"}, {"base"}, in_one_axis,
            [](ProbedCall& call) { std::ranges::reverse(call.rotation.omega); });
}

void add_precision(MutantList& all) {
    const std::set<std::string> low = {"spectrum.low_precision"};
    const Fits very_far = [](const ProbedCall& call) { return call.request.reach() > 65536; };
    all.add("bf16 frequencies", low, {"far"}, goes_far, round_frequencies_to_bf16);
    all.add("fp16 frequencies", low, {"far"}, goes_far,
            [](ProbedCall& call) { call.rotation.inv_freq = Dtype::f16; });
    all.add("bf16 angles", low, {"far"}, goes_far,
            [](ProbedCall& call) { call.rotation.angle = Dtype::bf16; });
    all.add("fp16 angles", {"answer.not_finite", "spectrum.low_precision"}, {"far"}, very_far,
            [](ProbedCall& call) { call.rotation.angle = Dtype::f16; });
    all.add("bf16 positions", {"positions.low_precision"}, {"far"}, goes_far,
            [](ProbedCall& call) { call.rotation.position = Dtype::bf16; });
    all.add("fp16 positions", {"positions.low_precision"}, {"far"}, goes_far,
            [](ProbedCall& call) { call.rotation.position = Dtype::f16; });
    all.add("bf16 throughout", low, {"far"}, goes_far, [](ProbedCall& call) {
        EmulatedRotation& how = call.rotation;
        how.position = how.inv_freq = how.angle = how.table = Dtype::bf16;
    });
    all.add("fp16 table", {"table.fp16"}, {"precision"}, any,
            [](ProbedCall& call) { call.rotation.table = Dtype::f16; });
    all.hide_in_16_bits();
    all.add("bf16 table", {"table.bf16"}, {"precision"}, any,
            [](ProbedCall& call) { call.rotation.table = Dtype::bf16; });
    all.hide_in_16_bits();
    all.add_unnamed("2 pi in six decimals", "far",
                    "its reduction of angles is not among the wrong answers", very_far,
                    reduce_by_a_short_turn);
    all.hide_in_16_bits();
}

void add_places(MutantList& all) {
    all.add("one position later", {"positions.offset"}, {"offset"}, any,
            at_place([](double p) { return p + 1.0; }));
    all.add("one position earlier", {"positions.offset"}, {"offset"}, any,
            at_place([](double p) { return p - 1.0; }));
    all.add("counted from 0", {"positions.restart"}, {"offset"}, any, count_from_zero);
    all.add("the first row for all", {"positions.per_row"}, {"batch_decode"}, has_rows,
            [](ProbedCall& call) {
                call.put([&](Index a, Index, Index l) { return call.stated(a, 0, l); });
            });
    all.add("the first token for all", {"positions.wrong_axis"}, {"batch_decode"}, has_tokens,
            stay_at_the_first_token);
    all.add("counted along the batch", {"positions.wrong_axis"}, {"batch_decode"}, has_rows,
            [](ProbedCall& call) { call.put([](Index, Index b, Index) { return to_double(b); }); });
    all.add("counted along the heads", {"positions.wrong_axis"}, {"heads"}, has_heads,
            [](ProbedCall& call) {
                call.rotation.stands = [](Index, const TokenAt& at) { return to_double(at.h); };
            });
    all.add("heads and tokens exchanged in memory", {"answer.order"}, {"heads"},
            both(has_heads, has_tokens), [](ProbedCall& call) {
                const Index heads = call.request.q_shape.heads, length = call.length();
                call.rotation.stands = [=, &call](Index a, const TokenAt& at) {
                    return call.stated(a, at.b, (at.h * length + at.l) / heads);
                };
            });
    all.add("rows after the first not turned", {"rows.unrotated"}, {"batch_decode"}, has_rows,
            turn_the_first_row_alone);
    all.add("heads after the first not turned", {"rows.unrotated"}, {"heads"}, has_heads,
            [](ProbedCall& call) {
                call.rotation.turns = [](const TokenAt& at) { return at.h == 0; };
            });
    all.add("a table of 4096 rows", {"positions.clamped"}, {"far"}, goes_far,
            at_place([](double p) { return std::min(p, 4095.0); }));
    all.add_unnamed("a table of 3000 rows", "far",
                    "the length of the table is not among the wrong answers", goes_far,
                    at_place([](double p) { return std::min(p, 2999.0); }));
    const Fits beyond_16_bits = [](const ProbedCall& call) { return call.request.reach() > 32768; };
    all.add("positions in 16 bits", {"positions.restart"}, {"far"}, beyond_16_bits,
            at_place([](double p) {
                return static_cast<double>(static_cast<std::int16_t>(static_cast<std::int64_t>(p)));
            }));
    all.add("positions modulo 4096", {"positions.restart"}, {"far"}, goes_far,
            at_place([](double p) { return std::fmod(p, 4096.0); }));
    all.add("positions divided by 4", {"positions.scaled"}, {"far"}, both(in_one_axis, goes_far),
            at_place([](double p) { return p / 4.0; }));
}

std::vector<Index> by_turns(const std::vector<Index>& axis, Index axes) {
    std::vector<Index> left(axes), order;
    for (const Index a : axis) {
        ++left[a];
    }
    for (Index a = 0; order.size() < axis.size(); a = (a + 1) % axes) {
        if (left[a] > 0) {
            --left[a];
            order.push_back(a);
        }
    }
    return order;
}

void add_axes(MutantList& all) {
    all.add("the last axes exchanged", {"axes.swapped"}, {"axis_map"}, in_several,
            exchange_the_last_axes);
    all.add(
        "the axes in reverse order", {"axes.map"}, {"axis_map"},
        [](const ProbedCall& call) { return call.axes() > 2; },
        [](ProbedCall& call) {
            call.put(
                [&](Index a, Index b, Index l) { return call.stated(call.axes() - 1 - a, b, l); });
        });
    all.add("the first axis for all", {"axes.map"}, {"axis_map"}, in_several,
            give_the_first_axis_to_all);
    const auto add = [&](const std::string& name, auto arranged) {
        all.add(
            name, {"axes.map"}, {"axis_map"},
            [=](const ProbedCall& call) {
                const std::vector<Index> axis = axes_of_pairs(call);
                return in_several(call) && !axis.empty() && arranged(call, axis) != axis;
            },
            [=](ProbedCall& call) { give_axes(call, arranged(call, axes_of_pairs(call))); });
    };
    add("axes in sections",
        [](const ProbedCall&, const std::vector<Index>& axis) { return in_sections(axis); });
    add("axes by turns", [](const ProbedCall& call, const std::vector<Index>& axis) {
        return by_turns(axis, call.axes());
    });
    all.add_unnamed(
        "one pair more for the first axis", "axis_map",
        "other borders of sections are not among the wrong answers",
        [](const ProbedCall& call) {
            const std::vector<Index> axis = axes_of_pairs(call);
            return in_several(call) && !axis.empty() && axis.front() != axis.back();
        },
        [](ProbedCall& call) {
            std::vector<Index> axis = axes_of_pairs(call);
            *std::ranges::find_if(axis, [&](Index a) { return a != axis.front(); }) = axis.front();
            give_axes(call, axis);
        });
    all.add("the grid merged twice", {"positions.scaled"}, {"axis_map"}, in_several,
            [](ProbedCall& call) {
                call.put([&](Index a, Index b, Index l) {
                    const double p = call.stated(a, b, l);
                    return a + 2 < call.axes() ? p : std::floor(p / 2.0);
                });
            });
}

}  // namespace

const std::vector<RotationMutant>& rotation_mutants() {
    static const std::vector<RotationMutant> kAll = [] {
        MutantList all;
        for (const auto add : {add_layouts, add_widths, add_spectra, add_exponents, add_precision,
                               add_places, add_axes}) {
            add(all);
        }
        return all.take();
    }();
    return kAll;
}

std::vector<RightRotation> right_rotations() {
    std::vector<RightRotation> all;
    for (const Dtype dtype : vectors::kResultDtypes) {
        const std::string name(to_string(dtype));
        if (dtype != Dtype::f64) {
            all.push_back({name + ", angles in fp32", dtype, {}});
            all.push_back({name + ", frequencies as in ggml", dtype,
                           where(both(in_one_axis,
                                      [](const ProbedCall& call) {
                                          return call.subject.spec->scaling == Scaling{};
                                      }),
                                 multiply_frequencies_up)});
        }
        if (dtype == Dtype::f16 || dtype == Dtype::bf16) {
            all.push_back({name + ", tables and products in it", dtype, [=](ProbedCall& call) {
                               call.rotation.table = call.rotation.arithmetic = dtype;
                           }});
        }
        all.push_back({name + ", everything in fp64", dtype, compute_in_fp64});
    }
    return all;
}

}  // namespace ropescope::test
