/* mjcf_default.c: classes of defaults, and where an attribute is given (mjcf.h).
 *
 * Room import/mjcf. For an element's name a class has its own values, else those of the class around it.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>

static void add_class(tn_mjcf *m, tn_xml_element *element, int32_t parent)
{
    const char *name = tn_xml_text(element, "class");
    tn_mjcf_class *grown =
        tn_import_push(m->import, m->classes, m->class_count, sizeof *m->classes);
    if (grown == NULL)
        return;
    m->classes = grown;
    const int32_t index = m->class_count++;
    m->classes[index] = (tn_mjcf_class){name != NULL ? name : "main", element, parent};
    name = m->classes[index].name;
    const tn_status status = tn_names_add(&m->class_names, name, strlen(name), index);
    if (status == TN_ERROR_MEMORY)
        m->import->status = status;
    element->read = true;
    for (tn_xml_element *e = tn_xml_child(element, "default"); e != NULL; e = tn_xml_same(e)) {
        add_class(m, e, index);
    }
}

/* Several sections of defaults are one: the class of all is the first. */
void tn_mjcf_read_classes(tn_mjcf *m)
{
    for (tn_xml_element *e = tn_xml_child(m->root, "default"); e != NULL; e = tn_xml_same(e)) {
        const int32_t before = m->class_count;
        add_class(m, e, before > 0 ? 0 : -1);
    }
}

int32_t tn_mjcf_find_class(tn_mjcf *m, tn_xml_element *element, const char *attribute,
                           int32_t otherwise)
{
    const char *name = tn_xml_text(element, attribute);
    if (name == NULL)
        return otherwise;
    const int32_t index = tn_names_find_text(&m->class_names, name);
    if (index != TN_NO_NAME)
        return index;
    tn_suggestion suggestion = tn_suggestion_for(name);
    char hint[TN_HINT_SIZE];
    tn_names_offer(&m->class_names, &suggestion);
    tn_xml_error(m->import, element, attribute, tn_suggestion_hint(&suggestion, NULL, hint),
                 "there is no class '%.100s' of defaults", name);
    return otherwise;
}

tn_xml_element *tn_mjcf_holder(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                               const char *attribute)
{
    if (tn_xml_peek(element, attribute) != NULL)
        return element;
    for (int32_t c = class; c >= 0 && c < m->class_count; c = m->classes[c].parent) {
        tn_xml_element *own = tn_xml_child(m->classes[c].element, element->name);
        if (own != NULL && tn_xml_peek(own, attribute) != NULL)
            return own;
    }
    return NULL;
}

double tn_mjcf_number(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                      const char *attribute, double otherwise)
{
    double value[8] = {otherwise}; /* some numbers have more behind them: of polynomials */
    tn_mjcf_numbers(m, element, class, attribute, value, 1, 8);
    for (int i = 1; i < 8; i++) {
        if (value[i] != 0.0)
            tn_xml_warning(m->import, element, attribute, NULL,
                           "of '%s' the first number counts here, and no curve", attribute);
    }
    return value[0];
}

int32_t tn_mjcf_numbers(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                        const char *attribute, double *out, int32_t least, int32_t most)
{
    tn_xml_element *holder = tn_mjcf_holder(m, element, class, attribute);
    return holder != NULL ? tn_xml_numbers(m->import, holder, attribute, out, least, most) : 0;
}

const char *tn_mjcf_text(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                         const char *attribute)
{
    tn_xml_element *holder = tn_mjcf_holder(m, element, class, attribute);
    return holder != NULL ? tn_xml_text(holder, attribute) : NULL;
}

bool tn_mjcf_is_limited(const tn_mjcf *m, tn_xml_element *element, int32_t class, const char *flag,
                        const double range[2])
{
    const char *limited = tn_mjcf_text(m, element, class, flag);
    const bool by_itself = limited == NULL || strcmp(limited, "auto") == 0;
    if (range == NULL || (by_itself && (!m->autolimits || (range[0] == 0.0 && range[1] == 0.0))) ||
        (!by_itself && strcmp(limited, "true") != 0))
        return false;
    if (range[0] > range[1])
        tn_xml_error(m->import, element, flag, NULL, "a range of '%.60s' ends below its beginning",
                     element->name);
    return range[0] <= range[1];
}

/* ---- attributes known for each element, whether or not they are read ---- */

typedef struct known_element {
    const char *name, *attributes; /* each with a blank before and behind it */
} known_element;

static const known_element KNOWN[] = {
    {"joint", " name class type pos axis range limited damping stiffness springref ref armature "
              "frictionloss actuatorfrcrange actuatorfrclimited "},
    {"freejoint", " name "},
    {"geom", " name class type pos quat axisangle euler xyaxes zaxis size fromto mass density mesh "
             "group fluidcoef fitscale "},
    {"site", " name class pos quat axisangle euler xyaxes zaxis type size fromto "},
    {"mesh", " name class file scale vertex face "},
    {"body", " name childclass pos quat axisangle euler xyaxes zaxis "},
    {"frame", " name childclass pos quat axisangle euler xyaxes zaxis "},
    {"motor",
     " name class joint jointinparent gear ctrlrange ctrllimited forcerange forcelimited "},
    {"position", " name class joint jointinparent gear ctrlrange ctrllimited forcerange "
                 "forcelimited kp kv timeconst inheritrange "},
    {"velocity",
     " name class joint jointinparent gear ctrlrange ctrllimited forcerange forcelimited kv "},
    {"general", " name class joint jointinparent gear ctrlrange ctrllimited forcerange "
                "forcelimited gaintype gainprm biastype biasprm dyntype dynprm "},
    {"equality", " class "},
};

static void know(tn_xml_element *element, bool in_default)
{
    char word[80];
    for (size_t k = 0; k < TN_COUNT_OF(KNOWN); k++) {
        if (!tn_xml_is(element, KNOWN[k].name) || !(element->read || in_default))
            continue;
        element->read = true;
        for (int32_t i = 0; i < element->attribute_count; i++) {
            tn_xml_attribute *a = &element->attributes[i];
            if (strlen(a->name) < sizeof word - 3) {
                strcat(strcat(strcpy(word, " "), a->name), " ");
                a->read = a->read || strstr(KNOWN[k].attributes, word) != NULL;
            }
        }
    }
    for (tn_xml_element *e = element->first; e != NULL; e = e->next) {
        know(e, in_default || tn_xml_is(e, "default"));
    }
}

void tn_mjcf_know(tn_mjcf *m)
{
    know(m->root, false);
}
