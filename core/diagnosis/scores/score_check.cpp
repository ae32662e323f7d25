// Looks at every score once, and at the masked ones of a batch row again if no mask explains them:
// at the corners, rows and columns that masks are made of.
#include "core/diagnosis/scores/score_check.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"

namespace ropescope::diagnosis {
namespace {

class Mask {
  public:
    explicit Mask(const MaskedScores& scores)
        : s_(scores), hidden_(s_.queries), padding_key_(s_.keys), padding_query_(s_.queries) {
        for (Index l = 0; l < s_.queries; ++l) {
            const auto row = s_.masked.begin() + l * s_.keys;
            hidden_[l] = std::count_if(row, row + s_.keys, [](char m) { return m != 0; });
        }
        find_padding();
    }

    std::vector<char> unexplained() const {
        std::vector<char> found(s_.masked.size());
        const std::vector<char> upper = corner(false), lower = corner(true);
        for (Index l = 0; l < s_.queries; ++l) {
            for (Index n = 0; n < s_.keys && padding_query_[l] == 0; ++n) {
                const std::size_t at = l * s_.keys + n;
                const bool explained =
                    !is_blank(l) && (padding_key_[n] != 0 || upper[at] != 0 || lower[at] != 0);
                found[at] = s_.at(l, n) && !explained ? 1 : 0;
            }
        }
        return found;
    }

  private:
    bool is_blank(Index l) const { return hidden_[l] == s_.keys; }
    bool sees_all(Index l) const { return hidden_[l] == 0; }

    /// First by the queries that see some keys, then by all that are not padding by these.
    void find_padding() {
        set_padding_keys([&](Index l) { return !is_blank(l) && !sees_all(l); });
        set_padding_queries();
        const std::vector<char> first = padding_query_;
        set_padding_keys([&](Index l) { return !is_blank(l) && !(sees_all(l) && first[l] != 0); });
        set_padding_queries();
    }

    template <typename Counts>
    void set_padding_keys(const Counts& counts) {
        std::ranges::fill(padding_key_, 0);
        bool first = true;
        for (Index l = 0; l < s_.queries; ++l) {
            if (!counts(l)) {
                continue;
            }
            for (Index n = 0; n < s_.keys; ++n) {
                padding_key_[n] = (first || padding_key_[n] != 0) && s_.at(l, n) ? 1 : 0;
            }
            first = false;
        }
    }

    void set_padding_queries() {
        Index last = s_.keys - 1;
        while (last > 0 && padding_key_[last] != 0) {
            --last;
        }
        const Index room = s_.keys - s_.queries, offset = room == 0 ? 0 : last - s_.queries + 1;
        const auto is_padding = [&](Index own) {
            return own >= 0 && own < s_.keys && padding_key_[own] != 0;
        };
        for (Index l = 0; l < s_.queries; ++l) {
            const bool padding = is_padding(l + offset) || (is_blank(l) && is_padding(l + room));
            padding_query_[l] = padding || s_.empty_query[l] != 0 ? 1 : 0;
        }
    }

    /// [queries, keys]: everything is hidden in the corner that begins here: of earlier queries and
    /// later keys, or (`lower`) of later queries and earlier keys. Padding hides anything.
    std::vector<char> corner(bool lower) const {
        std::vector<char> all(s_.masked.size());
        const Index before = lower ? 1 : -1, beside = -before;
        for (Index i = 0; i < s_.queries; ++i) {
            const Index l = lower ? s_.queries - 1 - i : i;
            for (Index j = 0; j < s_.keys; ++j) {
                const Index n = lower ? j : s_.keys - 1 - j;
                const bool here = padding_query_[l] != 0 || s_.at(l, n);
                const bool above = i == 0 || all[(l + before) * s_.keys + n] != 0;
                const bool next = j == 0 || all[l * s_.keys + n + beside] != 0;
                all[l * s_.keys + n] = here && above && next ? 1 : 0;
            }
        }
        return all;
    }

    const MaskedScores& s_;
    std::vector<Index> hidden_;  ///< [queries]: keys
    std::vector<char> padding_key_, padding_query_;
};

enum class Kind : std::uint8_t { right, wrong, masked, not_finite };

/// How many heads hide a key from a query.
enum Hidden : char { kShown, kHiddenBySome, kHiddenByAll };

/// Why a hidden key is reported.
enum Told : char { kNotTold, kNoMask, kUnusualMask };

struct BlockResult {
    ScoreCheck found = {};
    std::vector<char> hidden = {};  ///< [queries of the block, keys] of Hidden; empty: all shown
};

class Checker {
  public:
    Checker(const ScoreFactors& factors, const DumpTensor& scores, double factor,
            const ScoreTolerance& tolerance)
        : factors_(factors),
          scores_(scores),
          factor_(factor),
          tolerance_(tolerance),
          step_(std::clamp<Index>(queries() / default_threads(), 16, 128)) {}

    ScoreCheck check() const {
        std::vector<BlockResult> results(batch() * blocks());
        parallel_for(std::ssize(results), 1, default_threads(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                results[i] = checked(block(i));
            }
        });
        ScoreCheck whole = empty(batch() * heads());
        for (Index b = 0; b < batch(); ++b) {
            const auto own = std::span(results).subspan(b * blocks(), blocks());
            for (const BlockResult& result : own) {
                add(result.found, b * heads(), whole);
            }
            const std::vector<char> places = unexplained(b, own);
            if (!places.empty()) {
                whole.masked.merge(hidden_at(b, places, kNoMask), b * heads());
                whole.unusual_mask.merge(hidden_at(b, places, kUnusualMask), b * heads());
            }
        }
        return whole;
    }

  private:
    Index batch() const { return factors_.q.batch; }
    Index heads() const { return factors_.q.heads; }
    Index queries() const { return factors_.q.length; }
    Index keys() const { return factors_.k.length; }
    Index blocks() const { return (queries() + step_ - 1) / step_; }

    QueryBlock block(Index i) const {
        const Index first = i % blocks() * step_;
        return {i / blocks(), first, std::min(first + step_, queries())};
    }

    static ScoreCheck empty(Index heads) {
        const std::vector<Index> none(heads);
        return {{none}, {none}, {none}, {none}, none, none};
    }

    Kind kind_of(const ScoreRow& row, std::size_t n) const {
        const double score = row.scores[n], ideal = factor_ * row.products[n];
        if (tolerance_.allows(score, factor_, row.products[n], row.sizes[n], row.spreads[n])) {
            return Kind::right;
        }
        const bool added = score <= 0.5 * kLargestMask && score - ideal <= kLargestMask;
        return score <= kLargestMask || added ? Kind::masked
               : std::isfinite(score)         ? Kind::wrong
                                              : Kind::not_finite;
    }

    void add_place(const ScoreRow& row, std::size_t n, ScoreGroup& group) const {
        group.add({row.b, row.h, row.query, row.first_key + static_cast<Index>(n)}, row.h,
                  row.scores[n], factor_ * row.products[n]);
    }

    /// Everything about a block; a block has all heads, so that it alone counts who hides what.
    BlockResult checked(const QueryBlock& block) const {
        BlockResult result{.found = empty(heads())};
        std::vector<Index> hiding;  // heads
        visit_scores(factors_, scores_, block, [&](const ScoreRow& row) {
            const RowCount count = count_row(row, factor_, tolerance_);
            result.found.judged[row.h] += count.judged;
            result.found.zero[row.h] += count.zero;
            for (std::size_t n = 0; n < row.scores.size() && count.wrong > 0; ++n) {
                const Kind kind = kind_of(row, n);
                if (kind == Kind::masked) {
                    hiding.resize((block.last - block.first) * keys());
                    ++hiding[(row.query - block.first) * keys() + row.first_key + n];
                    result.found.judged[row.h] -= row.sizes[n] > 0.0 ? 1 : 0;
                } else if (kind != Kind::right) {
                    add_place(row, n,
                              kind == Kind::wrong ? result.found.wrong : result.found.not_finite);
                }
            }
        });
        std::ranges::transform(hiding, std::back_inserter(result.hidden), [&](Index count) {
            return count == heads() ? kHiddenByAll : count > 0 ? kHiddenBySome : kShown;
        });
        return result;
    }

    static void add(const ScoreCheck& part, std::size_t first_head, ScoreCheck& whole) {
        whole.wrong.merge(part.wrong, first_head);
        whole.not_finite.merge(part.not_finite, first_head);
        for (std::size_t h = 0; h < part.judged.size(); ++h) {
            whole.judged[first_head + h] += part.judged[h];
            whole.zero[first_head + h] += part.zero[h];
        }
    }

    bool is_empty_query(Index b, Index l) const {
        std::vector<double> query(factors_.q.channels);
        for (Index h = 0; h < heads(); ++h) {
            factors_.q.read(b, h, l, query);
            if (std::ranges::any_of(query, [](double x) { return x != 0.0; })) {
                return false;
            }
        }
        return true;
    }

    /// [queries, keys] of Told: what is hidden in batch row b, by some heads or by all, without a
    /// reason; empty if nothing is.
    std::vector<char> unexplained(Index b, std::span<const BlockResult> results) const {
        MaskedScores all{.queries = queries(), .keys = keys()};
        std::vector<char> by_some(queries() * keys());
        all.masked = by_some;
        bool any = false;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::size_t first = i * step_ * keys();
            for (std::size_t at = 0; at < results[i].hidden.size(); ++at) {
                by_some[first + at] = results[i].hidden[at] == kHiddenBySome ? 1 : 0;
                all.masked[first + at] = results[i].hidden[at] == kHiddenByAll ? 1 : 0;
                any = any || results[i].hidden[at] != kShown;
            }
        }
        if (!any) {
            return {};
        }
        for (Index l = 0; l < queries(); ++l) {
            all.empty_query.push_back(is_empty_query(b, l) ? 1 : 0);
        }
        const std::vector<char> without = without_a_mask(all);
        std::vector<char> told = by_some;
        for (Index l = 0; l < queries(); ++l) {
            const auto row = all.masked.begin() + l * keys();
            const bool blank = std::find(row, row + keys(), 0) == row + keys();
            for (Index at = l * keys(); at < (l + 1) * keys(); ++at) {
                if (without[at] != 0) {
                    told[at] = blank || heads() == 1 ? kNoMask : kUnusualMask;
                }
            }
        }
        return std::ranges::all_of(told, [](char t) { return t == kNotTold; }) ? std::vector<char>()
                                                                               : told;
    }

    ScoreGroup masked_at(const QueryBlock& block, const std::vector<char>& places,
                         Told told) const {
        ScoreGroup group{.of_head = std::vector<Index>(heads())};
        visit_scores(factors_, scores_, block, [&](const ScoreRow& row) {
            for (std::size_t n = 0; n < row.scores.size(); ++n) {
                if (places[row.query * keys() + row.first_key + n] == told &&
                    kind_of(row, n) == Kind::masked) {
                    add_place(row, n, group);
                }
            }
        });
        return group;
    }

    /// Masked scores of batch row b of which this is reported.
    ScoreGroup hidden_at(Index b, const std::vector<char>& places, Told told) const {
        ScoreGroup whole{.of_head = std::vector<Index>(heads())};
        if (std::ranges::find(places, told) == places.end()) {
            return whole;
        }
        std::vector<ScoreGroup> groups(blocks());
        parallel_for(blocks(), 1, default_threads(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                groups[i] = masked_at(block(b * blocks() + i), places, told);
            }
        });
        for (const ScoreGroup& group : groups) {
            whole.merge(group);
        }
        return whole;
    }

    const ScoreFactors& factors_;
    const DumpTensor& scores_;
    const double factor_;
    const ScoreTolerance& tolerance_;
    const Index step_;  ///< queries of a block: keys are laid out for each block again
};

}  // namespace

std::vector<char> without_a_mask(const MaskedScores& scores) {
    return Mask(scores).unexplained();
}

void ScoreGroup::add(const ScorePlace& place, std::size_t head, double score,
                     double factor_times_product) {
    if (count == 0 || place.is_before(first)) {
        first = place;
        measured = score;
        ideal = factor_times_product;
    }
    first_query = count == 0 ? place.query : std::min(first_query, place.query);
    first_key = count == 0 ? place.key : std::min(first_key, place.key);
    last_query = std::max(last_query, place.query);
    last_key = std::max(last_key, place.key);
    ++count;
    ++of_head[head];
}

void ScoreGroup::merge(const ScoreGroup& other, std::size_t first_head) {
    if (other.count == 0) {
        return;
    }
    if (count == 0 || other.first.is_before(first)) {
        first = other.first;
        measured = other.measured;
        ideal = other.ideal;
    }
    first_query = count == 0 ? other.first_query : std::min(first_query, other.first_query);
    first_key = count == 0 ? other.first_key : std::min(first_key, other.first_key);
    last_query = std::max(last_query, other.last_query);
    last_key = std::max(last_key, other.last_key);
    count += other.count;
    for (std::size_t h = 0; h < other.of_head.size(); ++h) {
        of_head[first_head + h] += other.of_head[h];
    }
}

ScoreCheck check_scores(const ScoreFactors& factors, const DumpTensor& scores, double factor,
                        const ScoreTolerance& tolerance) {
    return Checker(factors, scores, factor, tolerance).check();
}

}  // namespace ropescope::diagnosis
