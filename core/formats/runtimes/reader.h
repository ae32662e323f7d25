// Reads one config.json by the rules of one runtime and one family.
// Sources: reader.cpp, reader_layers.cpp, reader_scaling.cpp, reader_effect.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
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

    /// The first key or object without which it ends with an error; empty if the file has all.
    std::string missing() const;
    void read_layers(const LayerRule& rule);
    /// Whether the model has layers of that type, as far as the file says which it has.
    bool has_layers_of(std::string_view type) const;
    TakenQuantity sections();
    TakenQuantity no_rope() const;
    std::vector<TakenQuantity> answers;  ///< of read_layers()
    std::vector<Stated> unread() const;

  private:
    /// The first key that is there, its "@" replaced.
    std::optional<std::string> find(const Keys& keys) const;
    /// A number, or that of these layers in a list.
    double positive(const std::string& path, const LayerRule& rule, double most) const;
    void take(const std::string& path, std::string leaf, const nlohmann::ordered_json& value);
    void choose_object(const Keys& keys);

    std::string missing_object() const;
    TakenQuantity base(const LayerRule& rule);
    TakenQuantity head_dim(const LayerRule& rule);
    TakenQuantity rotary_dim(const LayerRule& rule, const TakenQuantity& head_dim);
    /// The channels that turn, by the family's key that counts them; null if a share says it.
    std::optional<TakenQuantity> counted_width(bool share_is_stated);
    TakenQuantity layout();
    /// The type of each layer; empty if nobody says how many there are.
    std::vector<std::string> types() const;
    bool is_scaled(const LayerRule& rule) const;
    /// Which element of a list is that of these layers.
    std::size_t list_index(const LayerRule& rule) const;
    bool turns_for_being_dense(Index layer) const;
    nlohmann::ordered_json with_full_attention() const;
    nlohmann::ordered_json full_if(bool some_are_still) const;
    nlohmann::ordered_json full_of_64() const;
    TakenQuantity listed_without() const;
    /// Which layers turn nothing, and by which key; without a name and a source.
    TakenQuantity still_layers() const;
    /// The scaling, and what it does: the frequencies and the attention factor.
    std::vector<TakenQuantity> scaling(const LayerRule& layers);
    TakenQuantity scaling_alone(const LayerRule& layers);
    /// The family's rule of the type, else the runtime's; null if neither has one.
    const ScalingRule* rule_of(std::string_view type, const ConfigObject& object) const;
    /// What stands for a missing object of these layers.
    nlohmann::json usual_object(const LayerRule& rule) const;
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
