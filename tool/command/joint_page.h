/* joint_page.h: what people wrote about the joint types (docs/reference/joints/text), compiled in. */
#ifndef TN_TOOL_JOINT_PAGE_H
#define TN_TOOL_JOINT_PAGE_H

typedef struct tool_joint_text {
    const char *name; /* of the type; NULL ends the table */
    const char *text; /* Markdown: Frames, Singularities, Compliance */
} tool_joint_text;

extern const tool_joint_text tool_joint_texts[];

#endif
