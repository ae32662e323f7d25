// Reads .npz archives. A member's claim about its size counts only as far as its compressed bytes
// can justify it.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include <zip.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/formats/limits.h"
#include "core/formats/npy.h"
#include "core/formats/npy_header.h"

namespace ropescope {
namespace {

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using Member = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

[[noreturn]] void fail_in_archive(const std::string& where, std::string_view what) {
    throw InputError(fmt::format("{}: {}", where, what));
}

/// `bytes` must outlive the archive.
Archive open_archive(std::span<const std::byte> bytes, const std::string& file) {
    if (bytes.empty()) {  // the library takes it for an archive without members
        fail_in_archive(file, "is empty; a .npz (zip) file is expected");
    }
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    // The directory is held to the headers of the members, so that a damaged name is not another.
    constexpr int kStrictly = ZIP_RDONLY | ZIP_CHECKCONS;
    zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, kStrictly, &error);
    if (archive == nullptr) {
        const std::string why = zip_error_strerror(&error);
        zip_source_free(source);
        zip_error_fini(&error);
        fail_in_archive(file, "is not a readable .npz (zip) file: " + why);
    }
    return {archive, &zip_discard};
}

/// Archives of the same bytes: one serves one thread. They are kept between calls, since opening
/// one takes as long as it has members, and a file with many layers is read in many calls.
class SpareArchives {
  public:
    SpareArchives(std::span<const std::byte> bytes, std::string file)
        : bytes_(bytes), file_(std::move(file)) {}

    Archive take() {
        {
            const std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                Archive archive = std::move(spare_.back());
                spare_.pop_back();
                return archive;
            }
        }
        return open_archive(bytes_, file_);
    }
    void give_back(Archive archive) {
        const std::lock_guard lock(mutex_);
        spare_.push_back(std::move(archive));
    }

  private:
    std::span<const std::byte> bytes_;
    std::string file_;
    std::mutex mutex_;
    std::vector<Archive> spare_;
};

/// Name, size and compression of a member, held to what can be read and justified.
zip_stat_t checked_stat(zip_t* archive, zip_uint64_t index, const std::string& file) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                     ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &stat) != 0 ||
        (stat.valid & kNeeded) != kNeeded) {
        fail_in_archive(file,
                        fmt::format("member {}: cannot be read: {}", index, zip_strerror(archive)));
    }
    const std::string where = fmt::format("{}: member {}", file, in_quotes(stat.name));
    if (!std::string_view(stat.name).ends_with(".npy")) {
        fail_in_archive(where, "is not a .npy; a .npz contains nothing else");
    }
    if (stat.encryption_method != ZIP_EM_NONE) {
        fail_in_archive(where, "is encrypted; save it without a password");
    }
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
        fail_in_archive(where, fmt::format("compression method {}; stored or deflated is expected",
                                           stat.comp_method));
    }
    const std::uint64_t ratio = stat.comp_method == ZIP_CM_STORE ? 1 : kMaxDeflateRatio;
    if (stat.size / ratio > stat.comp_size) {
        fail_in_archive(where,
                        fmt::format("claims {} bytes; its {} compressed bytes cannot hold them",
                                    stat.size, stat.comp_size));
    }
    return stat;
}

/// The next `count` bytes; memory grows with what is decompressed, not with what is claimed, but
/// for the first `justified` bytes, which the file is known to hold.
std::vector<std::byte> take_bytes(zip_file_t* member, std::size_t count, std::size_t justified,
                                  const std::string& where) {
    const std::size_t least = std::max(std::size_t{1} << 16, justified);
    std::vector<std::byte> bytes;
    while (bytes.size() < count) {
        const std::size_t had = bytes.size();
        bytes.resize(std::min(count, had + std::max(least, had)));
        const zip_int64_t got = zip_fread(member, bytes.data() + had, bytes.size() - had);
        if (got <= 0) {
            fail_in_archive(where,
                            fmt::format("its data are damaged: {}",
                                        got == 0 ? "they end early" : zip_file_strerror(member)));
        }
        bytes.resize(had + got);
    }
    return bytes;
}

std::string member_name(const zip_stat_t& stat) {
    const std::string_view name = stat.name;
    return std::string(name.substr(0, name.size() - std::string_view(".npy").size()));
}

Member open_member(zip_t* archive, zip_uint64_t index, const std::string& where) {
    Member member(zip_fopen_index(archive, index, 0), &zip_fclose);
    if (member == nullptr) {
        fail_in_archive(where, fmt::format("cannot be opened: {}", zip_strerror(archive)));
    }
    return member;
}

/// A stored member lies in the file as it is.
std::size_t justified_bytes(const zip_stat_t& stat) {
    return stat.comp_method == ZIP_CM_STORE ? stat.size : 0;
}

Tensor read_member(zip_t* archive, zip_uint64_t index, const zip_stat_t& stat,
                   const std::string& where) {
    const Member member = open_member(archive, index, where);
    Tensor tensor = read_npy_stream(member_name(stat), where, stat.size, [&](std::size_t count) {
        return take_bytes(member.get(), count, justified_bytes(stat), where);
    });
    // The checksum is compared when the end is reached.
    std::byte beyond{};
    const zip_int64_t got = zip_fread(member.get(), &beyond, 1);
    if (got != 0) {
        fail_in_archive(where, fmt::format("its data are damaged: {}",
                                           got > 0 ? "they are longer than claimed"
                                                   : zip_file_strerror(member.get())));
    }
    return tensor;
}

TensorInfo list_member(zip_t* archive, zip_uint64_t index, const zip_stat_t& stat,
                       const std::string& where) {
    const Member member = open_member(archive, index, where);
    return list_npy_stream(member_name(stat), where, stat.size, [&](std::size_t count) {
        return take_bytes(member.get(), count, 0, where);
    });
}

/// The members of an archive, each held to what the file can hold.
std::vector<zip_stat_t> checked_members(zip_t* archive, std::size_t file_bytes,
                                        const std::string& file) {
    std::vector<zip_stat_t> members;
    std::set<std::string> names;
    std::uint64_t compressed_bytes = 0;
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t index = 0; index < count; ++index) {
        const zip_stat_t stat = checked_stat(archive, index, file);
        if (!names.insert(stat.name).second) {
            fail_in_archive(file, fmt::format("member {} appears twice", in_quotes(stat.name)));
        }
        // Members that share their bytes would multiply what the file justifies.
        compressed_bytes += std::min<std::uint64_t>(stat.comp_size, file_bytes + 1);
        if (compressed_bytes > file_bytes) {
            fail_in_archive(
                file, fmt::format("member {}: the members claim more compressed bytes than the {} "
                                  "of the file",
                                  in_quotes(stat.name), file_bytes));
        }
        members.push_back(stat);
    }
    return members;
}

}  // namespace

bool is_npz(const OpenedFile& file) {
    return file.start().starts_with("PK");
}

struct NpzFile::Opened {
    Opened(MappedFile bytes, const std::filesystem::path& path, bool of_file)
        : file(printable(path.string())),
          mapped(std::move(bytes)),
          regular(of_file),
          archive(open_archive(mapped.bytes, file)),
          spare(mapped.bytes, file),
          members(checked_members(archive.get(), mapped.bytes.size(), file)) {
        for (const zip_stat_t& member : members) {
            names.push_back(member_name(member));
        }
    }
    std::string where(std::size_t place) const {
        return fmt::format("{}: member {}", file, in_quotes(members[place].name));
    }

    std::string file;
    MappedFile mapped;
    bool regular = false;  // mapped from a file that can be read again
    Archive archive;       // it reads the mapped bytes
    mutable SpareArchives spare;
    std::vector<zip_stat_t> members;
    std::vector<std::string> names;
};

NpzFile::NpzFile(OpenedFile file) {
    const std::filesystem::path path = file.path();
    const bool recognised = is_npz(file), regular = file.is_regular();
    opened_ = std::make_unique<const Opened>(std::move(file).map(recognised), path, regular);
}

NpzFile::NpzFile(MappedFile bytes, const std::filesystem::path& origin)
    : opened_(std::make_unique<const Opened>(std::move(bytes), origin, false)) {}

NpzFile::~NpzFile() = default;

const std::vector<std::string>& NpzFile::names() const {
    return opened_->names;
}

Tensor NpzFile::read(std::size_t place) const {
    return read_member(opened_->archive.get(), place, opened_->members[place],
                       opened_->where(place));
}

std::vector<Tensor> NpzFile::read(std::span<const std::size_t> places) const {
    std::vector<Tensor> tensors(places.size());
    parallel_for(
        std::ssize(places), 1, default_threads(), [&](std::int64_t begin, std::int64_t end) {
            Archive own = opened_->spare.take();
            for (std::int64_t i = begin; i < end; ++i) {
                const std::size_t place = places[i];
                tensors[i] =
                    read_member(own.get(), place, opened_->members[place], opened_->where(place));
            }
            opened_->spare.give_back(std::move(own));
        });
    return tensors;
}

void NpzFile::release() const {
    if (opened_->regular) {
        release_mapped(opened_->mapped.bytes);
    }
}

TensorInfo NpzFile::list(std::size_t place) const {
    return list_member(opened_->archive.get(), place, opened_->members[place],
                       opened_->where(place));
}

std::vector<Tensor> read_npz(const std::filesystem::path& path) {
    const NpzFile file{OpenedFile(path)};
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < file.names().size(); ++i) {
        tensors.push_back(file.read(i));
    }
    return tensors;
}

std::vector<TensorInfo> list_npz(OpenedFile opened) {
    const NpzFile file(std::move(opened));
    std::vector<TensorInfo> infos;
    for (std::size_t i = 0; i < file.names().size(); ++i) {
        infos.push_back(file.list(i));
    }
    return infos;
}

}  // namespace ropescope
