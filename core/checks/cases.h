// Which cases of a sweep a run of checks measures. A case has a name made of settings, such as
// "by=cpu head_dim=128 base=1e+06 m=40"; a report names the worst one, and that name runs it again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

class Cases {
  public:
    /// All of them.
    Cases() = default;
    /// Those whose names hold every setting of `text`, "head_dim=128 base=1e6 m=40" in any order;
    /// numbers are compared as numbers. Throws InputError if `text` has a word that is not a
    /// setting.
    explicit Cases(std::string_view text);

    /// Called with the name of every case that is measured; may be empty.
    std::function<void(const std::string& name)> measured;

    bool all() const { return wanted_.empty(); }
    bool contain(std::string_view name) const;
    /// Whether names that begin with these settings can be among them: none of the settings is
    /// another than the wanted one. Spares the work for the others.
    bool may_contain(std::string_view settings) const;

  private:
    struct Setting {
        std::string key;  ///< with its "="
        std::string value;
        std::optional<double> number;
    };
    /// How many of the settings the name has; nothing if it has another value for one.
    std::optional<std::size_t> agreeing(std::string_view name) const;

    std::vector<Setting> wanted_;
};

}  // namespace ropescope
