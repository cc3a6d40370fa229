# tenon_flags: how every file of the project is compiled. Not installed, not passed on to users.
include(CheckCCompilerFlag)
set(TENON_NO_FUSING "")
foreach(flag -mno-fma -mno-fma4 -mno-avx512f) # gcc makes vfmaddsub of alternating sums despite fp-contract=off
    string(MAKE_C_IDENTIFIER "TENON_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        list(APPEND TENON_NO_FUSING ${flag})
    endif()
endforeach()
add_library(tenon_flags INTERFACE)
target_compile_features(tenon_flags INTERFACE c_std_17)
target_compile_options(tenon_flags INTERFACE
    -Wall -Wextra -Wno-missing-field-initializers # ids by their places alone: (tn_body){3}
    -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    -ffp-contract=off   # the same bits on machines with and without fused multiply-add
    ${TENON_NO_FUSING}  # nor where the compiler finds pairs of them all the same (-march=native)
    -fno-math-errno     # nobody reads errno after sqrt
    -fno-semantic-interposition
    $<$<BOOL:${TENON_WERROR}>:-Werror>)
# Assertions on the caller's contract are on in the builds people debug with.
target_compile_definitions(tenon_flags INTERFACE
    $<$<CONFIG:Debug,RelWithDebInfo>:TN_ASSERTIONS=1>)

set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# TENON_SANITIZER_FLAGS is also what a consumer of a sanitized build has to link with.
set(TENON_SANITIZER_FLAGS "")
if(TENON_SANITIZE)
    list(APPEND TENON_SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_compile_options(tenon_flags INTERFACE -fno-omit-frame-pointer)
    # -O1: instrumented code at -O2 costs gcc minutes in the unrolled block kernels. -g1: reports name functions and lines.
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # the tests link one shared library with everything inside (tenon_inside)
        set(CMAKE_C_VISIBILITY_PRESET default)
        # to follow variables through instrumented code takes half of the compile time
        target_compile_options(tenon_flags INTERFACE -fno-var-tracking)
        # instrumented code confuses gcc's flow analysis; the other builds keep the warnings
        target_compile_options(tenon_flags INTERFACE -Wno-maybe-uninitialized -Wno-format-truncation)
    endif()
endif()
if(TENON_RACES)
    list(APPEND TENON_SANITIZER_FLAGS -fsanitize=thread)
    # what threads share is the same at every level: a quarter of the compile time of -O1
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-Og -g1")
endif()
if(TENON_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "TENON_FUZZ needs clang (libFuzzer)")
    endif()
    target_compile_options(tenon_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_compile_options(tenon_flags INTERFACE ${TENON_SANITIZER_FLAGS})
target_link_options(tenon_flags INTERFACE ${TENON_SANITIZER_FLAGS})
