/* xml_unread.c: reports what was not read (xml.h).
 *
 * Room import/xml. The report is complete because it does not depend on a list of possible items: each element and
 * attribute without a mark is reported. Several of the same name in the same kind of element are reported once,
 * with their lines.
 */
#include "import/xml/xml.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"

/* Bytes of the list of lines in a message. */
#define LINES_SIZE 96

typedef struct unread_kind {
    const char *label; /* "'dynamics' of 'joint'" */
    const tn_xml_loss *loss;
    tn_location first;
    int32_t count, listed;
    char lines[LINES_SIZE];
} unread_kind;

typedef struct unread_list {
    tn_import *import;
    const tn_xml_loss *losses;
    tn_names labels; /* to indices of kinds */
    unread_kind *kinds;
    int32_t count;
} unread_list;

static const tn_xml_loss *find_loss(const unread_list *list, const tn_xml_element *element,
                                    const char *attribute)
{
    const char *owner =
        attribute != NULL || element->parent == NULL ? element->name : element->parent->name;
    const char *name = attribute != NULL ? attribute : element->name;
    const size_t length = strlen(owner);
    const char mark = attribute != NULL ? '@' : '/';
    const tn_xml_loss *plain = NULL;
    for (const tn_xml_loss *loss = list->losses; loss->name != NULL; loss++) {
        if (strncmp(loss->name, owner, length) == 0 && loss->name[length] == mark &&
            strcmp(loss->name + length + 1, name) == 0)
            return loss;
        const char *bare = attribute != NULL && loss->name[0] == '@' ? loss->name + 1 : loss->name;
        if ((attribute == NULL || loss->name[0] == '@') && strcmp(bare, name) == 0)
            plain = loss;
    }
    return plain;
}

static void add_line(unread_kind *kind, int32_t line)
{
    const size_t used = strlen(kind->lines);
    kind->count++;
    if (kind->count > 1 && kind->listed == kind->count - 2) {
        const int wrote = snprintf(kind->lines + used, LINES_SIZE - used, "%s%d",
                                   used > 0 ? ", " : "", (int)line);
        if (wrote > 0 && (size_t)wrote < LINES_SIZE - used) {
            kind->listed++;
        } else {
            kind->lines[used] = '\0';
        }
    }
}

static unread_kind *find_kind(unread_list *list, const char *label)
{
    tn_import *import = list->import;
    const int32_t index = tn_names_find_text(&list->labels, label);
    if (index != TN_NO_NAME)
        return &list->kinds[index];
    unread_kind *grown = tn_import_push(import, list->kinds, list->count, sizeof *grown);
    if (grown == NULL)
        return NULL;
    list->kinds = grown;
    const tn_status status = tn_names_add(&list->labels, label, strlen(label), list->count);
    import->status = status == TN_ERROR_MEMORY ? status : import->status;
    list->kinds[list->count] = (unread_kind){.label = label};
    return &list->kinds[list->count++];
}

static void note(unread_list *list, const tn_xml_element *element, const char *attribute)
{
    const tn_location at = tn_xml_place(element, attribute);
    const char *owner = attribute != NULL         ? element->name
                        : element->parent != NULL ? element->parent->name
                                                  : "the file";
    const char *label = tn_import_print(list->import, "'%.80s' of '%.80s'",
                                        attribute != NULL ? attribute : element->name, owner);
    unread_kind *kind = find_kind(list, label);
    if (kind == NULL)
        return;
    if (kind->count == 0) {
        kind->first = at;
        kind->loss = find_loss(list, element, attribute);
    }
    add_line(kind, at.line);
}

static void visit(unread_list *list, const tn_xml_element *element)
{
    if (!element->read) {
        note(list, element, NULL);
        return;
    }
    for (int32_t i = 0; i < element->attribute_count; i++) {
        if (!element->attributes[i].read)
            note(list, element, element->attributes[i].name);
    }
    for (const tn_xml_element *e = element->first; e != NULL; e = e->next) {
        visit(list, e);
    }
}

static void tell_kind(tn_import *import, const unread_kind *kind, const char *format)
{
    char others[LINES_SIZE + 64] = "";
    if (kind->listed > 0 && kind->listed == kind->count - 1) {
        snprintf(others, sizeof others, " (also in line%s %s)", kind->listed > 1 ? "s" : "",
                 kind->lines);
    } else if (kind->count > 1) {
        snprintf(others, sizeof others, " (also in lines %s and %d more)", kind->lines,
                 (int)(kind->count - 1 - kind->listed));
    }
    if (kind->loss != NULL) {
        tn_diagnostics_add(import->found, kind->loss->severity, TN_OK, kind->first, NULL,
                           "%s is not carried over: %s%s", kind->label, kind->loss->why, others);
    } else {
        tn_diagnostics_add(import->found, TN_WARNING, TN_OK, kind->first,
                           "is it spelt as it should be?", "%s is unknown to %s and not read%s",
                           kind->label, format, others);
    }
}

void tn_xml_take(tn_xml_element *element)
{
    element->read = true;
    for (int32_t i = 0; i < element->attribute_count; i++) {
        element->attributes[i].read = true;
    }
    for (tn_xml_element *e = element->first; e != NULL; e = e->next) {
        tn_xml_take(e);
    }
}

void tn_xml_tell_unread(tn_import *import, tn_xml_element *root, const tn_xml_loss *losses,
                        const char *format)
{
    unread_list list = {.import = import, .losses = losses};
    visit(&list, root);
    for (int32_t i = 0; i < list.count; i++) {
        tell_kind(import, &list.kinds[i], format);
    }
    tn_names_free(&list.labels);
}
