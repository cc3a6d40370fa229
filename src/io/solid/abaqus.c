/* abaqus.c: room io/solid: input files of Abaqus and CalculiX: *NODE, *ELEMENT, *NSET, *ELSET.
 *
 * What else such a file says, materials, steps and boundary conditions, is left to the model. Sets of elements are
 * the sets of their nodes. Names are kept in upper case, as these programs see them.
 */
#include <ctype.h>
#include <string.h>

#include "base/base.h"
#include "io/solid/volume.h"

/* Room for a name of a set or a type. */
#define TN_NAME_SIZE 84

/* A line of keyword, parameters or data, cut at its commas. */
typedef struct line {
    const char *at, *end;
    int32_t number;
} line;

typedef enum section {
    SECTION_OTHER,
    SECTION_NODE,
    SECTION_ELEMENT,
    SECTION_NSET,
    SECTION_ELSET
} section;

typedef struct abaqus {
    tn_volume *v;
    tn_mesh_text *text;
    section section;
    int32_t set; /* of the section; -1: none */
    bool generate;
    tn_element_kind kind;
    tn_volume_element element; /* being read */
    int32_t filled;            /* nodes of it; -1: its number is next */
} abaqus;

/* The next line that is no comment. */
static bool next_line(abaqus *a, line *l)
{
    const char *end = a->text->end;
    while (a->text->at < end) {
        const char *start = a->text->at;
        const int32_t number = a->text->line;
        const char *stop = memchr(start, '\n', (size_t)(end - start));
        l->at = start;
        l->end = stop != NULL ? stop : end;
        l->number = number;
        a->text->at = stop != NULL ? stop + 1 : end;
        a->text->line_start = a->text->at;
        a->text->line++;
        while (l->at < l->end && isspace((unsigned char)*l->at)) {
            l->at++;
        }
        if (l->at < l->end && !(l->end - l->at > 1 && l->at[0] == '*' && l->at[1] == '*')) {
            return true;
        }
    }
    return false;
}

/* The next piece up to a comma, without spaces around it; false: the line is at its end. */
static bool next_piece(line *l, tn_mesh_word *piece, const char *name)
{
    if (l->at >= l->end) {
        return false;
    }
    const char *comma = memchr(l->at, ',', (size_t)(l->end - l->at));
    const char *stop = comma != NULL ? comma : l->end, *start = l->at;
    l->at = comma != NULL ? comma + 1 : l->end;
    while (start < stop && isspace((unsigned char)*start)) {
        start++;
    }
    while (stop > start && isspace((unsigned char)stop[-1])) {
        stop--;
    }
    *piece = (tn_mesh_word){start, (size_t)(stop - start), {name, l->number, 0}};
    return true;
}

/* Does a parameter begin so, NAME=? Then its value, in upper case. */
static bool takes(const tn_mesh_word *piece, const char *name, char value[TN_NAME_SIZE])
{
    const char *equals = memchr(piece->text, '=', piece->length);
    size_t n = 0;
    if (equals == NULL) {
        return false;
    }
    tn_mesh_word head = *piece;
    head.length = (size_t)(equals - piece->text);
    while (head.length > 0 && isspace((unsigned char)head.text[head.length - 1])) {
        head.length--;
    }
    if (!tn_mesh_word_is(&head, name)) {
        return false;
    }
    for (const char *c = equals + 1; c < piece->text + piece->length; c++) {
        if (isspace((unsigned char)*c) || *c == '"') {
            continue;
        }
        if (*c == '\0' || n + 1 == TN_NAME_SIZE) {
            n = 0;
            break;
        }
        value[n++] = (char)toupper((unsigned char)*c);
    }
    value[n] = '\0';
    return true;
}

static tn_status refuse(abaqus *a, const line *l, const char *what)
{
    return tn_volume_refuse(a->v, (tn_location){a->v->name, l->number, 0}, what);
}

/* keywords --------------------------------------------------------------------------------------- */

/* C3D8I, C3D10M, C3D20R are elements of the same nodes. */
static tn_element_kind kind_of(const char *type)
{
    size_t length = strlen(type);
    while (length > 0 && !isdigit((unsigned char)type[length - 1])) {
        length--;
    }
    int kind = 0;
    for (; kind < TN_ELEMENT_KIND_COUNT; kind++) {
        const char *name = tn_element_type_of((tn_element_kind)kind)->abaqus;
        if (strlen(name) == length && memcmp(name, type, length) == 0) {
            break;
        }
    }
    return (tn_element_kind)kind;
}

static tn_status enter_set(abaqus *a, const line *l, const char *name)
{
    if (name[0] == '\0') {
        return refuse(a, l,
                      "a set has no name, or one of more than 83 letters or with a zero byte");
    }
    a->set = tn_volume_set(a->v, name, strlen(name));
    return a->set >= 0 ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status take_parameters(abaqus *a, line *l)
{
    tn_mesh_word piece;
    char value[TN_NAME_SIZE], type[TN_NAME_SIZE] = "";
    tn_status status = TN_OK;
    while (status == TN_OK && next_piece(l, &piece, a->v->name)) {
        if (takes(&piece, "type", value)) {
            memcpy(type, value, sizeof type);
        } else if (takes(&piece, "nset", value) || takes(&piece, "elset", value)) {
            status = enter_set(a, l, value);
        } else if (tn_mesh_word_is(&piece, "generate")) {
            a->generate = true;
        }
    }
    if (status == TN_OK && a->section == SECTION_ELEMENT) {
        a->kind = kind_of(type);
        if (a->kind == TN_ELEMENT_KIND_COUNT) {
            return refuse(
                a, l,
                "elements of this type are not supported: C3D4, C3D10, C3D8, C3D20, C3D27, "
                "C3D6, C3D15");
        }
    }
    return status;
}

static tn_status take_keyword(abaqus *a, line *l)
{
    static const struct {
        const char *word;
        section section;
    } keywords[] = {{"*node", SECTION_NODE},
                    {"*element", SECTION_ELEMENT},
                    {"*nset", SECTION_NSET},
                    {"*elset", SECTION_ELSET}};
    tn_mesh_word piece;
    a->section = SECTION_OTHER;
    a->set = -1;
    a->generate = false;
    a->filled = -1;
    if (!next_piece(l, &piece, a->v->name)) {
        return TN_OK;
    }
    for (size_t i = 0; i < TN_COUNT_OF(keywords); i++) {
        if (tn_mesh_word_is(&piece, keywords[i].word)) {
            a->section = keywords[i].section;
        }
    }
    return a->section != SECTION_OTHER ? take_parameters(a, l) : TN_OK;
}

/* data ------------------------------------------------------------------------------------------- */

/* Into the set of the section. */
static tn_status add_node(abaqus *a, int64_t tag)
{
    return tn_volume_add_member(a->v, (tn_volume_member){a->set, false, tag});
}

static tn_status add_element(abaqus *a, int32_t index)
{
    return tn_volume_add_member(a->v, (tn_volume_member){a->set, true, index});
}

static bool number_of(const tn_mesh_word *piece, double *value)
{
    return tn_mesh_word_real(piece, value);
}

static tn_status take_node(abaqus *a, line *l)
{
    double values[4] = {0.0, 0.0, 0.0, 0.0};
    tn_mesh_word piece;
    int count = 0;
    while (count < 4 && next_piece(l, &piece, a->v->name) && piece.length > 0) {
        if (!number_of(&piece, &values[count++])) {
            return refuse(a, l, "this is no node: number, x, y, z");
        }
    }
    const int64_t tag = (int64_t)values[0];
    tn_status status =
        count < 2 ? refuse(a, l, "this is no node: number, x, y, z")
                  : tn_volume_add_node(a->v, tag, (tn_vec3){values[1], values[2], values[3]});
    return status == TN_OK && a->set >= 0 ? add_node(a, tag) : status;
}

static tn_status finish_element(abaqus *a)
{
    const tn_status status = tn_volume_add_element(a->v, &a->element);
    a->filled = -1;
    return status == TN_OK && a->set >= 0 ? add_element(a, a->v->element_count - 1) : status;
}

/* One number of an element, which goes over as many lines as it needs. */
static tn_status take_of_element(abaqus *a, const line *l, int64_t value)
{
    if (a->filled < 0) {
        a->element = (tn_volume_element){.tag = value, .kind = a->kind, .line = l->number};
        a->filled = 0;
        return TN_OK;
    }
    a->element.nodes[a->filled++] = value;
    return a->filled == tn_element_kind_nodes(a->kind) ? finish_element(a) : TN_OK;
}

static tn_status add_elements(abaqus *a, int64_t tag)
{
    tn_status status = TN_OK;
    for (int32_t e = 0; e < a->v->element_count && status == TN_OK; e++) {
        status = a->v->elements[e].tag == tag ? add_element(a, e) : TN_OK;
    }
    return status;
}

static tn_status take_member(abaqus *a, int64_t tag)
{
    if (a->set < 0) {
        return TN_OK;
    }
    return a->section == SECTION_NSET ? add_node(a, tag) : add_elements(a, tag);
}

/* All members of the set of a name, which become those of this one too. */
static tn_status take_set(abaqus *a, const tn_mesh_word *piece)
{
    char name[TN_NAME_SIZE];
    size_t n = 0;
    for (; n < piece->length && n + 1 < sizeof name; n++) {
        name[n] = (char)toupper((unsigned char)piece->text[n]);
    }
    const bool fits = n == piece->length;
    const int32_t from = fits ? tn_names_find(&a->v->sets, name, n) : TN_NO_NAME,
                  count = a->v->member_count;
    tn_status status = TN_OK;
    for (int32_t i = 0; from >= 0 && a->set >= 0 && i < count && status == TN_OK; i++) {
        if (a->v->members[i].set == from) {
            tn_volume_member member = a->v->members[i];
            member.set = a->set;
            status = tn_volume_add_member(a->v, member);
        }
    }
    return from >= 0 ? status
                     : tn_volume_refuse(a->v, piece->place, "this is no number, and no set");
}

/* GENERATE: first, last, step. */
static tn_status take_range(abaqus *a, line *l)
{
    double values[3] = {0.0, 0.0, 1.0};
    tn_mesh_word piece;
    int count = 0;
    while (count < 3 && next_piece(l, &piece, a->v->name) && piece.length > 0) {
        if (!number_of(&piece, &values[count++])) {
            return refuse(a, l, "this is no range: first, last, step");
        }
    }
    if (count < 2 || !(values[2] >= 1.0) ||
        values[1] - values[0] > TN_MAX_SOLID_NODES * values[2]) {
        return refuse(a, l, "this is no range: first, last, step");
    }
    tn_status status = TN_OK;
    for (double tag = values[0]; tag <= values[1] && status == TN_OK; tag += values[2]) {
        status = take_member(a, (int64_t)tag);
    }
    return status;
}

static tn_status take_data(abaqus *a, line *l)
{
    tn_mesh_word piece;
    tn_status status = TN_OK;
    if (a->section == SECTION_OTHER) {
        return TN_OK;
    }
    if (a->section == SECTION_NODE) {
        return take_node(a, l);
    }
    if (a->generate) {
        return take_range(a, l);
    }
    while (status == TN_OK && next_piece(l, &piece, a->v->name)) {
        double value = 0.0;
        if (piece.length == 0) {
            continue;
        }
        const bool number = number_of(&piece, &value);
        if (a->section == SECTION_ELEMENT) {
            status = number ? take_of_element(a, l, (int64_t)value)
                            : refuse(a, l, "this is no number of a node");
        } else {
            status = number ? take_member(a, (int64_t)value) : take_set(a, &piece);
        }
    }
    return status;
}

tn_status tn_volume_read_abaqus(tn_volume *v, tn_mesh_text *text)
{
    abaqus a = {.v = v, .text = text, .set = -1, .filled = -1};
    line l;
    tn_status status = TN_OK;
    while (status == TN_OK && next_line(&a, &l)) {
        if (l.at[0] == '*' && a.filled >= 0) {
            status = refuse(&a, &l, "the element before has too few nodes");
        } else {
            status = l.at[0] == '*' ? take_keyword(&a, &l) : take_data(&a, &l);
        }
    }
    if (status == TN_OK && a.filled >= 0) {
        status = refuse(&a, &l, "the last element has too few nodes");
    }
    return status;
}
