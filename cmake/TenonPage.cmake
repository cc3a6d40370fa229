# The page of `tenon view` (web/), as an object of the tool. tenon_page(out): the source of that object.
#
# By default it is the stored one, web/page.tar.xz, so that a build needs neither clang nor npm. With
# TENON_PAGE it is built: the engine as WebAssembly (clang-14, lld-14, wasi-libc, binaryen, the sources of libfyaml and expat) and
# the page around it (npm). `make viewer` does that and stores the result.
option(TENON_PAGE "Build the page of tenon view from its sources instead of taking the stored one" OFF)
enable_language(ASM)

function(tenon_page out)
    set(folder "${PROJECT_BINARY_DIR}/page")
    set(web "${PROJECT_SOURCE_DIR}/web")
    file(MAKE_DIRECTORY "${folder}")
    if(TENON_PAGE)
        tenon_build_page("${folder}/page.html")
    else()
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${web}/page.tar.xz")
        file(ARCHIVE_EXTRACT INPUT "${web}/page.tar.xz" DESTINATION "${folder}" TOUCH)
    endif()
    file(CONFIGURE OUTPUT "${folder}/page.S" @ONLY CONTENT
"/* The bytes of page.html. */
    .section .rodata
    .global tenon_page
    .global tenon_page_end
tenon_page:
    .incbin \"@folder@/page.html\"
tenon_page_end:
    .byte 0
    .section .note.GNU-stack,\"\",%progbits
")
    set_source_files_properties("${folder}/page.S" PROPERTIES OBJECT_DEPENDS "${folder}/page.html")
    set(${out} "${folder}/page.S" PARENT_SCOPE)
endfunction()

# Rules that make the page from its sources, when these change.
function(tenon_build_page page)
    find_program(NPM npm REQUIRED)
    find_program(NODE NAMES node nodejs REQUIRED)
    set(engine "${PROJECT_BINARY_DIR}/page/engine")
    set(modules "${PROJECT_BINARY_DIR}/page/web")
    file(GLOB_RECURSE engine_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.[ch]"
        "${PROJECT_SOURCE_DIR}/include/*.h" "${web}/engine/*")
    file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${web}/src/*")
    list(APPEND page_sources "${web}/page.html" "${web}/build.mjs" "${web}/package.json")
    # npm keeps its modules beside package.json: they live in the build folder, with a copy of that
    add_custom_command(OUTPUT "${modules}/node_modules/.package-lock.json"
        COMMAND "${CMAKE_COMMAND}" -E copy "${web}/package.json" "${web}/package-lock.json" "${modules}/"
        COMMAND "${NPM}" ci --prefix "${modules}" --no-audit --no-fund --loglevel=error
        DEPENDS "${web}/package.json" "${web}/package-lock.json"
        COMMENT "Parts of the page (npm)" VERBATIM)
    add_custom_command(OUTPUT "${engine}/tenon.wasm"
        COMMAND sh "${web}/build_engine.sh" "${engine}" "${CMAKE_C_COMPILER_LAUNCHER}"
        DEPENDS ${engine_sources} "${web}/build_engine.sh"
        COMMENT "Engine of the page (WebAssembly)" VERBATIM)
    add_custom_command(OUTPUT "${page}"
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${web}/src" "${modules}/src"
        COMMAND "${CMAKE_COMMAND}" -E copy "${web}/page.html" "${web}/build.mjs" "${modules}/"
        COMMAND "${NODE}" "${modules}/build.mjs" "${engine}/tenon.wasm" "${page}"
        DEPENDS "${engine}/tenon.wasm" "${modules}/node_modules/.package-lock.json" ${page_sources}
        COMMENT "Page of tenon view" VERBATIM)
    add_custom_target(page DEPENDS "${page}")

    # The npm package: the same engine for Node and other pages.
    set(package "${PROJECT_BINARY_DIR}/page/npm")
    file(GLOB package_sources CONFIGURE_DEPENDS "${web}/npm/*")
    add_custom_command(OUTPUT "${package}/package.json"
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${web}/src" "${modules}/src"
        COMMAND "${CMAKE_COMMAND}" -E copy_directory "${web}/npm" "${modules}/npm"
        COMMAND "${CMAKE_COMMAND}" -E copy "${web}/tsconfig.json" "${modules}/"
        COMMAND "${NODE}" "${modules}/npm/build.mjs" "${engine}/tenon.wasm" "${PROJECT_SOURCE_DIR}" "${package}"
        DEPENDS "${engine}/tenon.wasm" "${modules}/node_modules/.package-lock.json" "${page}"
                ${page_sources} ${package_sources} "${web}/tsconfig.json"
        COMMENT "npm package" VERBATIM)
    add_custom_target(npm_package ALL DEPENDS "${package}/package.json")
endfunction()
