// Builds requests with numbers of their own.
#include "core/probe/requests.h"

#include <algorithm>
#include <cmath>

#include "core/probe/request_list.h"
#include "core/vectors/tolerance.h"

namespace ropescope::probe {
namespace {

/// As many heads as the model's own frequencies need.
Sizes with_own_heads(Sizes sizes, const Subject& subject) {
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

}  // namespace

RequestList::RequestList(const Subject& subject, const Settings& settings)
    : subject_(subject), settings_(settings) {}

Request* RequestList::add(Purpose purpose, Sizes sizes, std::vector<double> positions) {
    const auto limit = to_double(subject_.max_position);
    if (std::ranges::any_of(positions, [&](double p) { return std::abs(p) > limit; }) ||
        requests_.size() >= kMostRequests) {
        return nullptr;
    }
    sizes = with_own_heads(sizes, subject_);
    Request request{.id = std::ssize(requests_) + 1,
                    .name = std::move(purpose.name),
                    .separates = std::move(purpose.separates),
                    .why = std::move(purpose.why),
                    .dtype = settings_.dtypes.front(),
                    .axes = subject_.axes()};
    const Index channels = subject_.scheme.head_dim;
    request.q_shape = {sizes.batch, sizes.heads, sizes.length, channels};
    request.k_shape = {sizes.batch, sizes.kv_heads, sizes.length, channels};
    request.q = vectors::input_numbers(request.name + " q", request.q_shape.size());
    request.k = vectors::input_numbers(request.name + " k", request.k_shape.size());
    request.positions = for_all_rows(positions, request.axes, sizes);
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

std::vector<Request> make_requests(const Subject& subject, const Settings& settings) {
    RequestList list(subject, settings);
    if (subject.axes() == 1) {
        add_text_requests(list);
    } else {
        add_axes_requests(list);
    }
    return list.take();
}

}  // namespace ropescope::probe
