#include "core/engine/fallback_engine.h"

#include <atomic>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/engine/relayed_ops.h"
#include "core/engine/routed_engine.h"

namespace ropescope {
namespace {

/// Whether the first engine still serves.
class Health {
  public:
    explicit Health(TellFallback tell) : tell_(std::move(tell)) {}

    bool good() const { return good_; }
    void give_up(const CapabilityError& error) {
        if (good_.exchange(false) && tell_) {
            tell_(fmt::format("computing on the CPU from here on: {}", error.what()));
        }
    }

  private:
    std::atomic<bool> good_ = true;
    TellFallback tell_;
};

class Watch final : public Relay {
  public:
    explicit Watch(std::shared_ptr<Health> health) : health_(std::move(health)) {}

    void now(const std::function<void()>& call) override {
        try {
            call();
        } catch (const CapabilityError& error) {
            health_->give_up(error);
            throw;
        }
    }
    void in_order(std::function<void()> call) override { now(call); }

  private:
    std::shared_ptr<Health> health_;
};

class FallbackEngine final : public RoutedEngine {
  public:
    FallbackEngine(std::unique_ptr<Engine> first, std::unique_ptr<Engine> second, TellFallback tell)
        : first_(std::move(first)),
          second_(std::move(second)),
          health_(std::make_shared<Health>(std::move(tell))) {}

    std::string name() const override { return serving().name(); }
    std::string device() const override { return serving().device(); }
    bool drawable() const override { return serving().drawable(); }

    std::unique_ptr<TensorOps> tensor_ops() override {
        std::unique_ptr<TensorOps> ops;
        route([&](Engine& e) {
            ops = &e == second_.get()
                      ? e.tensor_ops()
                      : make_relayed_ops(e.tensor_ops(), std::make_shared<Watch>(health_));
        });
        return ops;
    }

  private:
    Engine& serving() const { return health_->good() ? *first_ : *second_; }

    void route(const std::function<void(Engine&)>& work) override {
        if (health_->good()) {
            try {
                work(*first_);
                return;
            } catch (const CapabilityError& error) {
                health_->give_up(error);
            }
        }
        work(*second_);
    }

    std::unique_ptr<Engine> first_;
    std::unique_ptr<Engine> second_;
    std::shared_ptr<Health> health_;
};

}  // namespace

std::unique_ptr<Engine> make_fallback_engine(std::unique_ptr<Engine> first,
                                             std::unique_ptr<Engine> second, TellFallback tell) {
    return std::make_unique<FallbackEngine>(std::move(first), std::move(second), std::move(tell));
}

}  // namespace ropescope
