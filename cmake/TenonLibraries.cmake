# The core (libtenon: libc and libm only), the input/output library (libtenon_io: libfyaml, and expat for the
# models of others; HDF5 is loaded when a file of it is asked for) and the tool. Each library is compiled once and delivered static and shared.
set(TENON_CORE_ROOMS base crew real quantity math element sparse reduce spec joint force model state assemble solve
                     coords motion law method step sim measure redundancy lanes batch)
set(TENON_IO_ROOMS file record io study)
if(TENON_IMPORT)
    list(APPEND TENON_IO_ROOMS import)
endif()

# The C files of some rooms of src/ and of the rooms in them; a room may still be empty.
function(tenon_room_sources out)
    set(sources "")
    foreach(room IN LISTS ARGN)
        file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.c")
        list(APPEND sources ${found})
    endforeach()
    set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Steps side by side are some 1400 sums and products of a body, more than a processor looks ahead: gcc is to put what
# does not wait for each other side by side before it gives out registers (3 to 5 % of the time). Where functions
# begin within a line of the cache makes up to 6 %.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/lanes/kernel_2.c"
        "${PROJECT_SOURCE_DIR}/src/lanes/kernel_4.c" PROPERTIES COMPILE_OPTIONS
        "-fschedule-insns;-fsched-pressure;-fno-sched-interblock;-fno-tree-pre;-mtune=skylake-avx512;-falign-functions=64;-falign-loops=64")
endif()

# What the shared libraries export: the interface under the version of the library, what one of them
# needs of another (TN_SIBLING) under TENON_PRIVATE, which no program may link against: it may change at
# any time, and the loader says so.
function(tenon_write_export_list out)
    set(private "")
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.h")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
    foreach(header IN LISTS headers)
        file(STRINGS "${header}" lines REGEX "^TN_SIBLING .*tn_[a-z0-9_]+\\(")
        foreach(line IN LISTS lines)
            string(REGEX MATCH "(tn_[a-z0-9_]+)\\(" found "${line}")
            string(APPEND private "        ${CMAKE_MATCH_1};\n")
        endforeach()
    endforeach()
    file(CONFIGURE OUTPUT "${out}" CONTENT "TENON_${PROJECT_VERSION_MAJOR} {\n    global:\n        tn_*;\n    local:\n        *;\n};
TENON_PRIVATE {\n    global:\n${private}};\n")
endfunction()

set(TENON_EXPORT_LIST "${PROJECT_BINARY_DIR}/exports.map")
tenon_write_export_list("${TENON_EXPORT_LIST}")

# One library from objects: <name> (shared) and <name>_static, both called lib<output>.
function(tenon_add_library name output)
    add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
    add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
    foreach(target ${name} ${name}_static)
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME ${output}
            LINKER_LANGUAGE C
            ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
            LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
        target_include_directories(${target} PUBLIC
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    endforeach()
    set_target_properties(${name} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN")
    # calls between the library's own functions go straight, not through the linkage table
    target_link_options(${name} PRIVATE ${TENON_SANITIZER_FLAGS} -Wl,-Bsymbolic-functions)
    if(UNIX AND NOT APPLE)
        target_link_options(${name} PRIVATE "-Wl,--version-script=${TENON_EXPORT_LIST}")
        set_target_properties(${name} PROPERTIES LINK_DEPENDS "${TENON_EXPORT_LIST}")
    endif()
    # clang leaves the sanitizer's symbols to the program
    if(NOT (CMAKE_C_COMPILER_ID MATCHES "Clang" AND (TENON_SANITIZE OR TENON_FUZZ)))
        target_link_options(${name} PRIVATE -Wl,--no-undefined)
    endif()
endfunction()

function(tenon_add_objects name)
    add_library(${name} OBJECT ${ARGN})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include"
                                               "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${name} PRIVATE tenon_flags)
endfunction()

tenon_room_sources(core_sources ${TENON_CORE_ROOMS})
tenon_add_objects(tenon_core_objects ${core_sources})
tenon_add_library(tenon_core tenon)
target_link_libraries(tenon_core PRIVATE m)
target_link_libraries(tenon_core_static PUBLIC m)
set_target_properties(tenon_core PROPERTIES EXPORT_NAME tenon)
set_target_properties(tenon_core_static PROPERTIES EXPORT_NAME tenon_static)
add_library(Tenon::tenon ALIAS tenon_core)
add_library(Tenon::tenon_static ALIAS tenon_core_static)

set(io_sources "")
if(TENON_IO)
    tenon_room_sources(io_sources ${TENON_IO_ROOMS})
endif()
set(TENON_HAS_IO OFF)
if(io_sources)
    set(TENON_HAS_IO ON)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(LIBFYAML REQUIRED IMPORTED_TARGET libfyaml)
    pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
    # The name under which the loader finds the library that belongs to the header, and the package that has it.
    list(GET HDF5_LINK_LIBRARIES 0 hdf5_library)
    file(REAL_PATH "${hdf5_library}" hdf5_library)
    execute_process(COMMAND "${CMAKE_READELF}" -d "${hdf5_library}" OUTPUT_VARIABLE hdf5_dynamic ERROR_QUIET)
    if(hdf5_dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
        set(TENON_HDF5_NAME "${CMAKE_MATCH_1}")
    else()
        set(TENON_HDF5_NAME "${hdf5_library}")
    endif()
    add_library(tenon_hdf5_header INTERFACE)
    target_include_directories(tenon_hdf5_header SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
    target_compile_options(tenon_hdf5_header INTERFACE ${HDF5_CFLAGS_OTHER})
    tenon_add_objects(tenon_io_objects ${io_sources})
    target_compile_definitions(tenon_io_objects PRIVATE _XOPEN_SOURCE=700 TN_HDF5_NAME="${TENON_HDF5_NAME}")
    target_link_libraries(tenon_io_objects PRIVATE tenon_hdf5_header)
    set(io_packages PkgConfig::LIBFYAML ${CMAKE_DL_LIBS})
    if(TENON_IMPORT)
        pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
        list(APPEND io_packages PkgConfig::EXPAT)
    else()
        target_compile_definitions(tenon_io_objects PRIVATE TN_WITHOUT_IMPORT)
    endif()
    target_link_libraries(tenon_io_objects PRIVATE ${io_packages})
    tenon_add_library(tenon_io tenon_io)
    target_link_libraries(tenon_io PUBLIC tenon_core
                                   PRIVATE ${io_packages} m)
    target_link_libraries(tenon_io_static PUBLIC tenon_core_static
                                          PRIVATE ${io_packages} m)
    set_target_properties(tenon_io PROPERTIES EXPORT_NAME io)
    set_target_properties(tenon_io_static PROPERTIES EXPORT_NAME io_static)
    add_library(Tenon::io ALIAS tenon_io)
    add_library(Tenon::io_static ALIAS tenon_io_static)
endif()

# What the tool, the tests and the benchmarks link: everything there is, static, with the insides. Under gcc's
# sanitizers one shared library: to link 200 programs with 40 MB each takes minutes.
add_library(tenon_all INTERFACE)
target_include_directories(tenon_all INTERFACE "${PROJECT_SOURCE_DIR}/include"
                                               "${PROJECT_SOURCE_DIR}/src")
target_compile_definitions(tenon_all INTERFACE _XOPEN_SOURCE=700)
target_link_libraries(tenon_all INTERFACE tenon_flags)
if(TENON_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_library(tenon_inside SHARED $<TARGET_OBJECTS:tenon_core_objects>
                                    $<$<BOOL:${TENON_HAS_IO}>:$<TARGET_OBJECTS:tenon_io_objects>>)
    set_target_properties(tenon_inside PROPERTIES LINKER_LANGUAGE C
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
    target_link_options(tenon_inside PRIVATE ${TENON_SANITIZER_FLAGS} -Wl,-Bsymbolic-functions -Wl,--no-undefined)
    target_link_libraries(tenon_inside PRIVATE ${io_packages} m)
    target_link_libraries(tenon_all INTERFACE tenon_inside m)
    # without it programs have copies of the library's constants, which the sanitizer does not know
    target_compile_options(tenon_all INTERFACE -fPIC)
else()
    target_link_libraries(tenon_all INTERFACE tenon_core_static $<$<BOOL:${TENON_HAS_IO}>:tenon_io_static>)
endif()

# The scenes of the benches, for tests of the same loops.
add_library(tenon_scenes OBJECT EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bench/scenes/scenes.c")
target_include_directories(tenon_scenes PUBLIC "${PROJECT_SOURCE_DIR}/bench")
target_compile_definitions(tenon_scenes PUBLIC TN_EXAMPLES="${PROJECT_SOURCE_DIR}/examples")
target_link_libraries(tenon_scenes PRIVATE tenon_all)

file(GLOB_RECURSE tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tool/*.c")
if(tool_sources AND TENON_HAS_IO)
    include("${CMAKE_CURRENT_LIST_DIR}/TenonTexts.cmake")
    tenon_joint_texts(joint_texts)
    tenon_messages(messages)
    include("${CMAKE_CURRENT_LIST_DIR}/TenonPage.cmake")
    tenon_page(page)
    # Who shares the work of a study: nobody in tenon, mpirun's processes in tenon-mpi.
    set(alone "${PROJECT_SOURCE_DIR}/tool/studies/study_alone.c")
    set(shared "${PROJECT_SOURCE_DIR}/tool/studies/study_mpi.c")
    list(REMOVE_ITEM tool_sources "${alone}" "${shared}")
    add_library(tenon_tool_objects OBJECT ${tool_sources} "${joint_texts}" "${messages}" "${page}")
    target_link_libraries(tenon_tool_objects PUBLIC tenon_all tenon_hdf5_header)
    target_include_directories(tenon_tool_objects PUBLIC "${PROJECT_SOURCE_DIR}/tool")
    add_executable(tenon "${alone}")
    target_link_libraries(tenon PRIVATE tenon_tool_objects)
    set_target_properties(tenon PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    if(TENON_MPI)
        pkg_check_modules(OPENMPI QUIET IMPORTED_TARGET ompi-c)
    endif()
    if(TENON_MPI AND OPENMPI_FOUND)
        add_executable(tenon-mpi "${shared}")
        target_link_libraries(tenon-mpi PRIVATE tenon_tool_objects PkgConfig::OPENMPI)
        set_target_properties(tenon-mpi PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    endif()
endif()
