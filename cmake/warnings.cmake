# Warnings and sanitizers shared by every target.
add_library(fw_warnings INTERFACE)
target_compile_options(fw_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow>)
if(FW_WERROR)
  target_compile_options(fw_warnings INTERFACE -Werror)
endif()
if(FW_SANITIZE)
  target_compile_options(fw_warnings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(fw_warnings INTERFACE -fsanitize=address,undefined)
endif()
# Asserts are on in whatever is fuzzed.
if(FW_BUILD_FUZZERS)
  target_compile_options(fw_warnings INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer -O1 -gline-tables-only -UNDEBUG)
  target_link_options(fw_warnings INTERFACE -fsanitize=address,undefined)
endif()
