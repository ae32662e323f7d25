// Finds the layers of a file by the names of its tensors, and reads one after the other.
#include "core/diagnosis/dump_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/diagnosis/dump_source.h"
#include "core/diagnosis/read_dump.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::diagnosis {
namespace {

constexpr std::string_view kSeparators = "./_";
constexpr std::array<std::string_view, 4> kSides = {"q", "q_rot", "k", "k_rot"};

bool is_pattern(const std::string& name) {
    return name.find('*') != name.npos;
}

/// Positions, scales and weights of norms may belong to all layers.
bool may_be_shared(const std::string& key) {
    return key.ends_with("positions") || key.ends_with("_norm") || key.ends_with("_scale");
}

bool is_side(const std::string& key) {
    return std::ranges::find(kSides, key) != kSides.end();
}

/// The number that these digits are; none for other text and for more than six digits.
std::optional<Index> number_of(std::string_view digits) {
    constexpr std::size_t kMostDigits = 6;
    Index number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    const bool whole = error == std::errc() && stop == end && digits.front() != '-';
    return whole && digits.size() <= kMostDigits ? std::optional(number) : std::nullopt;
}

/// A tensor of a layer, and its name with a * for the number.
struct NumberedName {
    Index layer = 0;
    std::string key, pattern;
};

/// The one number among the words of a text: a word of digits, or else one that ends in digits, as
/// in "layer3". None if there are several.
struct NumberInText {
    Index number = 0;
    std::size_t begin = 0, size = 0;
};
std::optional<NumberInText> one_number(std::string_view text) {
    std::vector<NumberInText> alone, behind_letters;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const std::size_t letters = word.find_last_not_of("0123456789") + 1;  // 0 if there is none
        const bool named =
            letters == 0 || std::isalpha(static_cast<unsigned char>(word[letters - 1])) != 0;
        if (const auto number =
                named && letters < word.size() ? number_of(word.substr(letters)) : std::nullopt) {
            (letters == 0 ? alone : behind_letters)
                .push_back({*number, begin + letters, word.size() - letters});
        }
        begin = end + 1;
    }
    const std::vector<NumberInText>& found = alone.empty() ? behind_letters : alone;
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// What `name` is called in a dump, if that stands at its end: "layers.3.q_rot" is q_rot.
std::optional<NumberedName> number_in_front(const std::string& name, const std::string& key) {
    if (name.size() < key.size() + 2 || !name.ends_with(key)) {
        return std::nullopt;
    }
    const std::string_view head = std::string_view(name).substr(0, name.size() - key.size());
    if (kSeparators.find(head.back()) == kSeparators.npos) {
        return std::nullopt;
    }
    const std::optional<NumberInText> number = one_number(head);
    if (!number) {
        return std::nullopt;
    }
    std::string pattern = name;
    pattern.replace(number->begin, number->size, "*");
    return NumberedName{number->number, key, pattern};
}

std::optional<NumberedName> number_behind(const std::string& name, const std::string& key) {
    if (name.size() < key.size() + 2 || !name.starts_with(key) ||
        kSeparators.find(name[key.size()]) == kSeparators.npos) {
        return std::nullopt;
    }
    const auto number = number_of(std::string_view(name).substr(key.size() + 1));
    return number ? std::optional(NumberedName{*number, key, name.substr(0, key.size() + 1) + "*"})
                  : std::nullopt;
}

/// The names of a dump, the longest first: "q_rot" before "q".
std::vector<std::string> longest_first() {
    std::vector<std::string> keys(dump_names().begin(), dump_names().end());
    std::ranges::stable_sort(keys, std::greater(), &std::string::size);
    return keys;
}

std::optional<NumberedName> place_of(const std::string& name,
                                     const std::vector<std::string>& keys) {
    if (std::ranges::find(keys, name) != keys.end()) {
        return std::nullopt;
    }
    for (const std::string& key : keys) {
        if (auto place = number_in_front(name, key)) {
            return place;
        }
        if (auto place = number_behind(name, key)) {
            return place;
        }
    }
    return std::nullopt;
}

/// The place of a name that matches a user's pattern.
std::optional<NumberedName> match(const std::string& name, const std::string& key,
                                  const std::string& pattern) {
    const std::size_t star = pattern.find('*');
    const std::string_view front = std::string_view(pattern).substr(0, star);
    const std::string_view back = std::string_view(pattern).substr(star + 1);
    if (name.size() <= front.size() + back.size() || !name.starts_with(front) ||
        !name.ends_with(back)) {
        return std::nullopt;
    }
    const auto number = number_of(
        std::string_view(name).substr(front.size(), name.size() - front.size() - back.size()));
    return number ? std::optional(NumberedName{*number, key, pattern}) : std::nullopt;
}

class Layers {
  public:
    Layers(std::span<const std::string> names, const std::map<std::string, std::string>& mapped,
           const std::string& origin)
        : names_(names), known_(names.begin(), names.end()), mapped_(mapped), origin_(origin) {}

    std::vector<LayerNames> found() {
        if (!read_map()) {
            return {};
        }
        const std::vector<std::string> keys = longest_first();
        for (const std::string& name : names_) {
            if (const auto place = place_of(name, keys); place && !mapped_.contains(place->key)) {
                add(*place, name);
            }
        }
        std::erase_if(layers_, [](const auto& layer) { return !has_side(layer.second); });
        if (!layers_.empty()) {
            refuse_others();
        }
        std::vector<LayerNames> all;
        for (auto& [number, layer] : layers_) {
            check_sides(number, layer);
            add_shared(layer);
            all.push_back({number, std::move(layer)});
        }
        return all;
    }

  private:
    using Names = std::map<std::string, std::string>;

    static bool has_side(const Names& layer) {
        return std::ranges::any_of(layer, [](const auto& each) { return is_side(each.first); });
    }
    bool has(const std::string& name) const { return known_.contains(name); }

    /// Takes the tensors that the user names by a pattern. False if the user names single tensors,
    /// so that there are no layers.
    bool read_map() {
        const bool any =
            std::ranges::any_of(mapped_, [](const auto& each) { return is_pattern(each.second); });
        for (const auto& [key, name] : mapped_) {
            if (!is_pattern(name)) {
                if (any && !may_be_shared(key)) {
                    throw InputError(
                        fmt::format("--map: {} is one tensor, and others have a * for the layer; "
                                    "write {}=NAME with a *",
                                    in_quotes(name), key));
                }
                if (!any && is_side(key)) {
                    return false;
                }
                continue;
            }
            if (std::ranges::count(name, '*') > 1) {
                throw InputError(
                    fmt::format("--map: {} has several *; one stands for the number "
                                "of the layer",
                                in_quotes(name)));
            }
            bool found = false;
            for (const std::string& each : names_) {
                if (const auto place = match(each, key, name)) {
                    add(*place, each);
                    found = true;
                }
            }
            if (!found) {
                throw InputError(fmt::format(
                    "--map: {} has no tensor {} with a number for the *; it has {}", origin_,
                    in_quotes(name),
                    names_.empty() ? "no tensors" : printable(first_names(all_names(), 6))));
            }
        }
        return true;
    }
    std::vector<std::string> all_names() const { return {names_.begin(), names_.end()}; }

    void add(const NumberedName& place, const std::string& name) {
        patterns_.try_emplace(place.key, place.pattern);
        const auto [known, is_new] = layers_[place.layer].try_emplace(place.key, name);
        if (!is_new) {
            const std::string& earlier = patterns_.at(place.key);
            throw InputError(fmt::format(
                "{}: both {} and {} may be {} of layer {}; {}", origin_, in_quotes(known->second),
                in_quotes(name), place.key, place.layer,
                earlier == place.pattern
                    ? "a layer has one"
                    : fmt::format("--map {}={} says which", place.key, printable(earlier))));
        }
    }

    /// Tensors without a layer would be left out without a word.
    void refuse_others() const {
        const bool asked =
            std::ranges::any_of(mapped_, [](const auto& each) { return is_pattern(each.second); });
        for (const std::string_view side : kSides) {
            const std::string plain(side);
            if (!asked && has(plain)) {
                const auto own = patterns_.find(plain);
                const auto& [key, pattern] = own == patterns_.end() ? *patterns_.begin() : *own;
                throw InputError(
                    fmt::format("{}: it has {} without a layer, and layers, {}; --map {}={} takes "
                                "what has no layer, --map {}={} the layers",
                                origin_, in_quotes(plain), in_quotes(pattern), plain, plain, key,
                                printable(pattern)));
            }
        }
    }

    void check_sides(Index number, const Names& layer) const {
        for (const std::string side : {"q", "k"}) {
            const std::string behind = side + "_rot";
            const bool has_before = layer.contains(side), has_after = layer.contains(behind);
            if (has_before == has_after) {
                continue;
            }
            const std::string missing = has_before ? behind : side;
            const auto pattern = patterns_.find(missing);
            std::string name = missing;
            if (pattern != patterns_.end()) {
                name = pattern->second;
                name.replace(name.find('*'), 1, fmt::format("{}", number));
            }
            throw InputError(fmt::format(
                "{}: layer {} has {}, but no {}; a rotation shows in a tensor before and after it",
                origin_, number, in_quotes(layer.at(has_before ? side : behind)), in_quotes(name)));
        }
    }

    void add_shared(Names& layer) const {
        for (const std::string& key : dump_names()) {
            if (!may_be_shared(key) || layer.contains(key)) {
                continue;
            }
            const auto mapped = mapped_.find(key);
            if (mapped != mapped_.end() || has(key)) {
                layer[key] = mapped == mapped_.end() ? key : mapped->second;
            }
        }
    }

    std::span<const std::string> names_;
    std::set<std::string_view> known_;  ///< the same
    const std::map<std::string, std::string>& mapped_;
    const std::string& origin_;
    std::map<Index, Names> layers_;
    Names patterns_;
};

std::vector<std::string> names_of(std::span<const TensorBytes> tensors) {
    std::vector<std::string> names;
    std::ranges::transform(tensors, std::back_inserter(names), &TensorBytes::name);
    return names;
}

std::vector<TensorBytes> chosen(std::span<const TensorBytes> tensors,
                                std::span<const std::size_t> places) {
    std::vector<TensorBytes> found;
    for (const std::size_t place : places) {
        found.push_back(tensors[place]);
    }
    return found;
}

/// Keeps a file of which this reads some tensors, and lets their pages go when nobody needs them.
std::shared_ptr<const void> owner_of(std::shared_ptr<const SafetensorsFile> file,
                                     std::vector<TensorBytes> tensors, bool regular) {
    if (!regular) {
        return file;
    }
    const void* const address = file.get();
    return {address, [file = std::move(file), tensors = std::move(tensors)](const void*) {
                for (const TensorBytes& tensor : tensors) {
                    release_mapped(tensor.bytes);
                }
            }};
}

}  // namespace

std::vector<LayerNames> layers_among(std::span<const std::string> names,
                                     const std::map<std::string, std::string>& mapped,
                                     const std::string& origin) {
    return Layers(names, mapped, origin).found();
}

DumpFile::DumpFile(std::string origin, DumpOptions options, std::vector<std::string> names,
                   Load load, Describe describe)
    : origin_(std::move(origin)),
      options_(std::move(options)),
      names_(std::move(names)),
      load_(std::move(load)),
      describe_(std::move(describe)),
      layers_(layers_among(names_, options_.names, origin_)) {
    for (std::size_t place = 0; place < names_.size(); ++place) {
        places_.try_emplace(names_[place], place);
    }
    std::ranges::transform(layers_, std::back_inserter(numbers_), &LayerNames::number);
}

DumpFile DumpFile::open(const std::filesystem::path& path, DumpOptions options) {
    std::string origin = printable(path.string());
    OpenedFile opened(path);
    const bool regular = opened.is_regular();
    if (is_safetensors(opened)) {
        auto file =
            std::make_shared<const SafetensorsFile>(SafetensorsFile::open(std::move(opened)));
        std::vector<std::string> names = names_of(file->tensors());
        return {std::move(origin), std::move(options), std::move(names),
                [file, regular](std::span<const std::size_t> places) {
                    std::vector<TensorBytes> tensors = chosen(file->tensors(), places);
                    return LayerTensors{tensors, owner_of(file, tensors, regular)};
                }};
    }
    if (is_npz(opened) && regular) {
        const auto file = std::make_shared<const NpzFile>(std::move(opened));
        return {std::move(origin), std::move(options), file->names(),
                [file](std::span<const std::size_t> places) {
                    const auto tensors =
                        std::make_shared<const std::vector<Tensor>>(file->read(places));
                    file->release();  // the tensors are copies
                    std::vector<TensorBytes> views;
                    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
                    return LayerTensors{views, tensors};
                },
                [file](std::size_t place) {
                    const TensorInfo info = file->list(place);
                    return TensorBytes{info.name, info.dtype, info.shape, {}};
                }};
    }
    throw InputError(fmt::format(
        "{}: is neither a .safetensors nor a .npz file; a dump holds q, q_rot, k and k_rot",
        origin));
}

DumpFile DumpFile::of(std::vector<TensorBytes> tensors, std::shared_ptr<const void> owner,
                      std::string origin, DumpOptions options) {
    std::vector<std::string> names = names_of(tensors);
    return {std::move(origin), std::move(options), std::move(names),
            [tensors = std::move(tensors),
             owner = std::move(owner)](std::span<const std::size_t> places) {
                return LayerTensors{chosen(tensors, places), owner};
            }};
}

const std::map<std::string, std::string>& DumpFile::names_at(std::size_t place) const {
    return layers_.empty() ? options_.names : layers_[place].names;
}

std::vector<std::string> DumpFile::outside_layers() const {
    std::vector<std::string> outside;
    if (layers_.empty()) {
        return outside;
    }
    std::set<std::string_view> inside;
    for (const LayerNames& layer : layers_) {
        const auto own = std::views::values(layer.names);
        inside.insert(own.begin(), own.end());
    }
    std::ranges::copy_if(names_, std::back_inserter(outside),
                         [&](const std::string& name) { return !inside.contains(name); });
    return outside;
}

LayerTensors DumpFile::tensor_named(const std::string& name) const {
    return load_(std::array{places_.at(name)});
}

std::vector<std::size_t> DumpFile::places_of_layer(std::size_t place) const {
    std::vector<std::size_t> wanted;
    if (layers_.empty()) {
        wanted.resize(names_.size());
        std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    } else {
        for (const std::string& name : std::views::values(names_at(place))) {
            if (const auto known = places_.find(name); known != places_.end()) {
                wanted.push_back(known->second);
            }
        }
        std::ranges::sort(wanted);  // the order of the file
        const auto again = std::ranges::unique(wanted);
        wanted.erase(again.begin(), again.end());
    }
    return wanted;
}

LayerTensors DumpFile::load_dump(std::span<const std::size_t> places,
                                 const DumpOptions& options) const {
    if (!describe_) {
        return load_(places);
    }
    std::vector<TensorBytes> tensors;
    std::ranges::transform(places, std::back_inserter(tensors), describe_);
    check_dump_shapes(tensors, origin_, options);
    const DumpSource file{tensors, origin_, options};
    std::set<std::size_t> needed;  // of `places`
    for (const std::string& name : dump_names()) {
        if (const TensorBytes* const tensor = file.find(name)) {
            needed.insert(tensor - tensors.data());
        }
    }
    std::vector<std::size_t> needed_places;
    for (const std::size_t i : needed) {
        needed_places.push_back(places[i]);
    }
    LayerTensors loaded = load_(needed_places);
    auto next = loaded.tensors.begin();
    for (const std::size_t i : needed) {
        tensors[i] = std::move(*next++);
    }
    return {std::move(tensors), std::move(loaded.owner)};
}

Dump DumpFile::read(std::size_t place) const {
    DumpOptions options = options_;
    options.names = names_at(place);
    const LayerTensors loaded = load_dump(places_of_layer(place), options);
    return make_dump(loaded.tensors, loaded.owner, origin_, options);
}

LayerTensors DumpFile::tensors(std::size_t place) const {
    LayerTensors loaded = load_(places_of_layer(place));
    for (TensorBytes& tensor : loaded.tensors) {
        for (const auto& [key, name] : names_at(place)) {
            if (tensor.name == name) {
                tensor.name = key;
                break;
            }
        }
    }
    return loaded;
}

}  // namespace ropescope::diagnosis
