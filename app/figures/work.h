// Options and callbacks that a caller passes when it asks for a figure.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>

#include "core/base/memo.h"
#include "core/base/packed.h"
#include "core/checks/check_run.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

// Results that take long, on their way to another instance of the program, which has no memory in
// common with this one: a page has one in a worker (app/web/beside.h).

/// One instance makes a picture and collects its results (Work::result); the other makes the same
/// picture of them, and asks for them in the same order. Of a result `value` goes what
/// `Value::each_carried(value, visit)` calls `visit` with; the rest is quickly made of the scene.
class Carried {
  public:
    /// Collects.
    Carried() = default;
    /// Gives out what was collected; the bytes outlive it.
    explicit Carried(std::string_view bytes) : bytes_(bytes), arrived_(bytes) {}

    bool gives_out() const { return arrived_.has_value(); }
    template <typename Value>
    void collect(const Value& value) {
        Value::each_carried(value, [&](const auto& member) { collected_.add(member); });
    }
    /// Throws InputError for bytes of something else.
    template <typename Value>
    void give_out(Value& value) {
        Value::each_carried(value, [&](auto& member) { arrived_->take(member); });
    }

    /// The picture is made once more, by another engine.
    void begin_again() {
        collected_.bytes();
        arrived_ = gives_out() ? std::optional(Unpacker(bytes_)) : std::nullopt;
    }
    /// The picture is made. Throws InputError if something was not asked for.
    void end() const {
        if (gives_out()) {
            arrived_->end();
        }
    }
    std::string collected() { return collected_.bytes(); }

  private:
    std::string_view bytes_ = {};
    std::optional<Unpacker> arrived_ = {};
    Packer collected_ = {};
};

// What outlives a figure: results that the next figure can use again. A window or a command owns a
// cache and hands it over in Work; without one, everything goes with the figure.

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

struct Work {
    std::stop_token stop = {};
    std::function<void(double done)> progress = {};  ///< the share that is done, 0 .. 1
    /// What is kept for the next figure. If the caller leaves it null, make_picture() passes the
    /// view a cache that lasts for this picture.
    FigureCache* cache = nullptr;
    /// The figure is only to be looked at: numbers that an engine can draw from
    /// its own memory (Engine::drawable) stay there (app/plot/painter.h), and there is no data for
    /// a file.
    bool live = false;
    /// A frame waits for the picture: a view that takes longer may return a draft (Picture::draft).
    bool may_draft = false;
    /// For the view of the checks: the results so far of a run that the caller carries out. Null:
    /// the view runs all checks.
    const CheckRun* check_run = nullptr;
    /// Checks that the view runs after those of the library if `check_run` is null; they outlive
    /// the cache.
    std::span<const Check> more_checks = {};
    /// Not null: what takes long goes to another instance of the program, or has come from one.
    Carried* carried = nullptr;

    /// Call after `engine.tensor_ops()`: creating them may fall back to another engine.
    bool draws_from(const Engine& engine) const { return live && engine.drawable(); }
    /// A result that takes long: it is known, or has come from another instance of the program as
    /// what is carried of it, the rest as `begin()` makes it, or is made by `make`, which keeps it
    /// if it is to be known from then on.
    template <typename Key, typename Value, typename Begin, typename Make>
    std::shared_ptr<const Value> result(Memo<Key, Value>& memo, const Key& key, const Begin& begin,
                                        const Make& make) const {
        if (carried != nullptr && carried->gives_out()) {
            Value value = begin();
            carried->give_out(value);
            auto known = std::make_shared<const Value>(std::move(value));
            memo.keep(key, known);
            return known;
        }
        std::shared_ptr<const Value> found = memo.find(key);
        if (!found) {
            found = make();
        }
        if (carried != nullptr) {
            carried->collect(*found);
        }
        return found;
    }
    void tell(double done) const {
        if (progress) {
            progress(done);
        }
    }
};

}  // namespace ropescope::figures
