// Files cut short anywhere or with a byte changed anywhere: read, or refused by one line that names
// the file; never another exception and never a crash.
#include <fstream>
#include <functional>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/model_config.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/random.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

constexpr int kRounds = 1000;

using Reader = std::function<void(const std::filesystem::path&)>;

void read_safetensors(const std::filesystem::path& path) {
    const SafetensorsFile file = SafetensorsFile::open(path);
    for (const TensorBytes& tensor : file.tensors()) {
        to_f64(tensor);
    }
}

class MalformedFiles : public testing::Test {
  protected:
    /// Whether the file as it stands is read; otherwise it must be refused properly.
    bool read(const Reader& reader, const std::string& what) {
        try {
            reader(path_);
            return true;
        } catch (const InputError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find(path_.string()), std::string::npos) << what << ": " << message;
            EXPECT_EQ(message.find('\n'), std::string::npos) << what << ": " << message;
            EXPECT_LT(message.size(), 700U) << what << ": " << message;
        } catch (const std::exception& error) {
            ADD_FAILURE() << what << ": " << error.what();
        }
        return false;
    }

    void cut_everywhere(const std::string& whole, const Reader& reader) {
        write_file_whole(path_, whole);
        EXPECT_TRUE(read(reader, "whole"));
        for (std::size_t length = whole.size(); length-- > 0;) {
            std::filesystem::resize_file(path_, length);
            EXPECT_FALSE(read(reader, "length " + std::to_string(length)))
                << "a file cut to " << length << " of " << whole.size() << " bytes was read";
        }
    }

    void mutate(const std::string& whole, const Reader& reader, int rounds) {
        test::Random random;
        SCOPED_TRACE(random.trace());
        // Digits, brackets and quotes change the meaning where a random byte only breaks the text.
        const std::string telling = "0123456789-.eE[]{}\",:()'\\ LTFn";
        write_file_whole(path_, whole);
        std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
        const auto put = [&](std::size_t at, char byte) {
            file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
        };
        for (int round = 0; round < rounds; ++round) {
            const auto at = static_cast<std::size_t>(random.integer(0, std::ssize(whole) - 1));
            const std::int64_t any = random.integer(0, 255);
            put(at,
                random.integer(0, 1) == 0 ? telling[any % telling.size()] : static_cast<char>(any));
            read(reader, "byte " + std::to_string(at) + " changed");
            put(at, whole[at]);
        }
    }

    std::string safetensors() const {
        const std::vector<Tensor> tensors = {
            make_tensor_as(Dtype::f32, "q", {2, 3}, std::vector<double>(6, 1)),
            make_tensor_as(Dtype::bf16, "k\n", {1}, std::vector<double>{2}),
            make_tensor("positions", {2}, std::vector<std::int64_t>{0, 1})};
        write_safetensors(folder_ / "made", tensors, {{"by", "test"}});
        return read_file(folder_ / "made");
    }
    std::string npy() const {
        write_npy(folder_ / "made",
                  make_tensor_as(Dtype::f32, "q", {2, 3}, std::vector<double>(6, 1)).view());
        return read_file(folder_ / "made");
    }
    std::string npz(test::Compression compression) const {
        test::write_zip(folder_ / "made", {{"q.npy", npy()}, {"k.npy", npy()}}, compression);
        return read_file(folder_ / "made");
    }

    test::TempFolder folder_;
    std::filesystem::path path_ = folder_ / "read";
};

constexpr const char* kConfig = R"({"model_type": "gpt_neox", "hidden_size": 6144,
 "num_attention_heads": 64, "max_position_embeddings": 2048, "rotary_emb_base": 10000,
 "rotary_pct": 0.25, "rope_scaling": {"type": "default"}, "architectures": ["A\n"]})";

void read_config(const std::filesystem::path& path) {
    open_model(path.string());
}

TEST_F(MalformedFiles, SafetensorsCut) {
    cut_everywhere(safetensors(), read_safetensors);
}
TEST_F(MalformedFiles, SafetensorsChanged) {
    mutate(safetensors(), read_safetensors, kRounds);
}
TEST_F(MalformedFiles, NpyCut) {
    cut_everywhere(npy(), [](const auto& path) { read_npy(path); });
}
TEST_F(MalformedFiles, NpyChanged) {
    mutate(
        npy(), [](const auto& path) { read_npy(path); }, kRounds);
}
TEST_F(MalformedFiles, StoredNpzCut) {
    cut_everywhere(npz(test::Compression::stored), read_npz);
}
TEST_F(MalformedFiles, StoredNpzChanged) {
    mutate(npz(test::Compression::stored), read_npz, kRounds);
}
TEST_F(MalformedFiles, DeflatedNpzCut) {
    cut_everywhere(npz(test::Compression::deflated), read_npz);
}
TEST_F(MalformedFiles, DeflatedNpzChanged) {
    mutate(npz(test::Compression::deflated), read_npz, kRounds);
}
TEST_F(MalformedFiles, ConfigCut) {
    cut_everywhere(kConfig, read_config);
}
TEST_F(MalformedFiles, ConfigChanged) {
    mutate(kConfig, read_config, kRounds);
}

}  // namespace
}  // namespace ropescope
