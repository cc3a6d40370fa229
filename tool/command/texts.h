/* texts.h: pages of the documentation that the tool prints, compiled in (cmake/TenonTexts.cmake). */
#ifndef TN_TOOL_TEXTS_H
#define TN_TOOL_TEXTS_H

/* What people wrote about the joint types: docs/reference/joints/text. */
typedef struct tool_joint_text {
    const char *name; /* of the type; NULL ends the table */
    const char *text; /* Markdown: Frames, Singularities, Compliance */
} tool_joint_text;

extern const tool_joint_text tool_joint_texts[];

extern const char *const tool_messages
    []; /* the lines of docs/reference/messages.md and summary.md; NULL ends the table */

#endif
