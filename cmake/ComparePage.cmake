# cmake -DBUILT= -DSTORED= -DFOLDER= -P ComparePage.cmake: is the stored page what the sources make?
file(ARCHIVE_EXTRACT INPUT "${STORED}" DESTINATION "${FOLDER}")
file(SHA256 "${BUILT}" built)
file(SHA256 "${FOLDER}/page.html" stored)
if(NOT built STREQUAL stored)
    message(FATAL_ERROR "web/page.tar.xz is not what its sources make: make viewer stores it anew")
endif()
