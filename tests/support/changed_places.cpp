// Other positions, and other axes.
#include <cmath>

#include "tests/support/rotation_changes.h"

namespace ropescope::test {
namespace {

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

}  // namespace

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

}  // namespace ropescope::test
