// Requests about channels, heads and dtypes, for models of any number of axes.
#include <algorithm>

#include "core/faults/codes.h"
#include "core/probe/request_list.h"

namespace ropescope::probe {
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
                request->q[at] = request->k[at] = other == c ? 1.0 : 0.0;
            }
        }
    }
}

void add_heads(RequestList& list) {
    if (list.subject().scheme.heads.size() > 1) {
        return;  // the model says how many heads there are
    }
    const auto add = [&](Purpose purpose, Sizes sizes) {
        list.add(std::move(purpose), sizes, some_positions(list, sizes.length));
    };
    add({"one head of keys", faults::code("k.unrotated"),
         "Keys with one head are known to be left out, as their axis is squeezed away."},
        {1, 4, 1, 9});
    add({"groups of heads", "k.unrotated, rows.unrotated",
         "Four heads of queries share one of keys, and every one must turn."},
        {1, 8, 2, 5});
    add({"as many heads as tokens", faults::code("positions.wrong_axis"),
         "Where both numbers agree, a table that is laid along the heads raises no error."},
        {1, 4, 4, 4});
    add({"as many rows as tokens", faults::code("positions.wrong_axis"),
         "Where both numbers agree, a table that is laid along the batch raises no error."},
        {3, 2, 2, 3});
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

void add_common_requests(RequestList& list) {
    add_unit_vectors(list);
    add_heads(list);
    add_dtypes(list);
}

}  // namespace ropescope::probe
