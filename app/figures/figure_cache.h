// What outlives a figure: results that the next figure can use again. A window or a command owns a
// cache and hands it over in Work; without one, everything goes with the figure.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

namespace ropescope::figures {

/// A view keeps values of its own types here, each default-constructed when it is first asked for,
/// so that the cache knows no view.
class FigureCache {
  public:
    FigureCache() = default;
    FigureCache(const FigureCache&) = delete;
    FigureCache& operator=(const FigureCache&) = delete;

    /// Results that are the same for every thread; T guards itself (its members are Memos, say).
    /// Safe from any thread.
    template <typename T>
    T& results() {
        const std::lock_guard lock(results_->mutex);
        return results_->values.template of<T>();
    }
    /// What lies in an engine's memory: from the thread that works with this cache. The engines
    /// must outlive it, or it is freed before they go (free_engine_memory()).
    template <typename T>
    T& engine_memory() {
        return engine_memory_.of<T>();
    }
    void free_engine_memory() { engine_memory_ = {}; }

    /// From now on both caches have the same results; engine memory stays apart. For another
    /// thread with engines of its own.
    void share_results_of(const FigureCache& other) { results_ = other.results_; }

  private:
    /// One value of each type.
    class Values {
      public:
        template <typename T>
        T& of() {
            std::shared_ptr<void>& value = values_[typeid(T)];
            if (!value) {
                value = std::make_shared<T>();
            }
            return *static_cast<T*>(value.get());
        }

      private:
        std::map<std::type_index, std::shared_ptr<void>> values_;
    };
    struct Results {
        std::mutex mutex;
        Values values;
    };

    std::shared_ptr<Results> results_ = std::make_shared<Results>();
    Values engine_memory_;
};

}  // namespace ropescope::figures
