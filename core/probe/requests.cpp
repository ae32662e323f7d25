// Builds requests with numbers of their own.
#include "core/probe/requests.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/faults/codes.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::probe {
namespace {

/// As many heads as the model's own frequencies need.
Sizes with_own_heads(Sizes sizes, const Part& subject) {
    const Index own = std::ssize(subject.scheme.heads);
    return own == 1 ? sizes : Sizes{sizes.batch, own, own, sizes.length};
}

/// [axes, B, L] from the same for one row.
std::vector<double> for_all_rows(const std::vector<double>& positions, Index axes, Sizes sizes) {
    if (std::ssize(positions) == axes * sizes.batch * sizes.length) {
        return positions;
    }
    std::vector<double> all;
    for (Index a = 0; a < axes; ++a) {
        for (Index b = 0; b < sizes.batch; ++b) {
            const auto first = positions.begin() + a * sizes.length;
            all.insert(all.end(), first, first + sizes.length);
        }
    }
    return all;
}

/// Weights from 0.5 to 1.5 in steps of 1/32, which every dtype holds exactly: as far from 1 as
/// those of models, so that missing and exchanged ones show in every channel.
diagnosis::SideNorm norm_with_weights(const QkNorm& norm, const std::string& seed, Index channels) {
    diagnosis::SideNorm side{.norm = norm};
    const double one = norm.kind == NormKind::rms_plus_one ? 0.0 : 1.0;
    for (const double number : vectors::input_numbers(seed, channels)) {
        side.weights.push_back(one + std::round(8.0 * number) / 32.0);
    }
    return side;
}

}  // namespace

RequestList::RequestList(const Part& subject, const Settings& settings)
    : subject_(subject), settings_(settings) {}

Index RequestList::max_position() const {
    const Index last = subject_.reach > 0 ? subject_.reach - 1 : kFarthest;
    return settings_.max_position.value_or(std::min(last, kFarthest));
}

Request* RequestList::add(Purpose purpose, Sizes sizes, std::vector<double> positions) {
    const auto limit = to_double(max_position());
    if (std::ranges::any_of(positions, [&](double p) { return std::abs(p) > limit; }) ||
        requests_.size() >= kMostRequests) {
        return nullptr;
    }
    sizes = with_own_heads(sizes, subject_);
    positions = for_all_rows(positions, subject_.axes(), sizes);
    if (settings_.counted_only && !counts_from_0(positions, sizes.length)) {
        return nullptr;
    }
    Request request{.id = std::ssize(requests_) + 1,
                    .name = std::move(purpose.name),
                    .separates = std::move(purpose.separates),
                    .why = std::move(purpose.why),
                    .dtype = settings_.dtypes.front(),
                    .axes = subject_.axes()};
    if (request.axes > 1) {
        request.axis_names = subject_.scheme.axes;
    }
    const Index channels = subject_.scheme.head_dim;
    request.q_shape = {sizes.batch, sizes.heads, sizes.length, channels};
    request.k_shape = {sizes.batch, settings_.q_alone ? 0 : sizes.kv_heads, sizes.length, channels};
    request.q = vectors::input_numbers(request.name + " q", request.q_shape.size());
    request.k = vectors::input_numbers(request.name + " k", request.k_shape.size());
    request.positions = std::move(positions);
    if (settings_.norm) {
        request.q_norm = norm_with_weights(*settings_.norm, "weights of q", channels);
        request.k_norm = norm_with_weights(*settings_.norm, "weights of k", channels);
    }
    return &requests_.emplace_back(std::move(request));
}

void RequestList::repeat(const std::string& name, Purpose purpose) {
    const Request* earlier = find(name);
    if (earlier == nullptr || requests_.size() >= kMostRequests) {
        return;
    }
    Request again = *earlier;
    again.repeats = earlier->id;
    again.id = std::ssize(requests_) + 1;
    again.name = std::move(purpose.name);
    again.separates = std::move(purpose.separates);
    again.why = std::move(purpose.why);
    requests_.push_back(std::move(again));
}

void RequestList::take_tokens(const std::string& name, Index row, Index from) {
    const Request* source = find(name);
    Request& request = requests_.back();
    const auto copy = [&](const faults::HeadShape& own, const faults::HeadShape& other,
                          std::vector<double>& to, const std::vector<double>& numbers) {
        for (Index h = 0; h < own.heads; ++h) {
            for (Index l = 0; l < own.length; ++l) {
                const auto first =
                    numbers.begin() +
                    ((row * other.heads + h) * other.length + from + l) * other.head_dim;
                std::copy_n(first, own.head_dim, to.begin() + (h * own.length + l) * own.head_dim);
            }
        }
    };
    if (source != nullptr) {
        copy(request.q_shape, source->q_shape, request.q, source->q);
        copy(request.k_shape, source->k_shape, request.k, source->k);
    }
}

Request* RequestList::find(const std::string& name) {
    const auto found = std::ranges::find(requests_, name, &Request::name);
    return found == requests_.end() ? nullptr : &*found;
}

std::vector<double> counted(Index first, Index count) {
    std::vector<double> positions;
    for (Index i = 0; i < count; ++i) {
        positions.push_back(to_double(first + i));
    }
    return positions;
}

std::vector<Request> make_requests(const Part& subject, const Settings& settings) {
    if (settings.norm && settings.norm->kind == NormKind::layer &&
        settings.norm->order == NormOrder::after) {
        // The mean of turned numbers carries the rounding of every angle into every channel, also
        // into those of short pairs, where no bound of a pair covers it. No known model has it.
        throw InputError(
            "the norm: layer after the rotation cannot be judged, because the mean of turned "
            "numbers is as inexact as all angles together; give another kind, or before");
    }
    RequestList list(subject, settings);
    if (subject.axes() == 1) {
        add_text_requests(list);
    } else {
        add_axes_requests(list);
    }
    return list.take();
}

// Requests about channels, heads and dtypes, for models of any number of axes.

namespace {

/// The same position in all axes for `length` tokens, or counted ones.
std::vector<double> in_all_axes(const RequestList& list, const std::vector<double>& positions) {
    std::vector<double> all;
    for (Index a = 0; a < list.subject().axes(); ++a) {
        all.insert(all.end(), positions.begin(), positions.end());
    }
    return all;
}

/// Positions that the second axis has other ones of than the first.
std::vector<double> some_positions(const RequestList& list, Index length) {
    std::vector<double> all;
    for (Index a = 0; a < list.subject().axes(); ++a) {
        for (Index l = 0; l < length; ++l) {
            all.push_back(to_double(a == 0 ? l : (l * (2 * a + 1) + a) % 11));
        }
    }
    return all;
}

void add_unit_vectors(RequestList& list) {
    const Index channels = list.subject().scheme.head_dim;
    Request* request =
        list.add({"unit vectors", "layout.other, not_a_rotation",
                  "A one in a single channel shows to which channels it goes."},
                 {1, 1, 1, channels},
                 in_all_axes(list, std::vector<double>(static_cast<std::size_t>(channels), 1.0)));
    if (request == nullptr) {
        return;
    }
    for (Index h = 0; h < request->q_shape.heads; ++h) {
        for (Index c = 0; c < channels; ++c) {
            for (Index other = 0; other < channels; ++other) {
                const auto at = static_cast<std::size_t>(request->q_shape.row(0, h, c) + other);
                request->q[at] = other == c ? 1.0 : 0.0;
            }
        }
    }
    if (request->has_keys()) {
        request->k = request->q;
    }
}

/// Those of the model, or a dozen if its file does not say.
Sizes own_heads(const Part& subject) {
    constexpr Index kDozen = 12;
    const bool known =
        subject.q_heads > 0 && subject.kv_heads > 0 && subject.q_heads % subject.kv_heads == 0;
    return known ? Sizes{.heads = subject.q_heads, .kv_heads = subject.kv_heads}
                 : Sizes{.heads = kDozen, .kv_heads = kDozen};
}

/// Other numbers are exact in 16 bits, so that code which rounds its input would not be seen.
void give_all_digits(std::vector<double>& numbers) {
    for (double& x : numbers) {
        x = double{to_float(x * 4.0 / 3.0)};
    }
}

void add_heads(RequestList& list) {
    if (list.subject().scheme.heads.size() > 1) {
        return;  // the model says how many heads there are
    }
    const auto add = [&](Purpose purpose, Sizes sizes) {
        list.add(std::move(purpose), sizes, some_positions(list, sizes.length));
    };
    if (!list.settings().q_alone) {
        add({"one head of keys", faults::code("k.unrotated"),
             "Keys with one head are known to be left out, as their axis is squeezed away."},
            {1, 4, 1, 9});
    }
    add({"groups of heads", "k.unrotated, rows.unrotated",
         "Four heads of queries share one of keys, and every one must turn."},
        {1, 8, 2, 5});
    add({"as many heads as tokens", faults::code("positions.wrong_axis"),
         "Where both numbers agree, a table that is laid along the heads raises no error."},
        {1, 4, 4, 4});
    add({"as many rows as tokens", faults::code("positions.wrong_axis"),
         "Where both numbers agree, a table that is laid along the batch raises no error."},
        {3, 2, 2, 3});
    const Sizes own = own_heads(list.subject());
    Request* of_model =
        list.add({"the model's heads", "rows.unrotated, k.unrotated",
                  "Kernels choose their blocks by the number of heads, and a rest behind them may "
                  "stay. Numbers have all digits of float32, and none may be rounded."},
                 {1, own.heads, own.kv_heads, 5}, some_positions(list, 5));
    if (of_model != nullptr && dtype_size(of_model->dtype) > 2) {
        give_all_digits(of_model->q);
        give_all_digits(of_model->k);
    }
    if (list.subject().decodes()) {
        Request* step = list.add({"a step with the model's heads", "rows.unrotated, k.unrotated",
                                  "A step of one token may take another kernel than a sequence."},
                                 {1, own.heads, own.kv_heads, 1}, in_all_axes(list, {9}));
        if (step != nullptr) {
            step->past = 9;
        }
    }
}

/// Rows that are more than those of the other requests, each at positions of its own.
void add_many_rows(RequestList& list) {
    constexpr Index kRows = 5, kLength = 4;
    std::vector<double> positions;
    for (Index a = 0; a < list.subject().axes(); ++a) {
        for (Index b = 0; b < kRows; ++b) {
            for (Index l = 0; l < kLength; ++l) {
                positions.push_back(to_double(a == 0 ? 7 * b + l : (3 * a * l + a + 5 * b) % 23));
            }
        }
    }
    list.add({"five rows", "rows.unrotated, positions.per_row",
              "Kernels that take some rows at once may leave those behind them."},
             {kRows, 2, 2, kLength}, positions);
}

/// The same tokens in each of the dtypes that are asked for.
void add_dtypes(RequestList& list) {
    for (const Dtype dtype : list.settings().dtypes) {
        if (dtype == list.settings().dtypes.front()) {
            continue;
        }
        std::vector<double> positions = counted(0, 16);
        for (const double far : {250., 255., 257., 258., 2049., 4097.}) {
            if (far <= to_double(list.max_position()) && list.subject().decodes()) {
                positions.push_back(far);
            }
        }
        const std::string name(to_string(dtype));
        Request* request =
            list.add({name, "positions.low_precision, spectrum.low_precision, table",
                      "In " + name + " only tensors may be rounded, not positions and angles."},
                     {1, 2, 2, std::ssize(positions)}, in_all_axes(list, positions));
        if (request != nullptr) {
            request->dtype = dtype;
            request->may_refuse = true;
        }
    }
}

}  // namespace

void add_norm_requests(RequestList& list) {
    if (!list.settings().norm) {
        return;
    }
    const auto add = [&](Purpose purpose, double scale) {
        Request* request =
            list.add(std::move(purpose), {1, 2, 2, 5}, in_all_axes(list, counted(0, 5)));
        if (request != nullptr) {
            for (std::vector<double>* numbers : {&request->q, &request->k}) {
                std::ranges::for_each(*numbers, [&](double& x) { x *= scale; });
            }
        }
    };
    // Multiples of 2^-16 and of 1, which float16 holds too.
    add({"small numbers", "norm.eps, norm.kind",
         "Where the mean of squares is as small as eps, another eps changes the length."},
        0x1p-10);
    add({"large numbers", std::string(faults::code("norm.low_precision")),
         "Squares of large numbers go beyond the range of float16, and must be summed in float32."},
        0x1p6);
}

void add_common_requests(RequestList& list) {
    add_norm_requests(list);
    add_unit_vectors(list);
    add_heads(list);
    add_many_rows(list);
    add_dtypes(list);
}

}  // namespace ropescope::probe
