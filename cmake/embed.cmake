# cmake -DOUTPUT=file.c -DINPUTS="a.xml;b.xml" -P embed.cmake
# Writes a C file with each input as text, listed by its name without extension, for api/templates.h.
set(bodies "")
set(list "")
set(number 0)
foreach(input ${INPUTS})
  get_filename_component(name ${input} NAME_WE)
  file(READ ${input} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND bodies "static const unsigned char text_${number}[] = {${bytes}0};\n")
  string(APPEND list "    {\"${name}\", (const char *)text_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"api/templates.h\"\n${bodies}const fw_template_text fw_templates[] = {\n${list}    {0, 0}};\n")
