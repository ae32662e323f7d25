// Changes right rotations as people have changed theirs, and answers cases with them.
#include "tests/support/planted_rotations.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/formats/safetensors.h"
#include "core/rope/pair_runs.h"
#include "core/vectors/pack_file.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using Fits = std::function<bool(const ProbedCall&)>;

bool in_one_axis(const ProbedCall& call) {
    return call.subject.spec.has_value();
}
bool in_several(const ProbedCall& call) {
    return call.axes() > 1;
}
bool any(const ProbedCall&) {
    return true;
}
bool has_layout(const ProbedCall& call, Layout layout) {
    return layout_of(call.rotation.pairs) == layout && call.rotation.pairs.size() > 1;
}
bool is_half_split(const ProbedCall& call) {
    return has_layout(call, Layout::half_split);
}
bool is_interleaved(const ProbedCall& call) {
    return has_layout(call, Layout::interleaved);
}
bool is_partial(const ProbedCall& call) {
    return in_one_axis(call) && call.subject.spec->rotary_dim < call.subject.spec->head_dim;
}
bool is_scaled(const ProbedCall& call) {
    return in_one_axis(call) && extension_factor(call.subject.spec->scaling) > 1.0;
}
bool has_gain(const ProbedCall& call) {
    return call.rotation.gain != 1.0;
}
bool has_rows(const ProbedCall& call) {
    return call.batch() > 1;
}
bool has_heads(const ProbedCall& call) {
    return call.request.q_shape.heads > 1;
}
bool goes_far(const ProbedCall& call) {
    return std::ranges::any_of(call.rotation.positions, [](double p) { return p > 4096.0; });
}
Fits both(Fits one, Fits other) {
    return [one = std::move(one), other = std::move(other)](const ProbedCall& call) {
        return one(call) && other(call);
    };
}

Index width(const ProbedCall& call) {
    return 2 * std::ssize(call.rotation.pairs);
}

void use_pairs(ProbedCall& call, const std::vector<ChannelPair>& pairs) {
    call.rotation.pairs = call.rotation.written = pairs;
}

/// The spec with a change, for as many pairs as it has then.
template <typename Change>
ChangeCall with_spec(Change change) {
    return [change](ProbedCall& call) {
        RopeSpec spec = *call.subject.spec;
        spec.seq_len = call.request.reach();
        change(spec);
        call.use_spec(spec, true);
    };
}

/// Frequencies of a formula of the pair's number, without scaling.
template <typename Formula>
ChangeCall with_formula(Formula formula) {
    return [formula](ProbedCall& call) {
        const auto pairs = to_double(std::ssize(call.rotation.pairs));
        for (std::size_t i = 0; i < call.rotation.omega.size(); ++i) {
            call.rotation.omega[i] =
                formula(static_cast<double>(i), pairs, call.subject.spec->base);
        }
    };
}

/// Every position through a function.
template <typename Place>
ChangeCall at_place(Place place) {
    return [place](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) { return place(call.stated(a, b, l)); });
    };
}

template <typename Speed>
ChangeCall at_speed(Speed speed) {
    return [speed](ProbedCall& call) {
        std::ranges::transform(call.rotation.omega, call.rotation.omega.begin(), speed);
    };
}

using Mutants = std::vector<RotationMutant>;

void add_layouts(Mutants& all) {
    all.push_back({"pairs of neighbours",
                   {"layout.interleaved"},
                   {"layout"},
                   {},
                   is_half_split,
                   [](ProbedCall& call) {
                       use_pairs(call, channel_pairs(Layout::interleaved, width(call)));
                   }});
    all.push_back({"pairs of halves",
                   {"layout.half_split"},
                   {"layout"},
                   {},
                   is_interleaved,
                   [](ProbedCall& call) {
                       use_pairs(call, channel_pairs(Layout::half_split, width(call)));
                   }});
    all.push_back({"neighbours read, halves written",
                   {"layout.other"},
                   {"layout"},
                   {},
                   is_interleaved,
                   [](ProbedCall& call) {
                       call.rotation.written = channel_pairs(Layout::half_split, width(call));
                   }});
    all.push_back({"halves read, neighbours written",
                   {"layout.other"},
                   {"layout"},
                   {},
                   is_half_split,
                   [](ProbedCall& call) {
                       call.rotation.written = channel_pairs(Layout::interleaved, width(call));
                   }});
    all.push_back({"channels in reverse order",
                   {},
                   {"layout"},
                   "an arbitrary order of channels is not among the wrong answers",
                   any,
                   [](ProbedCall& call) {
                       for (ChannelPair& pair : call.rotation.pairs) {
                           pair = {width(call) - 1 - pair.first, width(call) - 1 - pair.second};
                       }
                       call.rotation.written = call.rotation.pairs;
                   }});
    all.push_back(
        {"turned the other way", {"sign.reversed"}, {"layout"}, {}, any, at_speed([](double omega) {
             return -omega;
         })});
    all.push_back(
        {"no minus in rotate_half", {"not_a_rotation"}, {"layout"}, {}, any, [](ProbedCall& call) {
             call.rotation.first_sign = 1.0;
         }});
    all.push_back({"table of the other layout, halves",
                   {"not_a_rotation"},
                   {"layout"},
                   {},
                   is_half_split,
                   [](ProbedCall& call) {
                       const Index pairs = std::ssize(call.rotation.pairs);
                       call.rotation.first_entry = [](Index pair) { return pair / 2; };
                       call.rotation.second_entry = [=](Index pair) { return (pair + pairs) / 2; };
                   }});
    all.push_back({"table of the other layout, neighbours",
                   {"not_a_rotation"},
                   {"layout"},
                   {},
                   is_interleaved,
                   [](ProbedCall& call) {
                       const Index pairs = std::ssize(call.rotation.pairs);
                       call.rotation.first_entry = [=](Index pair) { return 2 * pair % pairs; };
                       call.rotation.second_entry = [=](Index pair) {
                           return (2 * pair + 1) % pairs;
                       };
                   }});
    all.push_back({"not turned", {"spectrum.zero"}, {"layout"}, {}, any, [](ProbedCall& call) {
                       call.rotation.turns = [](const TokenAt&) { return false; };
                   }});
    all.push_back({"turned twice", {"positions.scaled"}, {"layout"}, {}, any, [](ProbedCall& call) {
                       at_speed([](double omega) { return 2.0 * omega; })(call);
                       call.rotation.gain *= call.rotation.gain;
                   }});
}

void add_widths(Mutants& all) {
    all.push_back({"the whole head",
                   {"partial_rotary"},
                   {"partial"},
                   {},
                   is_partial,
                   with_spec([](RopeSpec& spec) {
                       spec.rotary_dim = spec.head_dim;
                       spec.scaling = {};
                   })});
    all.push_back({"half of the pairs",
                   {"partial_rotary"},
                   {"partial"},
                   {},
                   both(in_one_axis,
                        [](const ProbedCall& call) {
                            return width(call) >= 8 && width(call) % 4 == 0 &&
                                   call.subject.spec->scaling == Scaling{};
                        }),
                   with_spec([](RopeSpec& spec) { spec.rotary_dim /= 2; })});
    all.push_back({"partner in the other half of the head",
                   {"layout.other"},
                   {"partial"},
                   {},
                   both(is_partial, is_half_split),
                   [](ProbedCall& call) {
                       for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
                           call.rotation.pairs[i] = {i, i + call.subject.spec->head_dim / 2};
                       }
                       call.rotation.written = call.rotation.pairs;
                   }});
    all.push_back({"the last channels of the head",
                   {"partial_rotary"},
                   {"partial"},
                   {},
                   is_partial,
                   [](ProbedCall& call) {
                       const Index from = call.subject.spec->head_dim - width(call);
                       for (ChannelPair& pair : call.rotation.pairs) {
                           pair = {pair.first + from, pair.second + from};
                       }
                       call.rotation.written = call.rotation.pairs;
                   }});
    all.push_back({"exponents over the whole head",
                   {"spectrum.default"},
                   {"partial"},
                   {},
                   both(is_partial, [](const ProbedCall& call) { return !is_scaled(call); }),
                   [](ProbedCall& call) {
                       const RopeSpec& spec = *call.subject.spec;
                       for (std::size_t i = 0; i < call.rotation.omega.size(); ++i) {
                           call.rotation.omega[i] = std::pow(
                               spec.base, -2.0 * static_cast<double>(i) / to_double(spec.head_dim));
                       }
                   }});
}

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

void add_places(Mutants& all) {
    all.push_back(
        {"one position later", {"positions.offset"}, {"offset"}, {}, any, at_place([](double p) {
             return p + 1.0;
         })});
    all.push_back(
        {"one position earlier", {"positions.offset"}, {"offset"}, {}, any, at_place([](double p) {
             return p - 1.0;
         })});
    all.push_back(
        {"counted from 0", {"positions.restart"}, {"offset"}, {}, any, [](ProbedCall& call) {
             call.put([](Index, Index, Index l) { return to_double(l); });
         }});
    all.push_back({"the first row for all",
                   {"positions.per_row"},
                   {"batch_decode"},
                   {},
                   has_rows,
                   [](ProbedCall& call) {
                       call.put([&](Index a, Index, Index l) { return call.stated(a, 0, l); });
                   }});
    all.push_back({"the first token for all",
                   {"positions.wrong_axis"},
                   {"batch_decode"},
                   {},
                   [](const ProbedCall& call) { return call.length() > 1; },
                   [](ProbedCall& call) {
                       call.put([&](Index a, Index b, Index) { return call.stated(a, b, 0); });
                   }});
    all.push_back(
        {"counted along the batch",
         {"positions.wrong_axis"},
         {"batch_decode"},
         {},
         has_rows,
         [](ProbedCall& call) { call.put([](Index, Index b, Index) { return to_double(b); }); }});
    all.push_back({"counted along the heads",
                   {"positions.wrong_axis"},
                   {"heads"},
                   {},
                   has_heads,
                   [](ProbedCall& call) {
                       call.rotation.stands = [](Index, const TokenAt& at) {
                           return to_double(at.h);
                       };
                   }});
    all.push_back({"heads and tokens exchanged in memory",
                   {"answer.order"},
                   {"heads"},
                   {},
                   both(has_heads, [](const ProbedCall& call) { return call.length() > 1; }),
                   [](ProbedCall& call) {
                       const Index heads = call.request.q_shape.heads, length = call.length();
                       call.rotation.stands = [=, &call](Index a, const TokenAt& at) {
                           return call.stated(a, at.b, (at.h * length + at.l) / heads);
                       };
                   }});
    all.push_back({"rows after the first not turned",
                   {"rows.unrotated"},
                   {"batch_decode"},
                   {},
                   has_rows,
                   [](ProbedCall& call) {
                       call.rotation.turns = [](const TokenAt& at) { return at.b == 0; };
                   }});
    all.push_back({"heads after the first not turned",
                   {"rows.unrotated"},
                   {"heads"},
                   {},
                   has_heads,
                   [](ProbedCall& call) {
                       call.rotation.turns = [](const TokenAt& at) { return at.h == 0; };
                   }});
    all.push_back({"a table of 4096 rows",
                   {"positions.clamped"},
                   {"far"},
                   {},
                   goes_far,
                   at_place([](double p) { return std::min(p, 4095.0); })});
    all.push_back({"a table of 3000 rows",
                   {},
                   {"far"},
                   "the length of the table is not among the wrong answers",
                   goes_far,
                   at_place([](double p) { return std::min(p, 2999.0); })});
    all.push_back({"positions in 16 bits",
                   {},
                   {"far"},
                   "what overflow leaves of a position is not among the wrong answers",
                   [](const ProbedCall& call) { return call.request.reach() > 32768; },
                   at_place([](double p) {
                       return static_cast<double>(
                           static_cast<std::int16_t>(static_cast<std::int64_t>(p)));
                   })});
    all.push_back({"positions divided by 4",
                   {"positions.scaled"},
                   {"far"},
                   {},
                   both(in_one_axis, goes_far),
                   at_place([](double p) { return p / 4.0; })});
}

/// The axis that turns each pair; empty if a pair has several.
std::vector<Index> axes_of_pairs(const ProbedCall& call) {
    std::vector<Index> axis;
    const Index axes = call.axes();
    if (std::ssize(call.rotation.omega) != std::ssize(call.rotation.pairs) * axes) {
        return {};
    }
    for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
        Index turns = 0;
        for (Index a = 0; a < axes; ++a) {
            if (call.rotation.omega[i * axes + a] != 0.0) {
                axis.push_back(a);
                ++turns;
            }
        }
        if (turns != 1) {
            return {};
        }
    }
    return axis;
}

void give_axes(ProbedCall& call, const std::vector<Index>& axis) {
    const Index axes = call.axes();
    for (Index i = 0; i < std::ssize(axis); ++i) {
        double sum = 0.0;
        for (Index a = 0; a < axes; ++a) {
            sum += call.rotation.omega[i * axes + a];
            call.rotation.omega[i * axes + a] = 0.0;
        }
        call.rotation.omega[i * axes + axis[i]] = sum;
    }
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

void add_axes(Mutants& all) {
    all.push_back(
        {"the last axes exchanged",
         {"axes.swapped"},
         {"axis_map"},
         {},
         in_several,
         [](ProbedCall& call) {
             const Index last = call.axes() - 1;
             call.put([&](Index a, Index b, Index l) {
                 return call.stated(a == last ? last - 1 : a == last - 1 ? last : a, b, l);
             });
         }});
    all.push_back({"the axes in reverse order",
                   {"axes.map"},
                   {"axis_map"},
                   {},
                   [](const ProbedCall& call) { return call.axes() > 2; },
                   [](ProbedCall& call) {
                       call.put([&](Index a, Index b, Index l) {
                           return call.stated(call.axes() - 1 - a, b, l);
                       });
                   }});
    all.push_back({"the first axis for all",
                   {"axes.map"},
                   {"axis_map"},
                   {},
                   in_several,
                   [](ProbedCall& call) {
                       call.put([&](Index, Index b, Index l) { return call.stated(0, b, l); });
                   }});
    const auto sorted = [](std::vector<Index> axis) {
        std::ranges::sort(axis);
        return axis;
    };
    all.push_back({"axes in sections",
                   {"axes.map"},
                   {"axis_map"},
                   {},
                   [=](const ProbedCall& call) {
                       const std::vector<Index> axis = axes_of_pairs(call);
                       return call.axes() > 1 && !axis.empty() && sorted(axis) != axis;
                   },
                   [=](ProbedCall& call) { give_axes(call, sorted(axes_of_pairs(call))); }});
    all.push_back(
        {"axes by turns",
         {"axes.map"},
         {"axis_map"},
         {},
         [](const ProbedCall& call) {
             const std::vector<Index> axis = axes_of_pairs(call);
             return call.axes() > 1 && !axis.empty() && by_turns(axis, call.axes()) != axis;
         },
         [](ProbedCall& call) { give_axes(call, by_turns(axes_of_pairs(call), call.axes())); }});
    all.push_back({"one pair more for the first axis",
                   {},
                   {"axis_map"},
                   "other borders of sections are not among the wrong answers",
                   [](const ProbedCall& call) {
                       const std::vector<Index> axis = axes_of_pairs(call);
                       return call.axes() > 1 && !axis.empty() && axis.front() != axis.back();
                   },
                   [](ProbedCall& call) {
                       std::vector<Index> axis = axes_of_pairs(call);
                       *std::ranges::find_if(axis, [&](Index a) { return a != axis.front(); }) =
                           axis.front();
                       give_axes(call, axis);
                   }});
    all.push_back({"the grid merged twice",
                   {"positions.scaled"},
                   {"axis_map"},
                   {},
                   in_several,
                   [](ProbedCall& call) {
                       call.put([&](Index a, Index b, Index l) {
                           const double p = call.stated(a, b, l);
                           return a + 2 < call.axes() ? p : std::floor(p / 2.0);
                       });
                   }});
}

/// A case as a call of its q.
probe::Request request_of(const vectors::RotationCase& made, Dtype result) {
    probe::Request request{.id = 1, .name = made.id, .dtype = result};
    request.q_shape = made.plan.shape;
    request.k_shape = {1, 1, 1, made.plan.shape.head_dim};
    request.q = made.input;
    request.k.assign(static_cast<std::size_t>(request.k_shape.size()), 0.0);
    request.positions = made.plan.positions;
    request.axes = made.plan.axes;
    return request;
}

probe::Subject subject_of_case(const vectors::RotationCase& made) {
    const std::vector<probe::Subject> parts = probe::parse_subjects(made.config_json, made.id);
    const auto found = std::ranges::find(parts, made.part, &probe::Subject::part);
    return found == parts.end() ? parts.front() : *found;
}

}  // namespace

const std::vector<RotationMutant>& rotation_mutants() {
    static const Mutants kAll = [] {
        Mutants all;
        for (const auto add : {add_layouts, add_widths, add_spectra, add_exponents, add_precision,
                               add_places, add_axes}) {
            add(all);
        }
        return all;
    }();
    return kAll;
}

std::vector<RightRotation> right_rotations() {
    std::vector<RightRotation> all;
    for (const Dtype dtype : vectors::kResultDtypes) {
        const std::string name(to_string(dtype));
        if (dtype != Dtype::f64) {
            all.push_back({name + ", angles in fp32", dtype, {}});
            all.push_back({name + ", frequencies as in ggml", dtype, [](ProbedCall& call) {
                               if (!call.subject.spec ||
                                   !(call.subject.spec->scaling == Scaling{})) {
                                   return;
                               }
                               const RopeSpec& spec = *call.subject.spec;
                               const float factor =
                                   to_float(std::pow(spec.base, -2.0 / to_double(spec.rotary_dim)));
                               float omega = 1.0F;
                               for (double& each : call.rotation.omega) {
                                   each = omega;
                                   omega *= factor;
                               }
                           }});
        }
        if (dtype == Dtype::f16 || dtype == Dtype::bf16) {
            all.push_back({name + ", tables and products in it", dtype, [=](ProbedCall& call) {
                               call.rotation.table = call.rotation.arithmetic = dtype;
                           }});
        }
        all.push_back({name + ", everything in fp64", dtype, [](ProbedCall& call) {
                           ProbedRotation& how = call.rotation;
                           how.table = how.inv_freq = how.position = how.angle = how.arithmetic =
                               Dtype::f64;
                       }});
    }
    return all;
}

std::vector<Tensor> answers_of(const vectors::Pack& pack, const ChangeCall& change,
                               const Fits& fits, Dtype result, bool& differs) {
    std::vector<Tensor> answers;
    for (const vectors::RotationCase& made : pack.rotations) {
        const probe::Request request = request_of(made, result);
        const auto changed = [&](ProbedCall& call) {
            if (result == Dtype::f64) {
                ProbedRotation& how = call.rotation;
                how.table = how.inv_freq = how.position = how.angle = how.arithmetic = Dtype::f64;
            }
            if (!call.of_keys && change && (!fits || fits(call))) {
                differs = true;
                change(call);
            }
        };
        Tensor answer = *answer_call(subject_of_case(made), request, changed).q_rot;
        answer.name = made.id;
        answers.push_back(std::move(answer));
    }
    return answers;
}

WrittenPack::WrittenPack(vectors::Pack pack) : pack_(std::move(pack)) {
    const auto folder = std::make_shared<TempFolder>();
    folder_ = folder->path().string();
    owner_ = folder;
    write_pack(folder_, pack_);
}

std::vector<vectors::CaseJudgement> WrittenPack::judge(const std::vector<Tensor>& answers) const {
    const std::string path = folder_ + "/answers.safetensors";
    write_safetensors(path, std::span(answers));
    return vectors::judge(folder_, path);
}

const std::vector<std::string>& WrittenPack::flags_of(const std::string& id) const {
    const auto rotation = std::ranges::find(pack_.rotations, id, &vectors::RotationCase::id);
    return rotation != pack_.rotations.end()
               ? rotation->flags
               : std::ranges::find(pack_.positions, id, &vectors::PositionCase::id)->flags;
}

Kill kill_of(const WrittenPack& pack, const std::vector<Tensor>& answers,
             const std::set<std::string>& codes, const std::set<std::string>& flags) {
    Kill kill;
    for (const vectors::CaseJudgement& judged : pack.judge(answers)) {
        if (judged.judged == vectors::Judged::right) {
            continue;
        }
        kill.killed = true;
        kill.by_flag = kill.by_flag ||
                       std::ranges::any_of(pack.flags_of(judged.id), [&](const std::string& flag) {
                           return flags.contains(flag);
                       });
        kill.named =
            kill.named || std::ranges::any_of(judged.faults, [&](const vectors::NamedFault& fault) {
                return codes.contains(fault.code);
            });
    }
    return kill;
}

}  // namespace ropescope::test
