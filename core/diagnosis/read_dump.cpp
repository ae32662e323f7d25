// Finds the tensors of a dump by name and holds them to each other.
#include "core/diagnosis/read_dump.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/names.h"
#include "core/base/parse_list.h"
#include "core/diagnosis/dump_file.h"
#include "core/diagnosis/dump_positions.h"
#include "core/diagnosis/dump_source.h"
#include "core/diagnosis/held/changed_tensor.h"
#include "core/formats/position_array.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {
namespace {

std::string wrong_width(Index channels, Index most) {
    return channels >= 2 && channels <= most
               ? ""
               : fmt::format("{} channels in the last axis; 2 to {} are expected", channels, most);
}

void check_vectors(const DumpSource& file, const TensorBytes& tensor) {
    if (!is_grid_dtype(tensor.dtype)) {
        file.check_floats(tensor);
    }
    if (tensor.shape.size() < 2 || tensor.shape.size() > 4 || tensor.count() == 0) {
        file.fail(tensor,
                  fmt::format("shape {}; [B, H, L, D], [B, L, H, D], [H, L, D] or [L, D] is "
                              "expected",
                              shape_text(tensor.shape)));
    }
    if (const std::string wrong = beyond_limits(tensor.shape); !wrong.empty()) {
        file.fail(tensor, wrong);
    }
}

/// A tensor as float64 if it has 8 bits; `owner` then keeps that, too.
std::pair<TensorBytes, std::optional<UnplacedGrid>> without_scales(
    const DumpSource& file, const std::string& name, const TensorBytes& tensor,
    std::shared_ptr<const void>& owner) {
    const TensorBytes* const scale = file.find(name + "_scale");
    try {
        const Dequantised made = dequantised(tensor, scale);
        if (made.owner) {
            owner = both_owners(owner, made.owner);
        }
        return {made.tensor, made.grid};
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.origin, error.what()));
    }
}

/// A tensor before and after the rotation, by name; null if the file has neither.
struct FoundSide {
    const TensorBytes *before = nullptr, *after = nullptr;
};

FoundSide checked_side(const DumpSource& file, const std::string& name) {
    const TensorBytes* before = file.find(name);
    const TensorBytes* after = file.find(name + "_rot");
    if (before == nullptr && after == nullptr) {
        return {};
    }
    if (before == nullptr || after == nullptr) {
        const std::string missing = before == nullptr ? name : name + "_rot";
        throw InputError(fmt::format(
            "{}: {} without {}; a rotation shows in a tensor before and after it (--map {}=NAME "
            "names it; the file has {})",
            file.origin, in_quotes((before == nullptr ? after : before)->name), missing, missing,
            printable(first_names(file.names(), 6))));
    }
    for (const TensorBytes* tensor : {before, after}) {
        check_vectors(file, *tensor);
    }
    if (before->shape != after->shape) {
        file.fail(*after, fmt::format("shape {}, but {} has {}; both are expected alike",
                                      shape_text(after->shape), in_quotes(before->name),
                                      shape_text(before->shape)));
    }
    return {before, after};
}

std::optional<UnplacedSide> find_side(const DumpSource& file, const std::string& name,
                                      std::shared_ptr<const void>& owner) {
    const auto [before, after] = checked_side(file, name);
    if (before == nullptr) {
        return std::nullopt;
    }
    UnplacedSide side;
    std::tie(side.before, side.grid_before) = without_scales(file, name, *before, owner);
    std::tie(side.after, side.grid_after) = without_scales(file, name + "_rot", *after, owner);
    return side;
}

/// Throws unless the file has a side, and both sides as many axes.
void check_sides(const DumpSource& file, const TensorBytes* q, const TensorBytes* k) {
    if (q == nullptr && k == nullptr) {
        throw InputError(fmt::format(
            "{}: it has neither q and q_rot nor k and k_rot; it has {}: --map q=NAME,q_rot=NAME "
            "says which they are, with a * for the number of a layer",
            file.origin,
            file.tensors.empty() ? "no tensors" : printable(first_names(file.names(), 6))));
    }
    if (q != nullptr && k != nullptr && q->shape.size() != k->shape.size()) {
        file.fail(*k, fmt::format("shape {}, but q has {}; as many axes are expected",
                                  shape_text(k->shape), shape_text(q->shape)));
    }
}

/// Whether both have one shape, but for tokens that are appended if the second `may_grow`.
bool alike(const TensorBytes& before, const TensorBytes& after, const std::string& axes,
           bool may_grow) {
    std::vector<std::int64_t> shape = after.shape;
    std::int64_t& tokens = shape[axes.find('l')];
    tokens = may_grow ? std::min(tokens, before.shape[axes.find('l')]) : tokens;
    return shape == before.shape;
}

/// Two tensors that are no side of the rotation; empty if one of them is missing.
std::optional<UnplacedSide> find_both(const DumpSource& file, const std::string& before_name,
                                      const std::string& after_name, const std::string& scaled_name,
                                      const std::string& axes, bool may_grow,
                                      std::shared_ptr<const void>& owner) {
    const TensorBytes *before = file.find(before_name), *after = file.find(after_name);
    if (before == nullptr || after == nullptr) {
        return std::nullopt;
    }
    for (const TensorBytes* tensor : {before, after}) {
        check_vectors(file, *tensor);
        if (tensor->shape.size() != axes.size()) {
            file.fail(*tensor, fmt::format("shape {}; {} axes are expected, as q and k have ({})",
                                           shape_text(tensor->shape), axes.size(), axes));
        }
    }
    if (!alike(*before, *after, axes, may_grow)) {
        file.fail(*after, fmt::format("shape {}, but {} has {}; both are expected alike{}",
                                      shape_text(after->shape), in_quotes(before->name),
                                      shape_text(before->shape),
                                      may_grow ? ", but for tokens that are appended" : ""));
    }
    UnplacedSide side;
    std::tie(side.before, side.grid_before) = without_scales(file, scaled_name, *before, owner);
    std::tie(side.after, side.grid_after) = without_scales(file, scaled_name, *after, owner);
    return side;
}

DumpSide placed_side(const UnplacedSide& side, const std::string& axes) {
    DumpSide tensors{placed(side.before, axes), placed(side.after, axes)};
    if (side.grid_before) {
        tensors.before.quantised = placed(*side.grid_before, axes);
    }
    if (side.grid_after) {
        tensors.after.quantised = placed(*side.grid_after, axes);
    }
    return tensors;
}

std::optional<DumpTensor> find_scores(const DumpSource& file, const Dump& dump) {
    const TensorBytes* scores = file.find("scores");
    if (scores == nullptr) {
        return std::nullopt;
    }
    if (!dump.q || !dump.k) {
        file.fail(*scores, "scores without q and k; dump both sides");
    }
    file.check_floats(*scores);
    const DumpTensor &q = dump.q->after, &k = dump.k->after;
    const std::size_t rank = scores->shape.size();
    const bool placeable = rank >= 2 && rank <= 4;
    const DumpTensor view =
        placeable ? placed(*scores, std::string("bhld").substr(4 - rank)) : DumpTensor{};
    if (!placeable || view.batch != q.batch || view.heads != q.heads || view.length != q.length ||
        view.channels != k.length || q.channels != k.channels || q.heads % k.heads != 0) {
        file.fail(*scores,
                  fmt::format("shape {}; [{}, {}, {}, {}] is expected: batch, heads of q, "
                              "tokens of q, tokens of k",
                              shape_text(scores->shape), q.batch, q.heads, q.length, k.length));
    }
    return view;
}

std::vector<double> read_weights(const DumpSource& file, const TensorBytes& tensor,
                                 const DumpTensor& side) {
    file.check_floats(tensor);
    const Index count = tensor.count();
    if (tensor.shape.size() != 1 ||
        (count != side.channels && count != side.heads * side.channels)) {
        file.fail(tensor,
                  fmt::format("shape {}; the weights of a norm are expected: [{}]{}",
                              shape_text(tensor.shape), side.channels,
                              side.heads == 1 ? ""
                                              : fmt::format(", or [{}] for all heads together",
                                                            side.heads * side.channels)));
    }
    DumpTensor row = placed(tensor, "d");
    std::vector<double> weights(count);
    row.read(0, 0, 0, weights);
    if (!std::ranges::all_of(weights, [](double w) { return std::isfinite(w); })) {
        file.fail(tensor, "weights are NaN or infinite");
    }
    return weights;
}

/// The norm beside the rotation of a side, if the options or weights in the file say that there is
/// one.
std::optional<SideNorm> norm_of_side(const DumpSource& file, const std::string& name,
                                     const DumpTensor& side) {
    const TensorBytes* tensor = file.find(name + "_norm");
    if (tensor == nullptr && !file.options.norm) {
        return std::nullopt;
    }
    SideNorm norm{.norm = file.options.norm.value_or(QkNorm())};
    if (tensor != nullptr) {
        norm.weights = read_weights(file, *tensor, side);
        norm.over_all_heads = std::ssize(norm.weights) != side.channels;
    }
    return norm;
}

/// The width of a head by the weights of a norm, if they divide the channels of both sides.
Index head_of_norm(const DumpSource& file, std::int64_t channels_of_both) {
    for (const char* name : {"q_norm", "k_norm"}) {
        const TensorBytes* weights = file.find(name);
        if (weights != nullptr && weights->shape.size() == 1 && weights->shape.front() > 0 &&
            weights->shape.front() < channels_of_both &&
            channels_of_both % weights->shape.front() == 0) {
            return weights->shape.front();
        }
    }
    return 0;
}

/// Whether the options say that heads are divided by their length, and nothing else is done.
bool has_plain_norm(const DumpSource& file) {
    return file.options.norm && file.options.norm->kind != NormKind::layer;
}

/// Gives heads that stand side by side in the channels an axis of their own. The weights of a norm
/// may say how wide they are; else wide tensors, and sides of other widths, are looked at, and
/// others are taken as one head.
bool split_heads(const DumpSource& file, std::optional<UnplacedSide>& q,
                 std::optional<UnplacedSide>& k) {
    const UnplacedSide& either = q ? *q : *k;
    const std::int64_t channels_q = (q ? *q : *k).before.shape.back();
    const std::int64_t channels_k = (k ? *k : *q).before.shape.back();
    constexpr std::int64_t kWidestHead = 256;  // of published models
    const std::int64_t both = std::gcd(channels_q, channels_k);
    const std::size_t rank = either.before.shape.size();
    if (rank != 2 && rank != 3) {
        return false;
    }
    const Index expected = file.options.head_dim;
    const Index told = head_of_norm(file, both);
    if (told == 0 && channels_q == channels_k && channels_q <= kWidestHead &&
        (expected == 0 || both <= expected)) {
        return false;
    }
    Index size = told > 0 ? told : heads_side_by_side(either, both, has_plain_norm(file));
    // Where no width turns as it should, that of the model shows what is wrong within its heads.
    if (size == 0 && expected > 0 && both > expected && both % expected == 0 &&
        !turns_as_one_head(either, has_plain_norm(file))) {
        size = expected;
    }
    for (std::optional<UnplacedSide>* side : {&q, &k}) {
        if (size > 0 && *side) {
            for (TensorBytes* tensor : {&(*side)->before, &(*side)->after}) {
                const std::int64_t width = tensor->shape.back();
                tensor->shape.back() = width / size;
                tensor->shape.push_back(size);
            }
            for (std::optional<UnplacedGrid>* grid :
                 {&(*side)->grid_before, &(*side)->grid_after}) {
                if (*grid) {  // a scale of each channel: those of a head lie side by side
                    const Index each = (*grid)->strides.back();
                    (*grid)->strides.back() = each * size;
                    (*grid)->strides.push_back(each);
                }
            }
        }
    }
    return size > 0;
}

/// The keys of a cache, which must be those of k in all but their number.
void add_cache(const DumpSource& file, const std::string& axes, Dump& dump) {
    const auto cache =
        find_both(file, "k_cache", "k_cache_after", "k_cache", axes, true, dump.owner);
    if (!cache) {
        return;
    }
    if (!dump.k) {
        file.fail(cache->after, "a cache without k and k_rot, the new keys; dump them, too");
    }
    dump.cache = placed_side(*cache, axes);
    const DumpTensor &kept = dump.cache->after, &keys = dump.k->after;
    if (kept.batch != keys.batch || kept.heads != keys.heads || kept.channels != keys.channels) {
        file.fail(cache->after, fmt::format("shape {}; as many sequences, heads and channels as k "
                                            "has ({}, {}, {}) are expected, with slots for tokens",
                                            shape_text(cache->after.shape), keys.batch, keys.heads,
                                            keys.channels));
    }
}

/// Tensors of v and of a cache that are there and that add no side to the dump.
std::vector<Unread> unread_in(const DumpSource& file, const Dump& dump) {
    std::vector<Unread> unread;
    const auto add = [&](const std::string& before, const std::string& after) {
        const bool has_both = file.find(before) != nullptr && file.find(after) != nullptr;
        for (const auto& [name, partner] : {std::pair(before, after), std::pair(after, before)}) {
            if (file.find(name) != nullptr) {
                unread.push_back({name, has_both ? "" : partner});
            }
        }
    };
    if (!dump.v) {
        add("v", "v_rot");
    }
    if (!dump.cache) {
        add("k_cache", "k_cache_after");
    }
    return unread;
}

}  // namespace

std::string beyond_limits(std::span<const std::int64_t> shape) {
    // Without an axis of their own heads may stand side by side in the last one.
    const Index most = shape.size() < 4 ? kMostHeadsInRow * kMaxHeadDim : kMaxHeadDim;
    if (std::string wrong = wrong_width(shape.back(), most); !wrong.empty()) {
        return wrong;
    }
    const std::int64_t longest = std::ranges::max(shape.first(shape.size() - 1));
    return longest <= kLongestAxis ? ""
                                   : fmt::format(
                                         "an axis of {} rows, heads or tokens; at most {} "
                                         "are expected",
                                         longest, kLongestAxis);
}

std::span<const std::string> dump_names() {
    return made_once([] {
        return std::vector<std::string>{"q",
                                        "q_rot",
                                        "k",
                                        "k_rot",
                                        "positions",
                                        "q_positions",
                                        "k_positions",
                                        "q_norm",
                                        "k_norm",
                                        "scores",
                                        "q_scale",
                                        "q_rot_scale",
                                        "k_scale",
                                        "k_rot_scale",
                                        "v",
                                        "v_rot",
                                        "k_cache",
                                        "k_cache_after",
                                        "k_cache_scale"};
    });
}

std::map<std::string, std::string> parse_names(const std::string& text) {
    std::map<std::string, std::string> names;
    for (const std::string_view piece : split_list(text)) {
        const std::size_t equals = piece.find('=');
        const std::string key(trimmed(piece.substr(0, equals)));
        if (equals == piece.npos || trimmed(piece.substr(equals + 1)).empty()) {
            throw InputError(
                fmt::format("--map: {} is not a pair; write q=NAME,q_rot=NAME", in_quotes(piece)));
        }
        const std::span<const std::string> known = dump_names();
        if (std::ranges::find(known, key) == known.end()) {
            throw InputError(fmt::format("--map: {} is not a tensor of a dump; one of {}",
                                         in_quotes(key), fmt::join(known, ", ")));
        }
        names[key] = trimmed(piece.substr(equals + 1));
    }
    return names;
}

void check_dump_shapes(std::span<const TensorBytes> tensors, const std::string& origin,
                       const DumpOptions& options) {
    const DumpSource file{tensors, origin, options};
    const FoundSide q = checked_side(file, "q"), k = checked_side(file, "k");
    check_sides(file, q.before, k.before);
}

Dump make_dump(std::span<const TensorBytes> tensors, std::shared_ptr<const void> owner,
               const std::string& origin, const DumpOptions& options) {
    DumpSource file{tensors, origin, options};
    std::optional<UnplacedSide> q = find_side(file, "q", owner), k = find_side(file, "k", owner);
    check_sides(file, q ? &q->before : nullptr, k ? &k->before : nullptr);
    const TensorBytes* positions = file.find("positions");
    const bool split = options.axes.empty() && split_heads(file, q, k);
    for (const std::optional<UnplacedSide>* side : {&q, &k}) {
        if (*side) {
            const TensorBytes& tensor = (*side)->before;
            if (const std::string wrong = wrong_width(tensor.shape.back(), kMaxHeadDim);
                !wrong.empty()) {
                file.fail(tensor, wrong);
            }
        }
    }
    const bool has_batch = (q ? *q : *k).before.shape.size() == 4;
    FoundAxes axes = find_axes(
        split ? (has_batch ? "blhd" : "lhd") : options.axes, q ? &*q : nullptr, k ? &*k : nullptr,
        positions != nullptr ? std::span(positions->shape) : std::span<const std::int64_t>(),
        origin);
    if (split) {
        axes.reason = fmt::format("heads of {} channels, side by side in the last axis",
                                  (q ? *q : *k).before.shape.back());
    }
    Dump dump{.axes = axes.axes,
              .axes_reason = axes.reason,
              .axes_by_angles = axes.by_angles,
              .owner = std::move(owner)};
    if (q) {
        dump.q = placed_side(*q, axes.axes);
    }
    if (k) {
        dump.k = placed_side(*k, axes.axes);
    }
    const DumpTensor* const of_q = dump.q ? &dump.q->before : nullptr;
    const DumpTensor* const of_k = dump.k ? &dump.k->before : nullptr;
    if (of_q != nullptr) {
        dump.q_norm = norm_of_side(file, "q", *of_q);
        dump.q_positions = positions_of(file, "q", *of_q, of_k);
    }
    if (of_k != nullptr) {
        dump.k_norm = norm_of_side(file, "k", *of_k);
        dump.k_positions = positions_of(file, "k", *of_k, of_q);
    }
    dump.scores = find_scores(file, dump);
    if (!split) {
        if (const auto v = find_both(file, "v", "v_rot", "v", axes.axes, false, dump.owner)) {
            dump.v = placed_side(*v, axes.axes);
        }
        add_cache(file, axes.axes, dump);
    }
    dump.unread = unread_in(file, dump);
    return dump;
}

Dump read_dump(const std::filesystem::path& path, const DumpOptions& options) {
    return DumpFile::open(path, options).read();
}

}  // namespace ropescope::diagnosis
