# ropescope_subset_fonts(result characters fonts...): makes a subset of each font of DejaVu, which Debian
# packages, with the characters of a list, and names the files. A new subset differs in no outline.
find_program(HB_SUBSET hb-subset REQUIRED)
find_path(DEJAVU_FOLDER DejaVuSans.ttf REQUIRED
  PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu-sans-fonts /usr/share/fonts/TTF)

function(ropescope_subset_fonts result characters)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${characters})
  file(STRINGS ${characters} lines REGEX "^[0-9A-F]")
  list(TRANSFORM lines REPLACE " .*" "")
  list(JOIN lines "," ranges)
  foreach(font IN LISTS ARGN)
    set(subset ${CMAKE_CURRENT_BINARY_DIR}/assets/fonts/${font})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/assets/fonts)
    add_custom_command(OUTPUT ${subset}
      COMMAND ${HB_SUBSET} --unicodes=${ranges} --output-file=${subset} ${DEJAVU_FOLDER}/${font}
      DEPENDS ${characters} ${DEJAVU_FOLDER}/${font}
      VERBATIM)
    list(APPEND subsets ${subset})
  endforeach()
  set(${result} ${subsets} PARENT_SCOPE)
endfunction()
