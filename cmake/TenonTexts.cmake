# Pages of the documentation as C tables, which the tool prints: the hand-written text of the joints' pages
# (docs/reference/joints/text/*.md) for `tenon joints NAME`, the messages and events (docs/reference/messages.md,
# summary.md) for `tenon explain`. Both functions set the name of the C file made of them.
function(tenon_joint_texts out)
    file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/reference/joints/text/*.md")
    set(rows "")
    foreach(page IN LISTS pages)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
        get_filename_component(name "${page}" NAME_WE)
        file(READ "${page}" text)
        string(REPLACE "\\" "\\\\" text "${text}")
        string(REPLACE "\"" "\\\"" text "${text}")
        string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
        string(APPEND rows "    {\"${name}\",\n     \"${text}\"},\n")
    endforeach()
    set(file "${PROJECT_BINARY_DIR}/joint_texts.c")
    file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT
"/* Made of docs/reference/joints/text. */
#include \"command/texts.h\"

const tool_joint_text tool_joint_texts[] = {
@rows@    {0, 0},
};
")
    set(${out} "${file}" PARENT_SCOPE)
endfunction()

function(tenon_messages out)
    set(text "")
    foreach(name IN ITEMS messages summary)
        set(page "${PROJECT_SOURCE_DIR}/docs/reference/${name}.md")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
        file(READ "${page}" one)
        string(APPEND text "${one}")
    endforeach()
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\",\n    \"" text "${text}")
    set(file "${PROJECT_BINARY_DIR}/messages.c")
    file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT
"/* Made of docs/reference/messages.md and summary.md. */
#include \"command/texts.h\"

const char *const tool_messages[] = {
    \"@text@\",
    0,
};
")
    set(${out} "${file}" PARENT_SCOPE)
endfunction()
