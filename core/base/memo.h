// Keeps the results of a pure function for later calls with the same arguments.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace ropescope {

/// Keeps the results that were used last, at most `most` of them. Keys are compared with ==. Safe
/// from any thread; nothing is computed under the lock, so two threads that ask for the same may
/// both compute it.
template <typename Key, typename Value>
class Memo {
  public:
    explicit Memo(std::size_t most) : most_(most) {}

    /// Null if the result is not known.
    std::shared_ptr<const Value> find(const Key& key) {
        return find_if([&](const Key& known) { return known == key; });
    }
    /// The result used last whose key satisfies `wanted`; null if there is none.
    template <typename Wanted>
    std::shared_ptr<const Value> find_if(const Wanted& wanted) {
        const std::lock_guard lock(mutex_);
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (wanted(entry->first)) {
                entries_.splice(entries_.begin(), entries_, entry);
                return entry->second;
            }
        }
        return nullptr;
    }

    /// The known result, or the one that `make` returns, which is kept.
    template <typename Make>
    std::shared_ptr<const Value> get(const Key& key, const Make& make) {
        if (std::shared_ptr<const Value> known = find(key)) {
            return known;
        }
        auto made = std::make_shared<const Value>(make());
        keep(key, made);
        return made;
    }

    /// Keeps a result that was made elsewhere.
    void keep(const Key& key, std::shared_ptr<const Value> made) {
        const std::lock_guard lock(mutex_);
        entries_.emplace_front(key, std::move(made));
        if (entries_.size() > most_) {
            entries_.pop_back();
        }
    }

  private:
    std::size_t most_;
    std::mutex mutex_;
    std::list<std::pair<Key, std::shared_ptr<const Value>>> entries_;  ///< last used first
};

// Constants that are made when they are first asked for, for code that a child of fork() may run.

/// What `make` returns: made by the first call and kept until the process ends. Each lambda has its
/// own, so `make` captures nothing. Threads that call at the same time may each make one; all get
/// the one that was ready first.
///
/// A static variable is made once even then, and other threads wait for it. A child of a process in
/// which another thread was just making it would wait for ever, because that thread is not in the
/// child. So what the library for C and the Python package reach is made here.
template <typename Make>
const auto& made_once(const Make& make) {
    static_assert(std::is_empty_v<Make>, "give a lambda that captures nothing");
    using Value = std::decay_t<decltype(make())>;
    static constinit std::atomic<const Value*> kept = nullptr;
    const Value* found = kept;
    if (found == nullptr) {
        auto made = std::make_unique<const Value>(make());
        if (kept.compare_exchange_strong(found, made.get())) {
            found = made.release();
        }
    }
    return *found;
}

}  // namespace ropescope
