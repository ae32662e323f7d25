// For adapters in C++: reads requests of `ropescope probe --exchange safetensors` and answers them.
#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

struct Array {  // row-major
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};
using Arrays = std::map<std::string, Array>;

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
        Array& array = arrays[name] = {entry["shape"], {}};
        if (entry["dtype"] == "F32") {
            array.values.resize((end - begin) / sizeof(float));
            std::memcpy(array.values.data(), from, end - begin);
        } else if (entry["dtype"] == "I64") {
            std::vector<std::int64_t> integers((end - begin) / sizeof(std::int64_t));
            std::memcpy(integers.data(), from, end - begin);
            for (const std::int64_t integer : integers) {
                array.values.push_back(static_cast<float>(integer));
            }
        } else {
            throw std::runtime_error("this adapter takes float32 only");
        }
    }
    return arrays;
}

inline void save(const std::string& path, const Arrays& arrays) {
    nlohmann::json header;
    std::string data;
    for (const auto& [name, array] : arrays) {
        const std::size_t begin = data.size();
        data.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(float));
        header[name] = {{"dtype", "F32"}, {"shape", array.shape}, {"data_offsets", {begin, data.size()}}};
    }
    const std::string text = header.dump();
    const std::uint64_t length = text.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), 8) << text << data;
}

// Calls `rotate(x, positions)` on q and k of every request.
template <typename Rotate>
void serve(Rotate rotate) {
    for (std::string line; std::getline(std::cin, line);) {
        const auto job = nlohmann::json::parse(line);
        nlohmann::json answer = {{"id", job["id"]}};
        try {
            const Arrays given = load(job["input"]);
            save(job["output"], {{"q_rot", rotate(given.at("q"), given.at("positions"))},
                                 {"k_rot", rotate(given.at("k"), given.at("positions"))}});
        } catch (const std::exception& error) {
            answer["error"] = error.what();
        }
        std::cout << answer.dump() << std::endl;
    }
}
