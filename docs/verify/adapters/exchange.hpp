// For adapters in C++: reads requests of `ropescope probe --exchange safetensors` and answers them in their dtype.
#pragma once
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

struct Array {  // row-major
    std::vector<std::int64_t> shape;
    std::vector<float> values;
    std::string dtype = "F32";  // that the values had in the file: "F16" for a kernel in 16 bits
};
using Arrays = std::map<std::string, Array>;

inline float from_half(std::uint16_t bits, bool bfloat) {
    if (bfloat) {
        return std::bit_cast<float>(std::uint32_t(bits) << 16);
    }
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? std::ldexp(float(fraction), -24)
                                       : std::ldexp(float(1024 + fraction), exponent - 25);
    return bits & 0x8000 ? -size : size;
}

// Rounds to nearest, ties to even, as processors do.
inline std::uint16_t to_half(float value, bool bfloat) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if (bfloat) {
        return std::isnan(value) ? 0x7FC0 : std::uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
    }
    const std::uint16_t sign = bits >> 16 & 0x8000;
    const float size = std::fabs(value);
    if (!(size < 65520.0F)) {
        return sign | (std::isnan(value) ? 0x7E00 : 0x7C00);
    }
    const int exponent = std::max(-14, size > 0 ? std::ilogb(size) : -14);
    const int steps = int(std::nearbyint(std::ldexp(size, 10 - exponent)));  // 2048 carries into the exponent
    return sign | std::uint16_t(((exponent + 14) << 10) + steps);
}

template <typename Stored, typename Convert>
std::vector<float> values_of(const char* from, std::size_t bytes, Convert convert) {
    std::vector<Stored> stored(bytes / sizeof(Stored));
    std::memcpy(stored.data(), from, bytes);
    std::vector<float> values;
    for (const Stored each : stored) {
        values.push_back(convert(each));
    }
    return values;
}

inline Arrays load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string data(std::istreambuf_iterator<char>(file), {});
    std::uint64_t length = 0;
    std::memcpy(&length, data.data(), 8);
    Arrays arrays;
    const auto header = nlohmann::json::parse(data.substr(8, length));
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            continue;
        }
        const std::size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
        const char* from = data.data() + 8 + length + begin;
        const std::string dtype = entry["dtype"];
        Array& array = arrays[name] = {entry["shape"], {}, dtype};
        if (dtype == "F32") {
            array.values = values_of<float>(from, end - begin, [](float x) { return x; });
        } else if (dtype == "F16" || dtype == "BF16") {
            array.values = values_of<std::uint16_t>(
                from, end - begin, [&](std::uint16_t x) { return from_half(x, dtype == "BF16"); });
        } else if (dtype == "I64") {  // positions: exact up to 2^24
            array.values = values_of<std::int64_t>(from, end - begin, [](std::int64_t x) { return float(x); });
        } else {
            throw std::runtime_error("this adapter takes float32, float16 and bfloat16");
        }
    }
    return arrays;
}

inline void save(const std::string& path, const Arrays& arrays) {
    nlohmann::json header;
    std::string data;
    for (const auto& [name, array] : arrays) {
        const std::size_t begin = data.size();
        for (const float value : array.values) {
            const std::uint16_t half = to_half(value, array.dtype == "BF16");
            array.dtype == "F32" ? data.append(reinterpret_cast<const char*>(&value), 4)
                                 : data.append(reinterpret_cast<const char*>(&half), 2);
        }
        header[name] = {{"dtype", array.dtype}, {"shape", array.shape}, {"data_offsets", {begin, data.size()}}};
    }
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), 8) << text << data;
}

// The norm beside the rotation of `probe --norm`, and its weights [D].
struct Norm {
    std::string kind, order;  // "rms", "rms_plus_one", "layer" or "l2"; "before" or "after"
    float eps = 0;
    Array weight;
};

// Calls `rotate(x, positions)` on q and k of every request, or `rotate(x, positions, norm)`. What libraries print to
// standard output goes to standard error, so that answers stand alone.
template <typename Rotate>
void serve(Rotate rotate) {
    const int answers = dup(1);
    dup2(2, 1);
    for (std::string line; std::getline(std::cin, line);) {
        const auto job = nlohmann::json::parse(line);
        nlohmann::json answer = {{"id", job["id"]}};
        try {
            const Arrays given = load(job["input"]);
            Arrays turned;
            for (const std::string name : {"q", "k"}) {
                if (given.count(name) == 0) {
                    continue;  // --tensors q
                }
                if constexpr (std::is_invocable_v<Rotate, Array, Array, Norm>) {
                    const auto norm = job.at("norm");
                    turned[name + "_rot"] =
                        rotate(given.at(name), given.at("positions"),
                               Norm{norm["kind"], norm["order"], norm["eps"], given.at(name + "_norm")});
                } else {
                    turned[name + "_rot"] = rotate(given.at(name), given.at("positions"));
                }
            }
            save(job["output"], turned);
        } catch (const std::exception& error) {
            answer["error"] = error.what();
        }
        const std::string text = answer.dump() + "\n";
        if (write(answers, text.data(), text.size()) < 0) {
            return;
        }
    }
}
