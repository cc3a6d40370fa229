/* linkage_model.c: room method/linkage: which models are planar linkages, and their packed data. See linkage.h.
 *
 * Hinges are parallel if they are so, up to round-off, in every body that has two of them; then they are so in every
 * pose. Loops must close along the normal, too. Bodies that are not connected to fixed ones may rotate out of the
 * plane: such models do not qualify.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "method/alpha/hinge_terms.h"
#include "method/linkage/linkage.h"
#include "motion/closing/purge.h"
#include "tenon/math.h"

/* Most blocks and updates a node of a factor: about 15 instructions each in the plane, 40 across it, where the
 * general iteration takes thousands a hinge more. Bodies with very many hinges are better eliminated body by body. */
#define TN_LINKAGE_FILL 64

/* ---- which hinges are parallel ---- */

/* Scratch, by bodies, the last of which is ground. */
typedef struct tn_sheets {
    const tn_model *model;
    tn_vec3 *normal; /* in the body */
    double *z;       /* m, of the centre of mass along it */
    int8_t *known;
    int32_t *first;     /* [bodies] */
    int32_t *next;      /* [2 joints] */
    int32_t *bar;       /* [bodies] a queue of them; then the number as a bar */
    tn_spd_edge *edges; /* [joints + 1] */
    double size;        /* m, of coordinates */
} tn_sheets;

static tn_sheets make_sheets(const tn_model *model)
{
    const int64_t n = model->body_count + 1;
    return (tn_sheets){.model = model,
                       .normal = TN_NEW_ARRAY(tn_vec3, n),
                       .z = TN_NEW_ARRAY(double, n),
                       .known = TN_NEW_ARRAY(int8_t, n),
                       .first = TN_NEW_ARRAY(int32_t, n),
                       .next = TN_NEW_ARRAY(int32_t, 2 * (int64_t)model->joint_count),
                       .bar = TN_NEW_ARRAY(int32_t, n),
                       .edges = TN_NEW_ARRAY(tn_spd_edge, model->joint_count + 1),
                       .size = 1.0};
}

static void free_sheets(tn_sheets *s)
{
    tn_free(s->normal);
    tn_free(s->z);
    tn_free(s->known);
    tn_free(s->first);
    tn_free(s->next);
    tn_free(s->bar);
    tn_free(s->edges);
}

static int32_t place_of(const tn_sheets *s, int32_t body)
{
    return body < 0 ? s->model->body_count : body;
}

static bool stands(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0;
}

/* Orientation and position at the start; for ground those of the world. */
static tn_xform start_of(const tn_model *model, int32_t body)
{
    if (body < 0)
        return xf_identity();
    return (tn_xform){q_to_m3(model->bodies[body].q0), model->bodies[body].x0};
}

/* Frames of a joint on one of its bodies. */
static const tn_xform *frame_on(const tn_model_joint *joint, bool on_a)
{
    return on_a ? &joint->geometry.T_CA : &joint->geometry.T_DB;
}

static int32_t body_of(const tn_model_joint *joint, bool on_a)
{
    return on_a ? joint->a : joint->b;
}

/* The normal of fixed bodies is that of the first hinge on them, in the world. */
static bool find_normal(const tn_model *model, tn_vec3 *normal)
{
    for (int32_t j = 0; j < model->joint_count; j++) {
        for (int side = 0; side < 2; side++) {
            const int32_t body = body_of(&model->joints[j], side == 0);
            if (stands(model, body)) {
                const tn_xform T = start_of(model, body);
                *normal = m3_mulv(&T.R, m3_column(&frame_on(&model->joints[j], side == 0)->R, 2));
                return true;
            }
        }
    }
    return false;
}

static void know_standing(tn_sheets *s, tn_vec3 normal)
{
    for (int32_t i = -1; i < s->model->body_count; i++) {
        if (!stands(s->model, i))
            continue;
        const tn_xform T = start_of(s->model, i);
        const int32_t k = place_of(s, i);
        s->normal[k] = m3_tmulv(&T.R, normal);
        s->z[k] = v3_dot(T.p, normal);
        s->known[k] = 1;
    }
}

/* Is the axis along the normal of a body? On which side, and how far from the origin? */
static bool is_along(const tn_sheets *s, const tn_model_joint *joint, bool on_a, double *side,
                     double *z)
{
    const int32_t k = place_of(s, body_of(joint, on_a));
    const tn_xform *T = frame_on(joint, on_a);
    const tn_vec3 axis = m3_column(&T->R, 2);
    *side = v3_dot(axis, s->normal[k]) < 0.0 ? -1.0 : 1.0;
    *z = s->z[k] + v3_dot(T->p, s->normal[k]);
    return v3_norm(v3_cross(axis, s->normal[k])) <= TN_ROUND_OFF;
}

/* Lists the hinge ends on each body: 2 j is the end on body a of hinge j, 2 j + 1 that on b. */
static void list_ends(tn_sheets *s)
{
    for (int32_t k = 0; k <= s->model->body_count; k++)
        s->first[k] = -1;
    for (int32_t end = 2 * s->model->joint_count - 1; end >= 0; end--) {
        const int32_t k = place_of(s, body_of(&s->model->joints[end / 2], end % 2 == 0));
        s->next[end] = s->first[k];
        s->first[k] = end;
    }
}

/* Queues the other body of a hinge, if it has no normal yet. */
static void learn(tn_sheets *s, int32_t end, int32_t *count)
{
    const tn_model_joint *joint = &s->model->joints[end / 2];
    const bool from_a = end % 2 == 0;
    const tn_xform *T = frame_on(joint, !from_a);
    const int32_t to = place_of(s, body_of(joint, !from_a));
    double side, z;
    if (s->known[to])
        return;
    is_along(s, joint, from_a, &side, &z);
    s->normal[to] = v3_scale(side, m3_column(&T->R, 2));
    s->z[to] = z - v3_dot(T->p, s->normal[to]);
    s->known[to] = 1;
    s->bar[(*count)++] = to;
}

/* Goes from fixed bodies to all that are connected to them; false: some body is not. */
static bool learn_all(tn_sheets *s)
{
    const int32_t n = s->model->body_count + 1;
    int32_t count = 0;
    for (int32_t k = 0; k < n; k++) {
        if (s->known[k])
            s->bar[count++] = k;
    }
    for (int32_t k = 0; k < count; k++) {
        for (int32_t end = s->first[s->bar[k]]; end >= 0; end = s->next[end])
            learn(s, end, &count);
    }
    return count == n;
}

/* Are both axes of the hinge along the normal, on the same side and at the same height? */
static bool is_closed(const tn_sheets *s, const tn_model_joint *joint)
{
    double side_a, z_a, side_b, z_b;
    return is_along(s, joint, true, &side_a, &z_a) && is_along(s, joint, false, &side_b, &z_b) &&
           side_a == side_b && fabs(z_a - z_b) <= TN_ROUND_OFF * s->size;
}

static bool all_are_closed(const tn_sheets *s)
{
    for (int32_t j = 0; j < s->model->joint_count; j++) {
        if (!is_closed(s, &s->model->joints[j]))
            return false;
    }
    return true;
}

static bool is_parallel(tn_sheets *s, tn_vec3 *normal)
{
    for (int32_t i = 0; i < s->model->body_count; i++)
        s->size = fmax(s->size, v3_norm(s->model->bodies[i].x0));
    if (!find_normal(s->model, normal))
        return false;
    know_standing(s, *normal);
    list_ends(s);
    return learn_all(s) && all_are_closed(s);
}

/* ---- packed data ---- */

static void put_turn(tn_quat q, int i, tn_bar *bar)
{
    const double parts[4] = {q.w, q.x, q.y, q.z};
    for (int k = 0; k < 4; k++) {
        bar->turned[k][i] = parts[k];
        if (i < 2)
            bar->turn[i][k] = parts[k];
    }
}

static tn_bar make_bar(const tn_sheets *s, const tn_linkage *linkage, int32_t body)
{
    const int32_t k = place_of(s, body);
    const tn_mat3 sheet = {{{linkage->e[0].x, linkage->e[1].x, linkage->e[2].x},
                            {linkage->e[0].y, linkage->e[1].y, linkage->e[2].y},
                            {linkage->e[0].z, linkage->e[1].z, linkage->e[2].z}}};
    const tn_mat3 own = tn_m3_from_z_axis(s->normal[k]);
    const tn_quat from = tn_quat_from_matrix(&sheet), to = tn_quat_from_matrix(&own);
    const tn_quat back = {to.w, -to.x, -to.y, -to.z};
    const tn_quat units[4] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    tn_bar bar = {
        .z = s->z[k], .normal = s->normal[k], .body = body, .stands = stands(s->model, body)};
    for (int i = 0; i < 4; i++)
        put_turn(q_normalize(q_mul(q_mul(from, units[i]), back)), i, &bar);
    if (bar.stands)
        return bar;
    const tn_model_body *model = &s->model->bodies[body];
    const tn_vec3 Jn = m3_mulv(&model->J, s->normal[k]);
    const double inertia = v3_dot(s->normal[k], Jn);
    v3_store(bar.inertia, v3(model->mass, model->mass, inertia));
    v3_store(bar.by_inertia, v3(1.0 / model->mass, 1.0 / model->mass, 1.0 / inertia));
    bar.off = (tn_v2){v3_dot(m3_column(&own, 0), Jn), v3_dot(m3_column(&own, 1), Jn)};
    const double largest = fmax(model->J.m[0][0], fmax(model->J.m[1][1], model->J.m[2][2]));
    bar.gyration = largest / model->mass;
    bar.at = model->u;
    return bar;
}

/* In axes of a bar. */
static tn_v2 in_bar(const tn_sheets *s, int32_t body, tn_vec3 v)
{
    const tn_mat3 own = tn_m3_from_z_axis(s->normal[place_of(s, body)]);
    return (tn_v2){v3_dot(m3_column(&own, 0), v), v3_dot(m3_column(&own, 1), v)};
}

static tn_linkage_pin make_pin(const tn_sheets *s, int32_t j)
{
    const tn_model_joint *joint = &s->model->joints[j];
    const tn_xform *C = &joint->geometry.T_CA, *D = &joint->geometry.T_DB;
    double side = 1.0, z = 0.0;
    is_along(s, joint, true, &side, &z);
    const int32_t a = place_of(s, joint->a), b = place_of(s, joint->b);
    tn_linkage_pin pin = {.at_a = in_bar(s, joint->a, C->p),
                          .at_b = in_bar(s, joint->b, D->p),
                          .axis_a = in_bar(s, joint->a, m3_column(&C->R, 0)),
                          .axis_b = in_bar(s, joint->b, m3_column(&D->R, 0)),
                          .z_a = v3_dot(C->p, s->normal[a]),
                          .z_b = v3_dot(D->p, s->normal[b]),
                          .side = side,
                          .y = tn_kkt_get_layout(s->model->kkt)->y_offset[j],
                          .a = s->bar[a],
                          .b = s->bar[b],
                          .joint = j,
                          .coupling = -1};
    const double softness = joint->in_loop ? joint->softness : 1.0;
    const double x = 1.0 / (softness * joint->row_scale[3]),
                 y = 1.0 / (softness * joint->row_scale[4]);
    pin.yield_force = 1.0 / (softness * joint->row_scale[2]);
    pin.yield_mean = 0.5 * (x + y);
    pin.yield_half = 0.5 * (x - y);
    return pin;
}

/* ---- the order of bodies: `across` ---- */

static tn_status order_bars(tn_sheets *s, tn_linkage *linkage, bool *fits)
{
    const tn_model *model = s->model;
    int64_t edges = 0;
    for (int32_t k = 0; k <= model->body_count; k++) {
        const bool still = stands(model, k < model->body_count ? k : -1);
        s->bar[k] = still ? linkage->standing_count++ : linkage->bar_count++;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (!stands(model, joint->a) && !stands(model, joint->b))
            s->edges[edges++] = (tn_spd_edge){s->bar[joint->a], s->bar[joint->b]};
    }
    const tn_status status = tn_spd_create(linkage->bar_count, TN_ACROSS_ROWS, s->edges, edges,
                                           TN_LINKAGE_FILL, &linkage->across, fits);
    for (int32_t k = 0; k <= model->body_count && status == TN_OK && *fits; k++) {
        const bool still = stands(model, k < model->body_count ? k : -1);
        s->bar[k] = still ? linkage->bar_count + s->bar[k] : linkage->across.position[s->bar[k]];
    }
    return status;
}

static tn_status put_bars(const tn_sheets *s, tn_linkage *linkage)
{
    const tn_model *model = s->model;
    linkage->bars = TN_NEW_ARRAY(tn_bar, linkage->bar_count + linkage->standing_count);
    linkage->load = TN_NEW_ARRAY(double, TN_BAR_STRIDE *(int64_t)linkage->bar_count);
    linkage->lack = TN_NEW_ARRAY(double, TN_BAR_STRIDE *(int64_t)linkage->bar_count);
    if (!linkage->bars || !linkage->load || !linkage->lack)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k <= model->body_count; k++) {
        linkage->bars[s->bar[k]] = make_bar(s, linkage, k < model->body_count ? k : -1);
        linkage->mass += linkage->bars[s->bar[k]].inertia[0];
    }
    return TN_OK;
}

/* ---- the order of hinges: `along` ---- */

static bool is_level(const tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        if (linkage->bars[k].off[0] != 0.0 || linkage->bars[k].off[1] != 0.0)
            return false;
    }
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        if ((!linkage->bars[pin->a].stands && pin->z_a != 0.0) ||
            (!linkage->bars[pin->b].stands && pin->z_b != 0.0))
            return false;
    }
    return true;
}

static void put_pins(const tn_sheets *s, tn_linkage *linkage)
{
    for (int32_t j = 0; j < linkage->pin_count; j++) {
        tn_linkage_pin pin = make_pin(s, j);
        if (pin.a < linkage->bar_count && pin.b < linkage->bar_count)
            pin.coupling = tn_spd_find(&linkage->across, pin.a < pin.b ? pin.a : pin.b,
                                       pin.a < pin.b ? pin.b : pin.a);
        linkage->pins[linkage->along.position[j]] = pin;
    }
}

/* The moving bars of a pin: tn_tiles_of. */
static int bars_of(const void *mechanism, int32_t p, int32_t *bars)
{
    const tn_linkage *linkage = mechanism;
    const int32_t both[2] = {linkage->pins[p].a, linkage->pins[p].b};
    int count = 0;
    for (int n = 0; n < 2; n++) {
        if (both[n] < linkage->bar_count)
            bars[count++] = both[n];
    }
    return count;
}

tn_status tn_linkage_make_tiles(tn_linkage *linkage, int32_t size)
{
    const tn_tiles_of of = {.matrix = &linkage->along,
                            .joints = linkage->pin_count,
                            .bodies = linkage->bar_count,
                            .pack = 1,
                            .size = size,
                            .bodies_of = bars_of,
                            .mechanism = linkage};
    return tn_tiles_create(&of, &linkage->tiles);
}

static tn_status make_pins(const tn_sheets *s, tn_linkage *linkage, bool *fits)
{
    linkage->pin_count = s->model->joint_count;
    linkage->pins = TN_NEW_ARRAY(tn_linkage_pin, linkage->pin_count);
    linkage->y = TN_NEW_ARRAY(double, TN_PIN_ROWS *(int64_t)linkage->pin_count);
    linkage->once = TN_NEW_ARRAY(double, TN_PIN_ROWS *(int64_t)linkage->pin_count);
    double *columns = linkage->columns =
        TN_NEW_ARRAY(double, TN_PIN_ROWS *(int64_t)TN_LINKAGE_HELD * linkage->pin_count);
    if (!linkage->pins || !linkage->y || !linkage->once || !columns)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < TN_LINKAGE_HELD; k++)
        linkage->held[k].column = columns + TN_PIN_ROWS * (int64_t)k * linkage->pin_count;
    const tn_pairs_of of = {s->model, s->bar, linkage->bar_count, TN_PIN_ROWS, TN_LINKAGE_FILL};
    const tn_status status = tn_pairs_create(&of, &linkage->along, &linkage->pairs, fits);
    if (status != TN_OK || !*fits)
        return status;
    put_pins(s, linkage);
    linkage->level = is_level(linkage);
    return tn_linkage_make_tiles(linkage, TN_LINKAGE_TILE);
}

static tn_status make_linkage(tn_sheets *s, tn_linkage *linkage, bool *fits)
{
    tn_status status = order_bars(s, linkage, fits);
    if (status == TN_OK && *fits)
        status = put_bars(s, linkage);
    return status == TN_OK && *fits ? make_pins(s, linkage, fits) : status;
}

tn_status tn_linkage_create(const tn_model *model, tn_linkage **out)
{
    tn_vec3 normal;
    bool fits = false;
    *out = NULL;
    if (!tn_are_rigid_on_hinges(model))
        return TN_OK;
    tn_sheets sheets = make_sheets(model);
    const bool room = sheets.normal && sheets.z && sheets.known && sheets.first && sheets.next &&
                      sheets.bar && sheets.edges;
    tn_status status = room ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK && is_parallel(&sheets, &normal)) {
        const tn_mat3 axes = tn_m3_from_z_axis(normal);
        tn_linkage *linkage = *out = TN_NEW(tn_linkage);
        status = linkage ? TN_OK : TN_ERROR_MEMORY;
        for (int k = 0; k < 3 && linkage; k++)
            linkage->e[k] = m3_column(&axes, k);
        if (linkage) {
            linkage->wide = tn_wide_lanes();
            linkage->least_pivot =
                tn_loops_are_long(model->loop_joints) ? TN_REDUNDANT_PIVOT : TN_CLEARLY_REGULAR;
            status = make_linkage(&sheets, linkage, &fits);
        }
    }
    free_sheets(&sheets);
    if (!fits) {
        tn_linkage_destroy(*out);
        *out = NULL;
    }
    return status;
}

void tn_linkage_destroy(tn_linkage *linkage)
{
    if (!linkage)
        return;
    tn_free(linkage->bars);
    tn_free(linkage->pins);
    tn_pairs_destroy(&linkage->pairs);
    tn_tiles_destroy(&linkage->tiles);
    tn_free(linkage->y);
    tn_free(linkage->once);
    tn_free(linkage->load);
    tn_free(linkage->lack);
    tn_free(linkage->columns);
    tn_spd_destroy(&linkage->along);
    tn_spd_destroy(&linkage->across);
    tn_free(linkage);
}
