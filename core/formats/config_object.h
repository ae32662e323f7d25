// Typed access to the keys of a config.json; every refusal names the file, the key and the expected
// form.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// Places whose values a reader has looked at, as path_of() names them: a changed copy of an object
/// has the places of the original.
using LookedAt = std::set<std::string>;

/// A view of one JSON object; `where` ("config.json" or "config.json: rope_parameters") starts
/// every message, and a dot joins it to the key if the object is nested. A key that is null
/// counts as missing, and so does one without a name. The object must outlive the view. With
/// `looked_at`, the view and the views of nested objects note there the place of every value that
/// they hand out.
class ConfigObject {
  public:
    ConfigObject(const nlohmann::json& object, std::string where, bool nested = false,
                 LookedAt* looked_at = nullptr)
        : object_(&object), where_(std::move(where)), nested_(nested), looked_at_(looked_at) {}

    const nlohmann::json* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// Whether the key is there and says null, for readers to whom a missing key says less.
    bool is_null(std::string_view key) const;

    std::optional<std::int64_t> integer(std::string_view key, std::int64_t least,
                                        std::int64_t most) const;
    /// The first of several names of the same thing.
    std::optional<std::int64_t> integer(std::initializer_list<std::string_view> keys,
                                        std::int64_t least, std::int64_t most) const;
    /// A finite number > 0 and <= most.
    std::optional<double> positive(std::string_view key, double most) const;
    /// Any finite number.
    std::optional<double> number(std::string_view key) const;
    /// A list of at most `most` finite numbers.
    std::optional<std::vector<double>> numbers(std::string_view key, std::size_t most) const;
    std::optional<std::string> text(std::string_view key) const;
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<ConfigObject> object(std::string_view key) const;

    const nlohmann::json& json() const { return *object_; }
    /// The same view, which notes what it hands out.
    ConfigObject noting(LookedAt& looked_at) const {
        return {*object_, where_, nested_, &looked_at};
    }
    /// The same place with another object, a changed copy of this one that must outlive the view.
    ConfigObject changed(const nlohmann::json& copy) const {
        return {copy, where_, nested_, looked_at_};
    }
    /// Where a key stands, as messages name it.
    std::string path_of(std::string_view key) const;
    /// What starts every message.
    const std::string& where() const { return where_; }
    /// Throws InputError "where: key: what" or, nested, "where.key: what".
    [[noreturn]] void fail(std::string_view key, std::string_view what) const;

  private:
    [[noreturn]] void fail_type(std::string_view key, std::string_view expected) const;

    const nlohmann::json* object_;
    std::string where_;
    bool nested_ = false;
    LookedAt* looked_at_ = nullptr;
};

}  // namespace ropescope
