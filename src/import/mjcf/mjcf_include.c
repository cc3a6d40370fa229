/* mjcf_include.c: files that a model includes (mjcf.h).
 *
 * Room import/mjcf. Their names are relative to the model's file; they lie in its folder or package
 * (io/text/roots.h). What stands in their root stands then in the place of <include>.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>
#include <unistd.h>

#include "io/text/file.h"
#include "io/tree/tree.h"
#include "spec/spec_internal.h"
#include "tenon/limits.h"

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* The tree of the file; NULL: the problem is reported. */
static tn_xml_element *read_file(tn_mjcf *m, tn_xml_element *element, const char *name)
{
    tn_import *import = m->import;
    const char *path =
        tn_import_print(import, "%.*s%s", (int)folder_length(import->model), import->model, name);
    char *text = NULL;
    size_t length = 0;
    const char *kept = NULL;
    tn_xml_element *root = NULL;
    path = name[0] == '/' ? name : path;
    const bool outside = access(path, F_OK) == 0 && !tn_roots_hold(&import->roots, path);
    if (outside || tn_file_read(path, TN_MAX_TEXT, NULL, &text, &length) != TN_OK) {
        tn_xml_error(import, element, "file",
                     outside ? "--allow FOLDER lets files below another folder be read"
                             : "it must lie beside the model's file, or below",
                     outside ? "the file '%.200s' cannot be read: it lies outside of the model's "
                               "folder and package"
                             : "the file '%.200s' cannot be read",
                     name);
        return NULL;
    }
    if (tn_spec_intern_file(import->spec, path, &kept) == TN_OK)
        root = tn_xml_parse(import, text, length, kept);
    tn_free(text);
    return root;
}

/* Puts the children of a root in the place of the element. */
static void splice(tn_xml_element *element, tn_xml_element *root)
{
    tn_xml_element *parent = element->parent;
    for (tn_xml_element *e = root->first; e != NULL; e = e->next) {
        e->parent = parent;
    }
    if (root->first != NULL) {
        root->last->next = element->next;
        element->next = root->first;
        parent->last = parent->last == element ? root->last : parent->last;
    }
    element->first = element->last = NULL;
}

void tn_mjcf_include(tn_mjcf *m, tn_xml_element *element, int depth)
{
    for (tn_xml_element *e = element->first; e != NULL && m->import->problems == 0; e = e->next) {
        if (!tn_xml_is(e, "include")) {
            tn_mjcf_include(m, e, depth);
            continue;
        }
        e->read = true;
        const char *name = tn_xml_needed(m->import, e, "file");
        if (depth >= TN_DEEPEST_FILE) {
            tn_xml_error(m->import, e, "file", NULL, "files include each other in a circle");
            return;
        }
        if (m->import->files++ >= TN_MOST_FILES) {
            tn_xml_error(m->import, e, "file", NULL, "a model includes at most %d files",
                         TN_MOST_FILES);
            return;
        }
        tn_xml_element *root = name != NULL ? read_file(m, e, name) : NULL;
        if (root == NULL)
            return;
        root->read = true;
        tn_mjcf_include(m, root, depth + 1);
        splice(e, root);
        e = root->last != NULL ? root->last : e;
    }
}
