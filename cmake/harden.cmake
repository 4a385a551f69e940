# Hardened: what reads and writes files and command lines looks after its buffers and its stack (the numerics do not: they
# read nothing that others wrote), and no table of addresses stays writable. Position-independent it all is anyway.
add_link_options(-Wl,-z,relro,-z,now)

# fw_harden(TARGET REGEX): the sources of a target whose paths match.
function(fw_harden target regex)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR FW_SANITIZE OR FW_BUILD_FUZZERS)
    return() # sanitizers see more, and -D_FORTIFY_SOURCE needs optimisation
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "${regex}")
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_OPTIONS "-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong")
endfunction()
