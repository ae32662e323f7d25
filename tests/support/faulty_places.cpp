// Tokens that turn by another position, or by that of another axis, and tensors in another order.
#include <algorithm>
#include <cmath>

#include "tests/support/faulty_calls.h"

namespace ropescope::test {
namespace {

const Models kMultimodalModels = {"qwen2-vl-7b", "qwen2.5-vl-7b", "qwen3-vl-8b", "glm-4.1v-9b"};

bool starts_with(const ProbedCall& call, const char* name) {
    return call.request.name.starts_with(name);
}

void add_offsets(FaultyCalls& all) {
    all.add("one position later", {"positions.offset"}, at_place([](double p) { return p + 1.0; }))
        .in_vectors({"offset"}, any);
    all.add("one position earlier", {"positions.offset"},
            at_place([](double p) { return p - 1.0; }))
        .in_vectors({"offset"}, any);
    all.add("counted from 0", {"positions.restart"}, count_from_zero).in_vectors({"offset"}, any);
    all.add("chunks counted from 0", {"positions.restart"},
            where(both(is_later, has_tokens), count_from_zero))
        .probed(39, kTextModels);
    all.add(
           "chunks less their first position", {"positions.restart"},
           where(both(is_later, has_tokens),
                 [](ProbedCall& call) {
                     at_place([first = call.stated(0, 0, 0)](double p) { return p - first; })(call);
                 }))
        .probed(32, kMultimodalModels);
    const Codes shifted = {"sign.reversed", "k.unrotated", "spectrum.zero", "positions.offset"};
    const Models text = {"llama-2-7b", "llama-3.1-8b"};
    all.add("negative positions not turned", shifted,
            at_place([](double p) { return p >= 0.0 ? p : 0.0; }))
        .probed(33, text)
        .at_negative_positions();
    all.add("negative positions turned forward", shifted,
            at_place([](double p) { return p >= 0.0 ? p : -p; }))
        .probed(33, text)
        .at_negative_positions();
}

void add_rows(FaultyCalls& all) {
    const Codes counted = {"positions.restart", "positions.per_row"};
    const Fits one_token = no(has_tokens);
    all.add("the first row for all", {"positions.per_row"},
            [](ProbedCall& call) {
                call.put([&](Index a, Index, Index l) { return call.stated(a, 0, l); });
            })
        .in_vectors({"batch_decode"}, has_rows);
    all.add("slots of padded rows", counted,
            where(has_rows,
                  [](ProbedCall& call) {
                      call.put([&](Index, Index, Index l) {
                          return call.stated(0, 0, 0) + to_double(l);
                      });
                  }))
        .probed(28, kTextModels);
    all.add("documents run on", {"positions.restart"},
            where([](const ProbedCall& call) { return starts_with(call, "packed"); },
                  count_from_zero))
        .probed(29, kTextModels);
    all.add("0, 3, 0, 3", counted,
            where([](const ProbedCall& call) { return starts_with(call, "share of a rank"); },
                  [](ProbedCall& call) {
                      call.put([](Index, Index, Index l) { return l % 2 == 0 ? 0.0 : 3.0; });
                  }))
        .probed(29, kTextModels);
    all.add("slots in decode", {"positions.per_row", "positions.restart", "positions.offset"},
            where(both(is_later, one_token),
                  [](ProbedCall& call) {
                      call.put([&](Index, Index, Index) { return to_double(*call.request.past); });
                  }))
        .probed(31, kMultimodalModels);
    all.add("the first token for all", {"positions.wrong_axis"}, stay_at_the_first_token)
        .in_vectors({"batch_decode"}, has_tokens)
        .probed(47, kTextModels,
                {"positions.wrong_axis", "positions.per_row", "positions.clamped"});
    all.add("counted along the batch", {"positions.wrong_axis"},
            [](ProbedCall& call) { call.put([](Index, Index b, Index) { return to_double(b); }); })
        .in_vectors({"batch_decode"}, has_rows);
    all.add("rows after the first not turned", {"rows.unrotated"}, turn_the_first_row_alone)
        .in_vectors({"batch_decode"}, has_rows);
    all.add("rows after the first not turned in decode", {"rows.unrotated"},
            where(one_token, turn_the_first_row_alone))
        .probed(30, kTextModels)
        .probed(30, kMultimodalModels);
}

/// [batch, heads, length, channels] written as [batch, length, heads, channels].
void exchange_order(Tensor& tensor) {
    const std::vector<double> values = to_f64(tensor.view());
    std::vector<double> to(values.size());
    const auto& s = tensor.shape;
    for (std::int64_t b = 0; b < s[0]; ++b) {
        for (std::int64_t h = 0; h < s[1]; ++h) {
            for (std::int64_t l = 0; l < s[2]; ++l) {
                for (std::int64_t c = 0; c < s[3]; ++c) {
                    to[((b * s[2] + l) * s[1] + h) * s[3] + c] =
                        values[((b * s[1] + h) * s[2] + l) * s[3] + c];
                }
            }
        }
    }
    tensor = make_tensor_as(tensor.dtype, tensor.name, tensor.shape, to);
}

void add_heads(FaultyCalls& all) {
    all.add("counted along the heads", {"positions.wrong_axis"},
            [](ProbedCall& call) {
                call.rotation.stands = [](Index, const TokenAt& at) { return to_double(at.h); };
            })
        .in_vectors({"heads"}, has_heads);
    all.add("heads and tokens exchanged in memory", {"answer.order"},
            [](ProbedCall& call) {
                const Index heads = call.request.q_shape.heads, length = call.length();
                call.rotation.stands = [=, &call](Index a, const TokenAt& at) {
                    return call.stated(a, at.b, (at.h * length + at.l) / heads);
                };
            })
        .in_vectors({"heads"}, both(has_heads, has_tokens));
    all.add("order of what is written", {"answer.order"}, {})
        .answered(48, kTextModels, [](const Part& subject) -> probe::Ask {
            return [=](const probe::Request& request) {
                probe::Answer answer = answer_call(subject, request, {});
                exchange_order(*answer.q_rot);
                exchange_order(*answer.k_rot);
                return answer;
            };
        });
    all.add("heads after the first not turned", {"rows.unrotated"},
            [](ProbedCall& call) {
                call.rotation.turns = [](const TokenAt& at) { return at.h == 0; };
            })
        .in_vectors({"heads"}, has_heads);
}

void add_tables(FaultyCalls& all) {
    all.add("a table of 4096 rows", {"positions.clamped"},
            at_place([](double p) { return std::min(p, 4095.0); }))
        .in_vectors({"far"}, goes_far);
    all.add("a table of 3000 rows", {}, at_place([](double p) { return std::min(p, 2999.0); }))
        .in_vectors({"far"}, goes_far)
        .unnamed("the length of the table is not among the wrong answers");
    all.add("positions in 16 bits", {"positions.restart"}, at_place([](double p) {
                return static_cast<double>(static_cast<std::int16_t>(static_cast<std::int64_t>(p)));
            }))
        .in_vectors({"far"}, [](const ProbedCall& call) { return call.request.reach() > 32768; });
    all.add("positions modulo 4096", {"positions.restart"},
            at_place([](double p) { return std::fmod(p, 4096.0); }))
        .in_vectors({"far"}, goes_far);
    all.add("positions divided by 4", {"positions.scaled"},
            at_place([](double p) { return p / 4.0; }))
        .in_vectors({"far"}, both(in_one_axis, goes_far));
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

/// So many pairs behind those of the first axis turn by it, too.
std::vector<Index> with_more_for_the_first(std::vector<Index> axis, Index more) {
    std::fill_n(std::ranges::find_if(axis, [&](Index a) { return a != axis.front(); }), more,
                axis.front());
    return axis;
}

void add_axis_maps(FaultyCalls& all) {
    Models several = kMultimodalModels;
    for (const char* tower : {"qwen2-vl-vision", "qwen3-vl-vision", "pixtral-12b", "moonvit"}) {
        several.emplace_back(tower);
    }
    all.add("the last axes exchanged", {"axes.swapped"}, exchange_the_last_axes)
        .in_vectors({"axis_map"}, in_several)
        .probed(41, several);
    all.add("the axes in reverse order", {"axes.map"},
            [](ProbedCall& call) {
                call.put([&](Index a, Index b, Index l) {
                    return call.stated(call.axes() - 1 - a, b, l);
                });
            })
        .in_vectors({"axis_map"}, [](const ProbedCall& call) { return call.axes() > 2; });
    all.add("the first axis for all", {"axes.map"}, give_the_first_axis_to_all)
        .in_vectors({"axis_map"}, in_several)
        .probed(43, several);
    all.add("the grid merged twice", {"positions.scaled"},
            [](ProbedCall& call) {
                call.put([&](Index a, Index b, Index l) {
                    const double p = call.stated(a, b, l);
                    return a + 2 < call.axes() ? p : std::floor(p / 2.0);
                });
            })
        .in_vectors({"axis_map"}, in_several);
    // Other axes for the pairs, where a pair has one.
    const auto add = [&](const std::string& name, auto arranged) {
        return all
            .add(name, {"axes.map"},
                 [=](ProbedCall& call) { give_axes(call, arranged(call, axes_of_pairs(call))); })
            .in_vectors({"axis_map"}, [=](const ProbedCall& call) {
                const std::vector<Index> axis = axes_of_pairs(call);
                return in_several(call) && !axis.empty() && arranged(call, axis) != axis;
            });
    };
    add("axes in sections", [](const ProbedCall&, const std::vector<Index>& axis) {
        return in_sections(axis);
    }).probed(40, {"qwen3-vl-8b", "qwen3.5-9b"});
    add("axes by turns", [](const ProbedCall& call, const std::vector<Index>& axis) {
        return by_turns(axis, call.axes());
    });
    all.add("axes by turns, 60 pairs", {"axes.map"},
            [](ProbedCall& call) {
                std::vector<Index> axis(call.rotation.pairs.size());
                for (std::size_t i = 0; i < axis.size(); ++i) {
                    axis[i] = i < 60 ? static_cast<Index>(i % 3) : 0;
                }
                give_axes(call, axis);
            })
        .probed(40, {"qwen2-vl-7b", "qwen2.5-vl-7b"});
    all.add("one pair more for the first axis", {},
            [](ProbedCall& call) {
                give_axes(call, with_more_for_the_first(axes_of_pairs(call), 1));
            })
        .in_vectors({"axis_map"},
                    [](const ProbedCall& call) {
                        const std::vector<Index> axis = axes_of_pairs(call);
                        return in_several(call) && !axis.empty() && axis.front() != axis.back();
                    })
        .unnamed("other borders of sections are not among the wrong answers");
    all.add("two pairs more for the first axis", {"axes.map"},
            [](ProbedCall& call) {
                give_axes(call, with_more_for_the_first(axes_of_pairs(call), 2));
            })
        .probed(42, {"wan-2.1", "hunyuanvideo", "flux.1"});
}

}  // namespace

void add_faulty_places(FaultyCalls& all) {
    for (const auto add : {add_offsets, add_rows, add_heads, add_tables, add_axis_maps}) {
        add(all);
    }
}

}  // namespace ropescope::test
