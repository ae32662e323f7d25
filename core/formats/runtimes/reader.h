// Reads one config.json by the rules of one runtime and one family.
// Sources: reader.cpp, reader_scaling.cpp, reader_effect.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/runtimes/reading.h"

namespace ropescope::runtimes {

inline constexpr std::string_view kNotKnown = "not known to this table";

/// A key and the value that was taken for it.
struct Taken {
    std::string path = {};  ///< empty for a default
    std::string leaf = {};
    nlohmann::json value = nullptr;
};

/// Keeps what it took, so that it can say which keys it passed over. The arguments must outlive it.
class Reader {
  public:
    Reader(const Runtime& runtime, const Family& family, const ConfigObject& config)
        : runtime_(runtime), family_(family), config_(config) {}

    void read_layers(const LayerRule& rule);
    TakenQuantity no_rope() const;
    std::vector<TakenQuantity> answers;  ///< of read_layers()
    std::vector<Stated> unread() const;

  private:
    /// The first key that is there, its "@" replaced.
    std::optional<std::string> find(const Keys& keys) const;
    std::optional<double> positive(const std::string& path, double most) const;
    void take(const std::string& path, std::string leaf, const nlohmann::ordered_json& value);
    void choose_object(const Keys& keys);

    TakenQuantity base(const LayerRule& rule);
    TakenQuantity head_dim();
    TakenQuantity rotary_dim(const TakenQuantity& head_dim);
    TakenQuantity layout();
    /// The scaling, and what it does: the frequencies and the attention factor.
    std::vector<TakenQuantity> scaling();
    TakenQuantity scaling_alone();
    Taken trained_length(const ScalingRule& rule, const ConfigObject& object) const;
    TakenQuantity scaling_by(const ScalingRule& rule, const ConfigObject& object);
    void take_effect(const ScalingRule& rule, const ConfigObject& object,
                     std::optional<double> original);
    TakenQuantity frequencies_by(const ScalingRule& rule, const ConfigObject& object) const;
    TakenQuantity attention_by(const ScalingRule& rule, const ConfigObject& object,
                               std::optional<double> original) const;
    TakenQuantity passed_over(Fate fate, const std::string& type, const Source& source) const;
    bool is_taken(const std::string& path, const nlohmann::json& value) const;

    const Runtime& runtime_;
    const Family& family_;
    const ConfigObject& config_;
    std::string object_;  ///< the path of the rotary parameters that count; empty if there are none
    TakenQuantity frequencies_, attention_;  ///< of the scaling that was read last
    std::vector<Taken> taken_;
};

}  // namespace ropescope::runtimes
