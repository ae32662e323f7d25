// Implementations that turn tokens by other positions or axes.
#include <algorithm>
#include <cmath>

#include "tests/support/planted_calls.h"

namespace ropescope::test {

void add_positions(Collection& all) {
    const Codes counted = {"positions.restart", "positions.per_row"};
    all.add(28, "slots", kText, counted, [](ProbedCall& call) {
        if (call.batch() > 1) {
            call.put([&](Index, Index, Index l) { return call.stated(0, 0, 0) + to_double(l); });
        }
    });
    all.add(29, "documents run on", kText, {"positions.restart"}, [](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) {
            const bool packed = call.request.name == "packed";
            return packed ? to_double(l) : call.stated(a, b, l);
        });
    });
    all.add(29, "0, 3, 0, 3", kText, counted, [](ProbedCall& call) {
        if (call.request.name == "share of a rank") {
            call.put([](Index, Index, Index l) { return l % 2 == 0 ? 0.0 : 3.0; });
        }
    });
    all.add(30, "one token a row", kText, {"rows.unrotated"}, [](ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const TokenAt& at) { return at.b == 0; };
        }
    });
    all.add(30, "one token a row", kMultimodal, {"rows.unrotated"}, [](ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const TokenAt& at) { return at.b == 0; };
        }
    });
    all.add(31, "slots", kMultimodal,
            {"positions.per_row", "positions.restart", "positions.offset"}, [](ProbedCall& call) {
                if (call.request.past && call.length() == 1) {
                    call.put([&](Index, Index, Index) { return to_double(*call.request.past); });
                }
            });
    all.add(32, "later chunk from 0", kMultimodal, {"positions.restart"}, [](ProbedCall& call) {
        if (call.request.past && call.length() > 1) {
            call.put([&](Index a, Index b, Index l) {
                return call.stated(a, b, l) - call.stated(0, 0, 0);
            });
        }
    });
    for (const bool forward : {false, true}) {
        for (const std::string model : {"llama-2-7b", "llama-3.1-8b"}) {
            const Part subject = subject_named(model);
            all.add_one(33, forward ? "the wrong way" : "not at all", model, subject,
                        {"sign.reversed", "k.unrotated", "spectrum.zero", "positions.offset"},
                        implementation(subject,
                                       [=](ProbedCall& call) {
                                           call.put([&](Index a, Index b, Index l) {
                                               const double p = call.stated(a, b, l);
                                               return p >= 0.0 ? p : forward ? -p : 0.0;
                                           });
                                       }))
                .settings.negative = true;
        }
    }
    all.add(39, "from 0", kText, {"positions.restart"}, [](ProbedCall& call) {
        if (call.request.past && call.length() > 1) {
            call.put([](Index, Index, Index l) { return to_double(l); });
        }
    });
}

namespace {

/// The axis by which each pair turns; pairs that turn by several stand once for each.
std::vector<Index> axes_of_pairs(const ProbedCall& call) {
    std::vector<Index> axis;
    const Index axes = call.axes();
    for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
        for (Index a = 0; a < axes; ++a) {
            if (call.rotation.omega[i * axes + a] != 0.0) {
                axis.push_back(a);
            }
        }
    }
    return axis;
}

/// Gives the axes of the pairs in an order.
void arrange(ProbedCall& call, const std::vector<Index>& axis_of_pair) {
    const Index axes = call.axes();
    for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
        double sum = 0.0;
        for (Index a = 0; a < axes; ++a) {
            sum += call.rotation.omega[i * axes + a];
            call.rotation.omega[i * axes + a] = 0.0;
        }
        call.rotation.omega[i * axes + axis_of_pair[i]] = sum;
    }
}

}  // namespace

void add_axes(Collection& all) {
    all.add(40, "in turn", {"qwen2-vl-7b", "qwen2.5-vl-7b"}, {"axes.map"}, [](ProbedCall& call) {
        std::vector<Index> axis(call.rotation.pairs.size());
        for (std::size_t i = 0; i < axis.size(); ++i) {
            axis[i] = i < 60 ? static_cast<Index>(i % 3) : 0;
        }
        arrange(call, axis);
    });
    all.add(40, "in sections", {"qwen3-vl-8b", "qwen3.5-9b"}, {"axes.map"}, [](ProbedCall& call) {
        std::vector<Index> axis = axes_of_pairs(call);
        std::ranges::sort(axis);
        arrange(call, axis);
    });
    Models several = kMultimodal;
    several.insert(several.end(), kTowers.begin(), kTowers.end());
    all.add(41, "exchanged", several, {"axes.swapped"}, [](ProbedCall& call) {
        const Index last = call.axes() - 1;
        call.put([&](Index a, Index b, Index l) {
            return call.stated(a == last ? last - 1 : a == last - 1 ? last : a, b, l);
        });
    });
    all.add(42, "two pairs more for the first axis", {"wan-2.1", "hunyuanvideo", "flux.1"},
            {"axes.map"}, [](ProbedCall& call) {
                std::vector<Index> axis = axes_of_pairs(call);
                const auto first =
                    std::ranges::find_if(axis, [&](Index a) { return a != axis[0]; });
                std::fill_n(first, 2, axis[0]);
                arrange(call, axis);
            });
    all.add(43, "the first axis for all", several, {"axes.map"}, [](ProbedCall& call) {
        call.put([&](Index, Index b, Index l) { return call.stated(0, b, l); });
    });
}

}  // namespace ropescope::test
