// Reads JSON of a known form straight through and names the byte of each mistake. It builds no
// tree, so nothing nests deeper than the caller asks for, and only what the caller takes is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ropescope {

class JsonReader {
  public:
    /// `origin` (a file's name) starts every message; the text starts at byte `first_byte` of it.
    JsonReader(std::string_view text, std::string origin, std::size_t first_byte)
        : text_(text), origin_(std::move(origin)), first_byte_(first_byte) {}

    /// Where the next token starts, as a byte of the file.
    std::size_t byte();

    /// Calls on_member(key, byte of the key) for each member of an object; it reads the value.
    template <typename OnMember>
    void object(std::string_view what, OnMember on_member) {
        expect('{', what);
        if (accept('}')) {
            return;
        }
        do {
            const std::size_t key_byte = byte();
            const std::string key = string(what);
            expect(':', what);
            on_member(key, key_byte);
        } while (accept(','));
        expect('}', what);
    }

    /// Calls on_item() for each item of an array; it reads the item.
    template <typename OnItem>
    void array(std::string_view what, OnItem on_item) {
        expect('[', what);
        if (accept(']')) {
            return;
        }
        do {
            on_item();
        } while (accept(','));
        expect(']', what);
    }

    std::string string(std::string_view what);
    /// A number of digits alone, at most 2^63 - 1.
    std::int64_t integer(std::string_view what);
    /// Throws if anything but white space is left.
    void end(std::string_view what);

    /// Throws InputError "origin: byte N: what".
    [[noreturn]] void fail(std::size_t at_byte, std::string_view what) const;

  private:
    bool accept(char wanted);
    void expect(char wanted, std::string_view what);
    [[noreturn]] void fail_expected(std::string_view what, std::string_view expected);

    std::string_view text_;
    std::string origin_;
    std::size_t first_byte_;
    std::size_t at_ = 0;
};

}  // namespace ropescope
