// Looks for the corners, rows and columns that masks are made of.
#include "core/diagnosis/scores/score_mask.h"

#include <algorithm>

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

}  // namespace

std::vector<char> without_a_mask(const MaskedScores& scores) {
    return Mask(scores).unexplained();
}

}  // namespace ropescope::diagnosis
