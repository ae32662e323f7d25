// Reads every rotation of a pack: read_vectors PACK_FOLDER
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

int main(int, char** arguments) {
    const std::string folder = arguments[1];
    const auto index = nlohmann::json::parse(std::ifstream(folder + "/index.json"));
    std::ifstream file(folder + "/" + index["data"].get<std::string>(), std::ios::binary);
    const std::string data(std::istreambuf_iterator<char>(file), {});
    std::uint64_t length = 0;
    std::memcpy(&length, data.data(), 8);
    const auto header = nlohmann::json::parse(data.substr(8, length));
    const auto numbers = [&]<typename T>(const std::string& name, T) {  // row-major
        const std::size_t begin = header[name]["data_offsets"][0], end = header[name]["data_offsets"][1];
        std::vector<T> values((end - begin) / sizeof(T));
        std::memcpy(values.data(), data.data() + 8 + length + begin, end - begin);
        return values;
    };
    for (const auto& test : index["cases"]) {
        const std::vector<float> x = numbers(test["inputs"]["x"], float{});
        const std::vector<double> positions = numbers(test["inputs"]["positions"], double{});
        const std::vector<double> expected = numbers(test["expected"], double{});
        std::cout << test["id"].get<std::string>() << ": " << x.size() << " numbers, "
                  << positions.size() << " positions, the first becomes " << expected[0] << "\n";
    }
}
