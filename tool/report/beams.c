/* beams.c: the beams, cables and solids of a model (beams.h).
 *
 * Room tool/report. In: the joints of a description in their order, its solids. Out: each run of elements that go on
 * from node to node, under the name before their index: joints of type beam, and rods between particles.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/beams.h"
#include "tenon/model.h"
#include "tenon/solid.h"

/* Frequencies that are printed before the last one. */
#define MODES_SHOWN 4

/* Elements first .. first + count - 1. */
typedef struct beam {
    int32_t first, count;
    double length; /* m, without stress */
    double mass;   /* kg, of its nodes */
} beam;

static const tn_joint_def *joint_of(const tool_loaded *loaded, int32_t j)
{
    return tn_spec_joint(loaded->spec, (tn_joint){j});
}

static bool is_particle(const tool_loaded *loaded, tn_body body)
{
    return body.i != TN_GROUND_INDEX && tn_spec_body(loaded->spec, body)->kind == TN_BODY_PARTICLE;
}

static bool is_of_cable(const tool_loaded *loaded, int32_t j)
{
    const tn_joint_def *def = joint_of(loaded, j);
    return strcmp(def->type, "rod") == 0 && is_particle(loaded, def->a) &&
           is_particle(loaded, def->b);
}

static bool is_element(const tool_loaded *loaded, int32_t j)
{
    return j < tn_spec_joint_count(loaded->spec) &&
           (strcmp(joint_of(loaded, j)->type, "beam") == 0 || is_of_cable(loaded, j));
}

static double length_of(const tool_loaded *loaded, int32_t j)
{
    const tn_joint_def *def = joint_of(loaded, j);
    if (!is_of_cable(loaded, j))
        return def->parameters[0];
    const tn_vec3 a = tn_spec_body(loaded->spec, def->a)->pose.p;
    const tn_vec3 b = tn_spec_body(loaded->spec, def->b)->pose.p;
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

static double mass_of(const tool_loaded *loaded, tn_body node)
{
    return node.i == TN_GROUND_INDEX ? 0.0 : tn_model_body_mass(loaded->model, node).mass;
}

/* The beam that begins at an element. */
static beam beam_at(const tool_loaded *loaded, int32_t first)
{
    beam b = {.first = first, .mass = mass_of(loaded, joint_of(loaded, first)->b)};
    int32_t j = first;
    bool goes_on = true;
    while (goes_on) {
        const tn_joint_def *def = joint_of(loaded, j);
        b.length += length_of(loaded, j++);
        b.mass += mass_of(loaded, def->a);
        goes_on = is_element(loaded, j) && joint_of(loaded, j)->b.i == def->a.i &&
                  is_of_cable(loaded, j) == is_of_cable(loaded, first);
    }
    b.count = j - first;
    return b;
}

/* The next one at or behind a joint; false: there is none. */
static bool next_beam(const tool_loaded *loaded, int32_t j, beam *b)
{
    while (j < tn_spec_joint_count(loaded->spec) && !is_element(loaded, j))
        j++;
    if (j == tn_spec_joint_count(loaded->spec))
        return false;
    *b = beam_at(loaded, j);
    return true;
}

/* Characters of its name: those before the index of its first element. */
static int32_t name_length(const char *name)
{
    const char *bracket = strrchr(name, '[');
    return (int32_t)(bracket ? (size_t)(bracket - name) : strlen(name));
}

/* Hz, of mode k. */
static double frequency_of(const tool_loaded *loaded, int32_t solid, int32_t k)
{
    return tn_spec_solid_frequency(loaded->spec, (tn_solid){solid}, k);
}

static void print_modes(const tool_loaded *loaded, int32_t solid, const tn_solid_size *s)
{
    printf("  %-20s%s: %" PRId32 " functions, %" PRId32 " modes with its holds at rest", "modal",
           tn_spec_solid_name(loaded->spec, (tn_solid){solid}), s->free_nodes, s->modes);
    for (int32_t k = 0; k < s->modes && k < MODES_SHOWN; k++)
        printf("%s%.6g", k == 0 ? ": " : ", ", frequency_of(loaded, solid, k));
    if (s->modes > MODES_SHOWN)
        printf(" .. %.6g", frequency_of(loaded, solid, s->modes - 1));
    printf(s->modes > 0 ? " Hz\n" : "\n");
}

static void print_solids(const tool_loaded *loaded)
{
    for (int32_t k = 0; k < tn_spec_solid_count(loaded->spec); k++) {
        const tn_solid_size s = tn_spec_solid_size(loaded->spec, (tn_solid){k});
        printf("  %-20s%s: %" PRId32 " elements, %" PRId32 " nodes", "solid",
               tn_spec_solid_name(loaded->spec, (tn_solid){k}), s.elements, s.nodes);
        if (s.modes == 0)
            printf(" of which %" PRId32 " free", s.free_nodes);
        printf(", %.6g m^3, %.6g kg, worst quality %.2g of element %" PRId32 "\n", s.volume, s.mass,
               s.quality, s.worst);
        if (s.modes > 0)
            print_modes(loaded, k, &s);
    }
}

void tool_print_beams(const tool_loaded *loaded)
{
    beam b = {0, 0, 0.0, 0.0};
    while (next_beam(loaded, b.first + b.count, &b)) {
        const char *name = joint_of(loaded, b.first)->name;
        printf("  %-20s%.*s: %" PRId32 " elements, %" PRId32 " nodes, %.6g m, %.6g kg\n",
               is_of_cable(loaded, b.first) ? "cable" : "beam", (int)name_length(name), name,
               b.count, b.count + 1, b.length, b.mass);
    }
    print_solids(loaded);
}

static void write_solids(tool_json *json, const tool_loaded *loaded)
{
    tool_json_open(json, "solids", '[');
    for (int32_t k = 0; k < tn_spec_solid_count(loaded->spec); k++) {
        const tn_solid_size s = tn_spec_solid_size(loaded->spec, (tn_solid){k});
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "name", tn_spec_solid_name(loaded->spec, (tn_solid){k}));
        tool_json_integer(json, "elements", s.elements);
        tool_json_integer(json, "nodes", s.nodes);
        tool_json_integer(json, "free_nodes", s.free_nodes);
        tool_json_open(json, "frequencies", '[');
        for (int32_t m = 0; m < s.modes; m++)
            tool_json_number(json, NULL, frequency_of(loaded, k, m));
        tool_json_close(json, ']');
        tool_json_number(json, "volume", s.volume);
        tool_json_number(json, "mass", s.mass);
        tool_json_number(json, "quality", s.quality);
        tool_json_integer(json, "worst", s.worst);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

void tool_write_beams(tool_json *json, const tool_loaded *loaded)
{
    beam b = {0, 0, 0.0, 0.0};
    tool_json_open(json, "beams", '[');
    while (next_beam(loaded, b.first + b.count, &b)) {
        char name[256];
        const char *whole = joint_of(loaded, b.first)->name;
        snprintf(name, sizeof name, "%.*s", (int)name_length(whole), whole);
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "name", name);
        tool_json_text(json, "kind", is_of_cable(loaded, b.first) ? "cable" : "beam");
        tool_json_integer(json, "elements", b.count);
        tool_json_integer(json, "nodes", b.count + 1);
        tool_json_number(json, "length", b.length);
        tool_json_number(json, "mass", b.mass);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
    write_solids(json, loaded);
}
