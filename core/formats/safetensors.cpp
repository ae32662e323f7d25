// Opens safetensors files by mmap and writes them.
#include "core/formats/safetensors.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/write_file.h"
#include "core/formats/safetensors_header.h"

namespace ropescope {
namespace {

/// The length field, held to the size of the file before anything is read by it.
std::size_t header_bytes(std::span<const std::byte> bytes, const std::string& file) {
    const auto fail = [&](const std::string& what) {
        throw InputError(fmt::format("{}: byte 0: {}", printable(file), what));
    };
    if (bytes.size() < kHeaderLengthBytes) {
        fail(
            fmt::format("the file has {} bytes; a safetensors file starts with the 8 bytes of its "
                        "header's length",
                        bytes.size()));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof(length));
    if (length > kMaxHeaderBytes) {
        fail(fmt::format("header of {} bytes; at most {} are allowed; is this a safetensors file?",
                         length, kMaxHeaderBytes));
    }
    if (length > bytes.size() - kHeaderLengthBytes) {
        fail(fmt::format("header of {} bytes in a file of {}; it may be cut short", length,
                         bytes.size()));
    }
    return length;
}

/// Tensors in the order of their data: widest elements first, so that every tensor is aligned to
/// its element, and otherwise as given.
std::vector<const TensorBytes*> in_data_order(std::span<const TensorBytes> tensors) {
    std::vector<const TensorBytes*> order(tensors.size());
    std::ranges::transform(tensors, order.begin(),
                           [](const TensorBytes& tensor) { return &tensor; });
    std::ranges::stable_sort(order, [](const TensorBytes* a, const TensorBytes* b) {
        return dtype_size(a->dtype) > dtype_size(b->dtype);
    });
    return order;
}

std::string header_text(std::span<const TensorBytes* const> order,
                        const std::map<std::string, std::string>& metadata) {
    // The reference implementation writes no white space either; dump() escapes a string.
    const auto quote = [](const auto& value) { return nlohmann::json(value).dump(); };
    std::vector<std::string> members;
    if (!metadata.empty()) {
        members.push_back("\"__metadata__\":" + quote(metadata));
    }
    std::size_t begin = 0;
    for (const TensorBytes* tensor : order) {
        const std::size_t end = begin + tensor->bytes.size();
        members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                      quote(tensor->name), to_string(tensor->dtype),
                                      fmt::join(tensor->shape, ","), begin, end));
        begin = end;
    }
    std::string text = fmt::format("{{{}}}", fmt::join(members, ","));
    const std::size_t past = text.size() % kHeaderLengthBytes;
    text.append(past == 0 ? 0 : kHeaderLengthBytes - past, ' ');
    return text;
}

}  // namespace

bool is_safetensors(const OpenedFile& file) {
    return file.start().substr(0, kHeaderLengthBytes + 1).ends_with({"\0\0\0\0{", 5});
}

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
    return open(OpenedFile(path));
}

SafetensorsFile SafetensorsFile::open(OpenedFile opened) {
    std::filesystem::path path = opened.path();
    return read(std::move(opened).map(is_safetensors(opened)), std::move(path));
}

SafetensorsFile SafetensorsFile::read(MappedFile memory, std::filesystem::path path) {
    const std::size_t length = header_bytes(memory.bytes, path.string());
    const std::span<const std::byte> text = memory.bytes.subspan(kHeaderLengthBytes, length);
    const std::span<const std::byte> data = memory.bytes.subspan(kHeaderLengthBytes + length);
    SafetensorsHeader header = parse_safetensors_header(
        {reinterpret_cast<const char*>(text.data()), text.size()}, path.string(), data.size());

    SafetensorsFile file;
    file.mapping_ = std::move(memory.owner);
    file.metadata_ = std::move(header.metadata);
    file.tensors_.reserve(header.entries.size());
    for (SafetensorsEntry& entry : header.entries) {
        file.tensors_.push_back({std::move(entry.name), entry.dtype, std::move(entry.shape),
                                 data.subspan(entry.begin, entry.end - entry.begin),
                                 path.string()});
    }
    file.path_ = std::move(path);
    return file;
}

const TensorBytes* SafetensorsFile::find(std::string_view name) const {
    const auto found = std::ranges::find(tensors_, name, &TensorBytes::name);
    return found == tensors_.end() ? nullptr : &*found;
}

const TensorBytes& SafetensorsFile::at(std::string_view name) const {
    return element_named(tensors_, &TensorBytes::name, name, [&](const std::string& near) {
        return fmt::format("{}: does not contain a tensor {}{}", printable(path_.string()),
                           in_quotes(name), near);
    });
}

void write_safetensors(const std::filesystem::path& path, std::span<const Tensor> tensors,
                       const std::map<std::string, std::string>& metadata) {
    std::vector<TensorBytes> views;
    for (const Tensor& tensor : tensors) {
        views.push_back(tensor.view());
    }
    write_safetensors(path, std::span<const TensorBytes>(views), metadata);
}

void write_safetensors(const std::filesystem::path& path, std::span<const TensorBytes> tensors,
                       const std::map<std::string, std::string>& metadata) {
    const std::vector<const TensorBytes*> order = in_data_order(tensors);
    std::string header;
    try {
        header = header_text(order, metadata);
    } catch (const nlohmann::json::exception&) {
        throw InputError(printable(path.string()) +
                         ": names and metadata must be UTF-8 to be written as safetensors");
    }
    const std::uint64_t length = header.size();
    std::vector<std::string_view> parts = {{reinterpret_cast<const char*>(&length), sizeof(length)},
                                           header};
    for (const TensorBytes* tensor : order) {
        parts.emplace_back(reinterpret_cast<const char*>(tensor->bytes.data()),
                           tensor->bytes.size());
    }
    // What is written must be readable: the reader's rules are the writer's.
    const std::size_t data_bytes = std::accumulate(
        order.begin(), order.end(), std::size_t{0},
        [](std::size_t sum, const TensorBytes* tensor) { return sum + tensor->bytes.size(); });
    parse_safetensors_header(header, path.string(), data_bytes);
    write_file_whole(path, parts);
}

}  // namespace ropescope
