// Looks for NaN and infinities, row by row, and cuts what is finite out of a dump.
#include "core/diagnosis/measure/not_finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>
#include <tuple>

#include "core/base/parallel.h"
#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Whether all bits of the exponent of a number are set.
template <typename T>
bool any_not_finite(const std::byte* data, Index count, T exponent) {
    bool any = false;
    for (Index i = 0; i < count; ++i) {
        T bits;
        std::memcpy(&bits, data + i * static_cast<Index>(sizeof(T)), sizeof(T));
        any = any || (bits & exponent) == exponent;
    }
    return any;
}

struct RowPlace {
    Index row, head, token;
};
RowPlace place_of_row(const DumpTensor& tensor, Index at) {
    return {at / (tensor.heads * tensor.length), at / tensor.length % tensor.heads,
            at % tensor.length};
}

bool row_not_finite(const DumpTensor& tensor, Index at) {
    const auto [row, head, token] = place_of_row(tensor, at);
    const Index element =
        row * tensor.batch_stride + head * tensor.head_stride + token * tensor.position_stride;
    const std::byte* data = tensor.data + element * static_cast<Index>(dtype_size(tensor.dtype));
    switch (tensor.dtype) {
        case Dtype::f64:
            return any_not_finite<std::uint64_t>(data, tensor.channels, 0x7ff0000000000000U);
        case Dtype::f16:
            return any_not_finite<std::uint16_t>(data, tensor.channels, 0x7c00U);
        case Dtype::bf16:
            return any_not_finite<std::uint16_t>(data, tensor.channels, 0x7f80U);
        default:
            return any_not_finite<std::uint32_t>(data, tensor.channels, 0x7f800000U);
    }
}

/// [batch, heads, length]: rows with a number that is not finite.
std::vector<std::uint8_t> bad_rows(const DumpTensor& tensor) {
    std::vector<std::uint8_t> bad(tensor.batch * tensor.heads * tensor.length);
    parallel_for(std::ssize(bad), 256, default_threads(), [&](Index begin, Index end) {
        for (Index at = begin; at < end; ++at) {
            bad[at] = row_not_finite(tensor, at) ? 1 : 0;
        }
    });
    return bad;
}

bool any_of(const std::vector<std::uint8_t>& bad) {
    return std::ranges::find(bad, 1) != bad.end();
}

std::vector<Index> in_order(const std::set<Index>& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// Counts and places the numbers of these rows.
NotFinite map_of(const DumpTensor& tensor, const std::vector<std::uint8_t>& bad,
                 const DumpPositions& positions) {
    NotFinite found{.of = tensor.batch * tensor.heads * tensor.length * tensor.channels};
    std::set<Index> tokens, rows, heads, channels;
    std::vector<double> values(tensor.channels);
    std::optional<RowPlace> first;
    const auto order = [](const RowPlace& p) { return std::tuple(p.token, p.row, p.head); };
    for (Index at = 0; at < std::ssize(bad); ++at) {
        if (bad[at] == 0) {
            continue;
        }
        const RowPlace place = place_of_row(tensor, at);
        tensor.read(place.row, place.head, place.token, values);
        tokens.insert(place.token);
        rows.insert(place.row);
        heads.insert(place.head);
        const bool earlier = !first || order(place) < order(*first);
        for (Index c = tensor.channels; c-- > 0;) {
            if (!std::isfinite(values[c])) {
                ++(std::isnan(values[c]) ? found.nan : found.infinite);
                channels.insert(c);
                found.channel = earlier ? c : found.channel;
            }
        }
        first = earlier ? place : *first;
    }
    found.token = first->token;
    found.row = first->row;
    found.head = first->head;
    found.position = positions.at(0, first->row, first->token);
    found.tokens = in_order(tokens);
    found.rows = in_order(rows);
    found.heads = in_order(heads);
    found.channels = in_order(channels);
    return found;
}

/// Whether the rows are those of tokens with a position beyond the largest number of float16.
bool only_beyond_half(const DumpTensor& tensor, const std::vector<std::uint8_t>& bad,
                      const DumpPositions& positions) {
    constexpr double kLargestOfHalf = 65504.0;
    for (Index at = 0; at < std::ssize(bad); ++at) {
        const RowPlace place = place_of_row(tensor, at);
        bool beyond = false;
        for (Index axis = 0; axis < positions.axes; ++axis) {
            beyond =
                beyond || std::abs(positions.at(axis, place.row, place.token)) > kLargestOfHalf;
        }
        if (beyond != (bad[at] != 0)) {
            return false;
        }
    }
    return true;
}

std::vector<NotFinite> not_finite_of(const DumpSide& tensors, Side side,
                                     const DumpPositions& positions) {
    const std::vector<std::uint8_t> before = bad_rows(tensors.before);
    std::vector<std::uint8_t> behind = bad_rows(tensors.after);
    for (std::size_t i = 0; i < behind.size(); ++i) {
        behind[i] = behind[i] != 0 && before[i] == 0 ? 1 : 0;
    }
    std::vector<NotFinite> found;
    const std::string name(to_string(side));
    if (any_of(behind)) {
        NotFinite& map = found.emplace_back(map_of(tensors.after, behind, positions));
        map.side = side;
        map.behind = true;
        map.tensor = name + "_rot";
        map.beyond_half = only_beyond_half(tensors.after, behind, positions);
    }
    if (any_of(before)) {
        NotFinite& map = found.emplace_back(map_of(tensors.before, before, positions));
        map.side = side;
        map.tensor = name;
    }
    return found;
}

/// The longest run of tokens that are finite in all rows and heads; the first of several.
struct FiniteRun {
    Index first = 0, count = 0;
};
FiniteRun finite_run(const DumpSide& side) {
    const DumpTensor& tensor = side.before;
    std::vector<bool> bad(tensor.length);
    for (const DumpTensor* each : {&side.before, &side.after}) {
        const std::vector<std::uint8_t> rows = bad_rows(*each);
        for (Index at = 0; at < std::ssize(rows); ++at) {
            bad[at % tensor.length] = bad[at % tensor.length] || rows[at] != 0;
        }
    }
    FiniteRun best, run;
    for (Index t = 0; t < tensor.length; ++t) {
        run = bad[t] ? FiniteRun{t + 1, 0} : FiniteRun{run.first, run.count + 1};
        best = run.count > best.count ? run : best;
    }
    return best;
}

DumpTensor cut(DumpTensor tensor, const FiniteRun& run) {
    tensor.move_to(0, 0, run.first, 0);
    tensor.length = run.count;
    return tensor;
}

DumpPositions cut(const DumpPositions& positions, const FiniteRun& run) {
    DumpPositions some{.axes = positions.axes, .batch = positions.batch, .length = run.count};
    for (Index row = 0; row < positions.axes * positions.batch; ++row) {
        const auto begin = positions.values.begin() + row * positions.length + run.first;
        some.values.insert(some.values.end(), begin, begin + run.count);
    }
    return some;
}

/// "tokens 66 to 127", "all tokens": none if the tensor has one of them.
void add_numbers(std::string_view noun, const std::vector<Index>& numbers, Index all,
                 std::vector<Words>& list) {
    if (all > 1) {
        list.push_back(std::ssize(numbers) == all ? Words(say::kAllOf, {std::string(noun) + "s"})
                                                  : Words(say::kNumbers, {Numbers{noun, numbers}}));
    }
}

Words kind_of(const NotFinite& numbers) {
    return numbers.infinite == 0 ? say::kNan
           : numbers.nan == 0    ? say::kInfinite
                                 : say::kNanOrInfinite;
}

}  // namespace

std::vector<NotFinite> not_finite_in(const Dump& dump) {
    std::vector<NotFinite> found;
    if (dump.q) {
        found = not_finite_of(*dump.q, Side::q, stated_positions(dump, false));
    }
    if (dump.k) {
        std::ranges::move(not_finite_of(*dump.k, Side::k, stated_positions(dump, true)),
                          std::back_inserter(found));
    }
    return found;
}

FinitePart finite_part(const Dump& dump) {
    FinitePart finite{.dump = dump};
    Dump& part = finite.dump;
    part.scores.reset();
    for (const bool of_keys : {false, true}) {
        std::optional<DumpSide>& side = of_keys ? part.k : part.q;
        if (!side) {
            continue;
        }
        const FiniteRun run = finite_run(*side);
        (of_keys ? part.k_positions : part.q_positions) = cut(stated_positions(dump, of_keys), run);
        side = run.count < 2
                   ? std::nullopt
                   : std::optional(DumpSide{cut(side->before, run), cut(side->after, run)});
        finite.from_start = finite.from_start && run.first == 0;
    }
    return finite;
}

void name_pairs(NotFinite& numbers, const std::vector<ChannelPair>& written) {
    std::set<Index> pairs;
    for (const Index channel : numbers.channels) {
        const auto pair = std::ranges::find_if(written, [&](const ChannelPair& each) {
            return each.first == channel || each.second == channel;
        });
        if (pair == written.end()) {
            return;
        }
        pairs.insert(pair - written.begin());
    }
    numbers.pairs = in_order(pairs);
}

Finding finding_of(const NotFinite& numbers, const DumpTensor& tensor) {
    std::vector<Words> map;
    add_numbers("token", numbers.tokens, tensor.length, map);
    if (numbers.pairs.empty()) {
        add_numbers("channel", numbers.channels, tensor.channels, map);
    } else {
        map.push_back({say::kNumbers, {Numbers{"pair", numbers.pairs}}});
    }
    add_numbers("row", numbers.rows, tensor.batch, map);
    add_numbers("head", numbers.heads, tensor.heads, map);
    const Words first(say::kFirstNotFinite, {numbers.token, numbers.position, numbers.row,
                                             numbers.head, numbers.channel});
    const std::string side(to_string(numbers.side));
    Words words = numbers.behind
                      ? Words(say::kNotFiniteBehind, {numbers.count(), numbers.of, numbers.tensor,
                                                      kind_of(numbers), side, map, first})
                      : Words(say::kNotFiniteBefore, {numbers.count(), numbers.of, numbers.tensor,
                                                      kind_of(numbers), map, first});
    if (numbers.behind && numbers.beyond_half) {
        words = {say::kBeyondHalf, {words}};
    }
    Place place{.sides = numbers.side};
    (numbers.tokens.size() == 1 ? place.token : place.from_token) = numbers.token;
    return {numbers.behind ? faults::code("values.not_finite") : faults::code("input.not_finite"),
            words, place, to_double(numbers.count()), 0.0};
}

}  // namespace ropescope::diagnosis
