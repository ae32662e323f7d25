// A model, and the one way to it: from the name of a published model, a folder or a file.
// Sources: model.cpp, own_scheme.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"
#include "core/formats/config_text.h"
#include "core/formats/inspection.h"
#include "core/formats/model_config.h"
#include "core/schemes/part.h"

namespace ropescope {

struct Model {
    std::string name = {};    ///< of a published model, or the path of the file
    std::string title = {};   ///< for people
    std::string source = {};  ///< of a published model, where its facts come from
    ConfigText config = {};   ///< what it was read from; empty for tensors alone
    bool published = false;   ///< the program knows it by its name
    /// The sizes of its language model; that of a file of several axes as text in one.
    std::optional<ModelConfig> text = {};
    std::string unread_text = {};  ///< why there is no `text`
    /// What turns, text first; a part for each type of layer if the layers of a text differ, the
    /// one of full attention first. Empty for tensors alone.
    std::vector<Part> parts = {};
    /// There is a language model, and none of the parts is it.
    bool lacks_language_model = false;
    /// Why the part that sees is not shown; empty if it is, or there is none.
    std::string unread_vision = {};
    std::vector<TensorFile> files = {};  ///< of open_with_tensors(): those beside the configuration

    /// The part with this name or of this kind; the first if the name is empty. Throws InputError
    /// that names those there are, and for an empty name the reason if there is a language model
    /// that cannot be read.
    const Part& part(std::string_view wanted = {}) const;
    /// The first of each kind.
    std::vector<Part> kinds() const;
    bool turns_in_several_axes() const;
};

/// A published model, in one axis or in several, the config.json at a path or in a folder, a
/// GGUF file, or one of holds_scheme(), of a model in several parts any of them. Every command,
/// view and language takes models by this. Throws InputError if there is none, with the names that
/// come near.
Model open_model(const std::string& name_or_path, Allowed allowed = Allowed::anything);
/// The same with the tensors beside the configuration, or tensors alone. Headers are read, data are
/// not.
Model open_with_tensors(const std::string& name_or_path, Allowed allowed = Allowed::anything);
/// Whether the file has frequencies and channels of its own: a .safetensors with `omega` and
/// `pairs`, as `rotate --spec` takes it.
bool holds_scheme(const std::string& path);
/// Such a file as a model of one part. A head has as many channels as its pairs reach.
Model scheme_model(const std::string& path);
/// What open_model() reads: for those who read it in their own way.
ConfigText open_config(const std::string& name_or_path, Allowed allowed = Allowed::anything);
/// From the text of a config.json, or that of open_config(); `origin` begins every message.
Model parse_model(std::string_view json, const std::string& origin);

/// RoPE-ViT mixed as it is before training. Those that are trained are no published models: their
/// frequencies are in their weights.
inline constexpr const char* kMixedStart = "ropevit-mixed-start";

}  // namespace ropescope
