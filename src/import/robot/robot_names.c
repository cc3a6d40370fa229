/* robot_names.c: names that a model can have (robot.h).
 *
 * Room import/robot. In model files brackets hold formulas, a text that begins with = is one, and
 * 'ground' is the world; names do not begin or end with a blank.
 */
#include "import/robot/robot.h"

#include <string.h>

/* Longest name kept; tables of names and messages have room for it. */
#define NAME_SIZE 256
/* Numbers that are tried one by one before those that are most likely free. */
#define FEW 9

/* One letter of a name at its place. */
static char mended_letter(char c, bool first, bool last)
{
    const bool control = (unsigned char)c < 0x20 || c == 0x7f;
    const bool edge = (first && strchr(" =*&!|>%@`'\"#-?:,~", c) != NULL) || (last && c == ' ');
    return control || edge || strchr("[]{}", c) != NULL ? '_' : c;
}

static void mend(const char *name, char out[NAME_SIZE])
{
    size_t length = strlen(name);
    length = length < NAME_SIZE / 2 ? length : NAME_SIZE / 2;
    for (size_t i = 0; i < length; i++) {
        out[i] = mended_letter(name[i], i == 0, i + 1 == length);
    }
    out[length] = '\0';
    if (length == 0 || strcmp(out, "ground") == 0)
        strcpy(out + length, "_");
}

/* "name", or "name_2", "name_3" and so on where that is taken. */
static const char *distinct(tn_robot *robot, int kind, const char *name)
{
    tn_names *given = &robot->given[kind];
    const char *kept = name;
    for (int32_t i = 2; i < TN_MOST_XML_NODES && tn_names_find_text(given, kept) != TN_NO_NAME;
         i = i == FEW ? FEW + given->count : i + 1) {
        kept = tn_import_print(robot->import, "%s_%d", name, (int)i);
    }
    const tn_status status = tn_names_add(given, kept, strlen(kept), given->count);
    if (status == TN_ERROR_MEMORY)
        robot->import->status = status;
    return kept;
}

const char *tn_robot_name(tn_robot *robot, int kind, const char *name,
                          const tn_xml_element *element)
{
    char mended[NAME_SIZE];
    mend(name, mended);
    const char *kept = distinct(robot, kind, tn_import_print(robot->import, "%s", mended));
    if (strcmp(kept, name) != 0)
        tn_xml_note(robot->import, element, "name", NULL, "'%.100s' is called '%.100s' here", name,
                    kept);
    return kept;
}
