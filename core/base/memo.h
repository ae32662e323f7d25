// Results of a pure function, kept for the next time the same is asked.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace ropescope {

/// The results used last, at most so many. Safe from any thread; nothing is computed under its
/// lock.
template <typename Value>
class Memo {
  public:
    explicit Memo(std::size_t most) : most_(most) {}

    /// Null when there is none.
    std::shared_ptr<const Value> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (entry->first == key) {
                entries_.splice(entries_.begin(), entries_, entry);
                return entry->second;
            }
        }
        return nullptr;
    }

    template <typename Make>
    std::shared_ptr<const Value> get(const std::string& key, const Make& make) {
        if (std::shared_ptr<const Value> known = find(key)) {
            return known;
        }
        auto made = std::make_shared<const Value>(make());
        const std::lock_guard lock(mutex_);
        entries_.emplace_front(key, made);
        if (entries_.size() > most_) {
            entries_.pop_back();
        }
        return made;
    }

  private:
    std::size_t most_;
    std::mutex mutex_;
    std::list<std::pair<std::string, std::shared_ptr<const Value>>> entries_;  ///< last used first
};

}  // namespace ropescope
