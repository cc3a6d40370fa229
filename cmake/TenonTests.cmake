# Tests: tests/test_*.c (Check, one executable each), examples/*.c (must run), and script tests.
# Labels: check = counted by Check's own result lines, script = one test each.
find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)   # oracles of dense algebra
find_path(MUPARSER_INCLUDE_DIR muParserDLL.h REQUIRED)        # formulas and units as others read them
find_library(MUPARSER_LIBRARY muparser REQUIRED)
find_path(UDUNITS_INCLUDE_DIR udunits2.h REQUIRED)
find_library(UDUNITS_LIBRARY udunits2 REQUIRED)
find_path(MUMPS_INCLUDE_DIR dmumps_c.h REQUIRED)
find_library(MUMPS_LIBRARY dmumps_seq REQUIRED)

set(tests_dir "${PROJECT_SOURCE_DIR}/tests")
set(TENON_TEST_SECONDS 600 CACHE STRING "Longest time of one test program")

add_library(tenon_test_settings INTERFACE)
target_include_directories(tenon_test_settings INTERFACE "${tests_dir}" "${tests_dir}/support")
target_include_directories(tenon_test_settings SYSTEM INTERFACE "${MUMPS_INCLUDE_DIR}")
target_compile_definitions(tenon_test_settings INTERFACE
    TN_TEST_DATA="${tests_dir}/data"
    TN_EXAMPLES="${PROJECT_SOURCE_DIR}/examples"
    TN_DOCS="${PROJECT_SOURCE_DIR}/docs"
    TN_TEST_OUTPUT="${PROJECT_BINARY_DIR}/test-output")
if(TARGET tenon)
    target_compile_definitions(tenon_test_settings INTERFACE TN_TOOL="$<TARGET_FILE:tenon>")
endif()
target_link_libraries(tenon_test_settings INTERFACE tenon_all PkgConfig::CHECK PkgConfig::LAPACKE
                                                    "${MUMPS_LIBRARY}" "${MUPARSER_LIBRARY}"
                                                    "${UDUNITS_LIBRARY}")
if(TENON_HAS_IO)
    target_link_libraries(tenon_test_settings INTERFACE PkgConfig::HDF5) # reads back what is recorded
endif()
target_link_options(tenon_test_settings INTERFACE -Wl,--as-needed)
# Some 170 programs are linked, each in a fifth to a half of the processor time that ld.bfd takes.
include(CheckLinkerFlag)
foreach(linker lld gold)
    check_linker_flag(C "-fuse-ld=${linker}" TENON_HAS_LINKER_${linker})
    if(TENON_HAS_LINKER_${linker})
        target_link_options(tenon_test_settings INTERFACE "-fuse-ld=${linker}")
        break()
    endif()
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/test-output")

file(GLOB support_sources CONFIGURE_DEPENDS "${tests_dir}/support/*.c")
if(support_sources)
    add_library(tenon_test_support STATIC ${support_sources})
    target_link_libraries(tenon_test_support PRIVATE tenon_test_settings)
endif()

# Loops of the benches' scenes.
set(scene_tests test_long_loops test_straight_hinges test_linkage test_linkage_held test_linkage_tiles test_space_tiles
                test_told test_starts)

# Their bounds on memory hold only where no sanitizer maps terabytes; what calls beyond the contract answer where
# assertions are off. Their label plain, like that of what includes tests/support/heavy.h, is for builds without sanitizers.
set(plain_tests test_degenerate test_files test_slips test_math test_time_grid)

# Tests run in the library: their own instrumented code takes half as long to compile with -Og.
set(test_optimisation "")
if(TENON_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(test_optimisation -Og)
endif()
file(GLOB test_sources CONFIGURE_DEPENDS "${tests_dir}/test_*.c")
foreach(source IN LISTS test_sources)
    get_filename_component(name "${source}" NAME_WE)
    # tests/support/heavy.h: all their cases run where the code is optimised
    file(STRINGS "${source}" heavy REGEX "#include \"support/heavy.h\"")
    set(labels check)
    if(heavy OR name IN_LIST plain_tests)
        list(APPEND labels plain)
    endif()
    if(TENON_PLAIN AND NOT "plain" IN_LIST labels)
        add_library(${name} OBJECT "${source}") # for its warnings, which need no optimisation
        target_compile_options(${name} PRIVATE -O0)
    else()
        add_executable(${name} "${source}")
        target_compile_options(${name} PRIVATE ${test_optimisation})
        if(support_sources)
            target_link_libraries(${name} PRIVATE tenon_test_support)
        endif()
    endif()
    target_link_libraries(${name} PRIVATE tenon_test_settings)
    if(name IN_LIST scene_tests)
        target_link_libraries(${name} PRIVATE tenon_scenes)
    endif()
    get_target_property(kind ${name} TYPE)
    if(kind STREQUAL "OBJECT_LIBRARY")
        continue()
    endif()
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    if(TARGET tenon)
        add_dependencies(${name} tenon)
    endif()
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${tests_dir}")
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${TENON_TEST_SECONDS}
        ENVIRONMENT "CK_DEFAULT_TIMEOUT=${TENON_TEST_SECONDS};CK_VERBOSITY=normal")
endforeach()

# Calls of every public function with every argument wrong, made from the headers.
file(GLOB public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/tenon/*.h")
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/misuse/misuse_calls.h"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/misuse"
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/scripts/make_misuse.py" "${CMAKE_C_COMPILER}"
            "${PROJECT_BINARY_DIR}/misuse/misuse_calls.h"
    DEPENDS ${public_headers} "${PROJECT_SOURCE_DIR}/scripts/make_misuse.py")
target_sources(test_misuse PRIVATE "${PROJECT_BINARY_DIR}/misuse/misuse_calls.h")
target_include_directories(test_misuse PRIVATE "${PROJECT_BINARY_DIR}/misuse")
# Calls of every public function with arguments drawn by their types, of fuzz_sequences.
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/misuse/sequence_calls.h"
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/scripts/make_sequences.py" "${CMAKE_C_COMPILER}"
            "${PROJECT_BINARY_DIR}/misuse/sequence_calls.h"
    DEPENDS ${public_headers} "${PROJECT_SOURCE_DIR}/scripts/make_sequences.py" "${PROJECT_SOURCE_DIR}/scripts/make_misuse.py")

# Examples in C must run and answer 0.
file(GLOB example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
foreach(source IN LISTS example_sources)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(example_${name} "${source}")
    target_link_libraries(example_${name} PRIVATE tenon_all)
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    add_test(NAME example_${name} COMMAND example_${name}
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/examples")
    set_tests_properties(example_${name} PROPERTIES LABELS script TIMEOUT ${TENON_TEST_SECONDS})
endforeach()

# tenon_script_test(name label command...): passes when the command answers 0.
function(tenon_script_test name label)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES LABELS "script;${label}" TIMEOUT ${TENON_TEST_SECONDS})
endfunction()

# Python tests, mostly of the tool as its users call it: TENON names the program.
file(GLOB python_tests CONFIGURE_DEPENDS "${tests_dir}/test_*.py")
# Whole runs whose numbers are compared are made where the code is optimised: label plain, and there alone.
set(whole_runs test_audit_examples test_campaign test_example_machines test_far_turns test_study_killed)
foreach(source IN LISTS python_tests)
    get_filename_component(name "${source}" NAME_WE)
    set(labels script)
    if(name IN_LIST whole_runs AND TENON_SANITIZE)
        continue()
    endif()
    if(name IN_LIST whole_runs OR name IN_LIST plain_tests)
        list(APPEND labels plain)
    endif()
    add_test(NAME ${name} COMMAND Python3::Interpreter -B "${source}" WORKING_DIRECTORY "${tests_dir}")
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${TENON_TEST_SECONDS}
        ENVIRONMENT "TENON_BUILD=${PROJECT_BINARY_DIR};TENON=${PROJECT_BINARY_DIR}/tenon;TENON_FEW=$<BOOL:${TENON_SANITIZE}>")
endforeach()

# The npm package under node, when it was built.
if(TENON_PAGE)
    add_test(NAME npm_package COMMAND Python3::Interpreter -B "${tests_dir}/page/test_npm.py"
        WORKING_DIRECTORY "${tests_dir}/page")
    set_tests_properties(npm_package PROPERTIES LABELS "script;plain" TIMEOUT ${TENON_TEST_SECONDS}
        ENVIRONMENT "TENON_BUILD=${PROJECT_BINARY_DIR};TENON=${PROJECT_BINARY_DIR}/tenon")
endif()

# The page in a browser, when it was built from its sources.
find_program(TENON_BROWSER NAMES chromium chromium-browser)
if(TENON_PAGE AND TENON_BROWSER)
    set(page_tests page)
    add_test(NAME page COMMAND Python3::Interpreter -B "${tests_dir}/page/test_page.py"
        WORKING_DIRECTORY "${tests_dir}/page")
    foreach(name workshop given outlines positions words random marks)
        list(APPEND page_tests page_${name})
        add_test(NAME page_${name} COMMAND Python3::Interpreter -B "${tests_dir}/page/test_${name}.py"
            WORKING_DIRECTORY "${tests_dir}/page")
    endforeach()
    add_test(NAME page_stored COMMAND "${CMAKE_COMMAND}" -DBUILT=${PROJECT_BINARY_DIR}/page/page.html
        -DSTORED=${PROJECT_SOURCE_DIR}/web/page.tar.xz -DFOLDER=${PROJECT_BINARY_DIR}/page/stored
        -P "${PROJECT_SOURCE_DIR}/cmake/ComparePage.cmake")
    # a browser without a graphics card: twice as long as others; not two of them at once
    math(EXPR page_seconds "2 * ${TENON_TEST_SECONDS}")
    set_tests_properties(${page_tests} page_stored PROPERTIES LABELS "script;plain" TIMEOUT ${page_seconds}
        ENVIRONMENT "TENON=${PROJECT_BINARY_DIR}/tenon")
    set_tests_properties(${page_tests} PROPERTIES RESOURCE_LOCK browser)
endif()

# The house rules.
set(scripts "${PROJECT_SOURCE_DIR}/scripts")
tenon_script_test(include_order house Python3::Interpreter -B "${scripts}/check_rooms.py")
tenon_script_test(writers house Python3::Interpreter -B "${scripts}/check_writers.py")
tenon_script_test(loops house Python3::Interpreter -B "${scripts}/check_loops.py")
tenon_script_test(singular_constants house Python3::Interpreter -B "${scripts}/check_constants.py")
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(CLANG_FORMAT)
    tenon_script_test(format house sh "${scripts}/format.sh" --check "${CLANG_FORMAT}")
endif()
foreach(pair gcc:g++ clang:clang++)
    string(REPLACE ":" ";" compilers ${pair})
    list(GET compilers 0 c)
    list(GET compilers 1 cxx)
    find_program(TENON_${c}_PROGRAM ${c})
    find_program(TENON_${c}_CXX_PROGRAM ${cxx})
    if(TENON_${c}_PROGRAM AND TENON_${c}_CXX_PROGRAM)
        tenon_script_test(headers_${c} house sh "${scripts}/check_headers.sh"
            "${TENON_${c}_PROGRAM}" "${TENON_${c}_CXX_PROGRAM}")
    endif()
endforeach()

# What is delivered can only be judged without instrumentation: label plain.
if(NOT TENON_SANITIZE AND NOT TENON_FUZZ AND NOT TENON_RACES)
    tenon_script_test(library_core plain Python3::Interpreter -B "${scripts}/check_library.py" core
        $<TARGET_FILE:tenon_core> $<TARGET_FILE:tenon_core_static>)
    if(TENON_HAS_IO)
        tenon_script_test(library_io plain Python3::Interpreter -B "${scripts}/check_library.py" io
            $<TARGET_FILE:tenon_io> $<TARGET_FILE:tenon_io_static>)
    endif()
    tenon_script_test(package_install plain sh "${scripts}/test_package.sh" install all
        "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}")
    set_tests_properties(package_install PROPERTIES FIXTURES_SETUP package)
    foreach(way cmake pkgconfig)
        foreach(kind shared static)
            tenon_script_test(package_${way}_${kind} plain sh "${scripts}/test_package.sh" ${way}
                ${kind} "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}")
            set_tests_properties(package_${way}_${kind} PROPERTIES FIXTURES_REQUIRED package)
        endforeach()
    endforeach()
    # The site of make docs, warnings being errors.
    tenon_script_test(docs_site plain Python3::Interpreter -B "${scripts}/make_docs.py" $<TARGET_FILE:tenon>
        "${PROJECT_BINARY_DIR}/site")
    # A Python that has what the wheel is made of; Debian's, where another one comes first.
    foreach(candidate IN ITEMS "${Python3_EXECUTABLE}" /usr/bin/python3)
        execute_process(COMMAND "${candidate}" -c "import cffi, numpy, pytest, setuptools, venv, wheel"
            RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
        if(NOT missing)
            set(wheel_python "${candidate}")
            break()
        endif()
    endforeach()
    if(NOT wheel_python)
        message(FATAL_ERROR "no Python with cffi, NumPy, pytest, setuptools, venv and wheel: "
            "sh scripts/setup.sh test, or -DTENON_TESTS=OFF")
    endif()
    tenon_script_test(python_package plain sh "${scripts}/test_python.sh" "${PROJECT_BINARY_DIR}"
        "${wheel_python}")
endif()

# Fuzz programs: fuzz/fuzz_*.c. check_NAME runs one on its seeds and on a fixed number of changes of
# them, in every build; fuzz_NAME under libFuzzer, linked by any clang build so that it does not rot.
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c")
set(fuzz_rounds_fuzz_calls 40)
set(fuzz_rounds_fuzz_model 0) # test_fuzz_model has more
set(fuzz_rounds_fuzz_mesh 2000)
set(fuzz_rounds_fuzz_solid 2000)
set(fuzz_rounds_fuzz_import 2000)
set(fuzz_rounds_fuzz_formula 5000)
set(fuzz_rounds_fuzz_saved 5000)
set(fuzz_rounds_fuzz_motion 100)
set(fuzz_rounds_fuzz_beside 200)
set(fuzz_rounds_fuzz_record 20)
set(fuzz_rounds_fuzz_command 20)
set(fuzz_rounds_fuzz_sequences 100)
set(fuzz_environment_fuzz_sequences TENON_FUZZ_BYTES=4000)
add_library(tenon_fuzz_run OBJECT "${PROJECT_SOURCE_DIR}/fuzz/run.c")
target_link_libraries(tenon_fuzz_run PRIVATE tenon_test_settings)
foreach(source IN LISTS fuzz_sources)
    get_filename_component(name "${source}" NAME_WE)
    string(REPLACE fuzz_ check_ check "${name}")
    if(NOT DEFINED fuzz_rounds_${name})
        message(FATAL_ERROR "fuzz_rounds_${name} is not set: ${check} would run on nothing")
    endif()
    set(seeds "")
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/fuzz/seeds/${name}")
        list(APPEND seeds "${PROJECT_SOURCE_DIR}/fuzz/seeds/${name}")
    endif()
    if(EXISTS "${PROJECT_SOURCE_DIR}/fuzz/${name}.seeds") # folders that hold more, as scripts/fuzz.sh has them
        file(STRINGS "${PROJECT_SOURCE_DIR}/fuzz/${name}.seeds" folders)
        list(TRANSFORM folders PREPEND "${PROJECT_SOURCE_DIR}/")
        list(APPEND seeds ${folders})
    endif()
    add_library(${name}_object OBJECT "${source}")
    target_link_libraries(${name}_object PRIVATE tenon_test_settings)
    set(objects $<TARGET_OBJECTS:${name}_object>)
    if(name STREQUAL fuzz_sequences)
        target_sources(${name}_object PRIVATE "${PROJECT_BINARY_DIR}/misuse/sequence_calls.h")
        target_include_directories(${name}_object PRIVATE "${PROJECT_BINARY_DIR}/misuse")
    endif()
    if(name STREQUAL fuzz_command) # the tool, whose main it calls
        target_include_directories(${name}_object PRIVATE "${PROJECT_SOURCE_DIR}/tool")
        target_compile_options(${name}_object PRIVATE -Wno-missing-prototypes)
        list(APPEND objects "$<FILTER:$<TARGET_OBJECTS:tenon_tool_objects>,EXCLUDE,/main\\.c>"
            "${PROJECT_SOURCE_DIR}/tool/studies/study_alone.c")
    endif()
    add_executable(${check} ${objects} $<TARGET_OBJECTS:tenon_fuzz_run>)
    target_link_libraries(${check} PRIVATE tenon_test_support tenon_test_settings)
    target_include_directories(${check} PRIVATE "${PROJECT_SOURCE_DIR}/tool")
    set_target_properties(${check} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    tenon_script_test(${check} fuzz "${CMAKE_COMMAND}" -E env ${fuzz_environment_${name}} $<TARGET_FILE:${check}>
        ${fuzz_rounds_${name}} ${seeds})
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
        add_executable(${name} ${objects})
        target_link_libraries(${name} PRIVATE tenon_test_support tenon_test_settings)
        target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tool")
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    endif()
endforeach()

# The same bits from the compiler and the optimisation that differ most, or from the build TENON_BITS_BESIDE; `make bits` asks all.
add_executable(bits_runs "${tests_dir}/bits/runs.c")
target_link_libraries(bits_runs PRIVATE tenon_test_settings)
set_target_properties(bits_runs PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
if(NOT TENON_SANITIZE AND NOT TENON_FUZZ AND NOT TENON_RACES)
    tenon_script_test(same_bits plain sh "${scripts}/bits.sh" "${PROJECT_BINARY_DIR}/bits"
        "$<TARGET_FILE:bits_runs>" clang_O0)
    set_tests_properties(same_bits PROPERTIES
        ENVIRONMENT "LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER};BESIDE=${TENON_BITS_BESIDE}")
endif()

# From cold, ctest knows no times: what takes longest begins first. Seconds, on two cores.
foreach(pair page:120 test_limits_pole:70 test_study:60 page_workshop:55 docs_site:50 test_accuracy:45 test_tool:43 python_package:43
        test_mechanisms:40 test_killed:35 test_linkage:30 test_hinge_acts:25 test_files:25)
    string(REPLACE ":" ";" cost ${pair})
    list(GET cost 0 name)
    list(GET cost 1 seconds)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES COST ${seconds})
    endif()
endforeach()
