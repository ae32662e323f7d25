// Compares tensors on all processors.
#include "core/diff/tensor_difference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/parallel.h"
#include "core/diff/tally.h"
#include "core/diff/vector_reader.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpTensor;

const std::byte* bytes_at(const DumpTensor& tensor, const Spot& spot) {
    const Index element = spot.row * tensor.batch_stride + spot.head * tensor.head_stride +
                          spot.token * tensor.position_stride;
    return tensor.data + element * static_cast<Index>(dtype_size(tensor.dtype));
}

std::vector<Index> places_of(const std::vector<char>& marked) {
    std::vector<Index> places;
    for (Index i = 0; i < std::ssize(marked); ++i) {
        if (marked[i] != 0) {
            places.push_back(i);
        }
    }
    return places;
}

/// Compares one vector after the other, with room that they share.
class VectorComparison {
  public:
    VectorComparison(const DumpTensor& a, const DumpTensor& b, const Allowance& allowance)
        : a_(a), b_(b), reader_(a, b, allowance) {}

    void run(Spot spot, Tally& tally) {
        const std::size_t bytes = a_.channels * dtype_size(a_.dtype);
        const bool floats = !a_.quantised && !b_.quantised;
        if (floats && a_.dtype == b_.dtype &&
            std::memcmp(bytes_at(a_, spot), bytes_at(b_, spot), bytes) == 0) {
            return;
        }
        reader_.read(spot.row, spot.token, spot.head, spot.head);
        bool differs = false;
        for (; spot.channel < a_.channels; ++spot.channel) {
            const NumberPair numbers{spot, reader_.a(spot.channel), reader_.b(spot.channel),
                                     reader_.allowed(spot.channel, spot.channel)};
            if (numbers.a != numbers.b) {
                tally.add(numbers);
                differs |= !numbers.same();
            }
        }
        if (differs) {
            tally.count_vector();
        }
    }

  private:
    const DumpTensor& a_;
    const DumpTensor& b_;
    VectorReader reader_;
};

}  // namespace

Tally::Tally(const DumpTensor& tensor)
    : rows_(tensor.batch),
      tokens_(tensor.length),
      heads_(tensor.heads),
      channels_(tensor.channels) {}

void Tally::add(const NumberPair& numbers) {
    found_.bit_for_bit = false;
    if (!found_.largest || numbers.in_allowances() > found_.largest->in_allowances()) {
        found_.largest = numbers;
    }
    if (numbers.same()) {
        return;
    }
    if (!found_.first || numbers.spot < found_.first->spot) {
        found_.first = numbers;
    }
    const Spot& spot = numbers.spot;
    rows_[spot.row] = tokens_[spot.token] = heads_[spot.head] = channels_[spot.channel] = 1;
}

void Tally::add(const Tally& other) {
    found_.bit_for_bit &= other.found_.bit_for_bit;
    found_.different += other.found_.different;
    if (other.found_.first && (!found_.first || other.found_.first->spot < found_.first->spot)) {
        found_.first = other.found_.first;
    }
    if (other.found_.largest) {
        const double theirs = other.found_.largest->in_allowances();
        const double ours = found_.largest ? found_.largest->in_allowances() : -1.0;
        if (theirs > ours ||
            (theirs == ours && other.found_.largest->spot < found_.largest->spot)) {
            found_.largest = other.found_.largest;
        }
    }
    const auto unite = [](std::vector<char>& all, const std::vector<char>& some) {
        std::ranges::transform(all, some, all.begin(), std::bit_or<char>());
    };
    unite(rows_, other.rows_);
    unite(tokens_, other.tokens_);
    unite(heads_, other.heads_);
    unite(channels_, other.channels_);
}

TensorDifference Tally::result(std::string name, Index vectors) const {
    TensorDifference found = found_;
    found.name = std::move(name);
    found.vectors = vectors;
    found.rows = places_of(rows_);
    found.tokens = places_of(tokens_);
    found.heads = places_of(heads_);
    found.channels = places_of(channels_);
    return found;
}

double NumberPair::difference() const {
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        return 0.0;
    }
    const double apart = std::abs(a - b);
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

double NumberPair::in_allowances() const {
    const double apart = difference();
    // Infinite if nothing is allowed, or one of the two is no number.
    return apart == 0.0 || !std::isfinite(apart) ? apart : apart / allowed;
}

bool NumberPair::same() const {
    return in_allowances() <= 1.0;
}

bool same_bytes(const TensorBytes& a, const TensorBytes& b) {
    if (a.dtype != b.dtype || a.bytes.size() != b.bytes.size()) {
        return false;
    }
    std::atomic<bool> same = true;
    parallel_for(std::ssize(a.bytes), 1 << 20, default_threads(), [&](Index begin, Index end) {
        constexpr Index kBlock = 1 << 20;
        for (Index at = begin; at < end && same; at += kBlock) {
            const Index size = std::min<Index>(kBlock, end - at);
            if (std::memcmp(a.bytes.data() + at, b.bytes.data() + at,
                            static_cast<std::size_t>(size)) != 0) {
                same = false;
            }
        }
    });
    return same;
}

TensorDifference compare(const DumpTensor& a, const DumpTensor& b, const Allowance& allowance) {
    const Index vectors = a.batch * a.heads * a.length;
    Tally all(a);
    std::mutex guard;
    parallel_for(vectors, 256, default_threads(), [&](Index begin, Index end) {
        Tally part(a);
        VectorComparison comparison(a, b, allowance);
        for (Index i = begin; i < end; ++i) {
            const Spot spot{.row = i / (a.heads * a.length),
                            .token = i % a.length,
                            .head = i / a.length % a.heads};
            comparison.run(spot, part);
        }
        const std::scoped_lock lock(guard);
        all.add(part);
    });
    return all.result(a.name, vectors);
}

}  // namespace ropescope::diff
