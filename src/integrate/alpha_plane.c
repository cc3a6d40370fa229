/* alpha_plane.c: room integrate: what of planar bodies and pins is packed, and bringing it in and
 * out. See alpha_plane.h.
 */
#include <string.h>

#include "base/base.h"
#include "integrate/alpha_plane.h"

static void list_bodies(const tn_model *model, tn_plane *plane)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        plane->place[i] = -1;
        if (body->kind != TN_BODY_PLANAR)
            continue;
        plane->place[i] = plane->body_count;
        plane->bodies[plane->body_count++] =
            (tn_plane_body){.mass = body->mass,
                            .inertia = body->J.m[2][2],
                            .u = body->u,
                            .body = i,
                            .damped = (int8_t)tn_body_is_damped(body)};
    }
    plane->bodies[plane->body_count] = (tn_plane_body){.c = 1.0, .w = 1.0, .body = -1}; /* ground */
}

static tn_plane_pin make_pin(const tn_model *model, const tn_plane *plane, int32_t j)
{
    const tn_model_joint *joint = &model->joints[j];
    const tn_xform *C = &joint->geometry.T_CA, *D = &joint->geometry.T_DB;
    tn_plane_pin pin = {.turn_a = {C->R.m[0][0], C->R.m[1][0]},
                        .turn_b = {D->R.m[0][0], D->R.m[1][0]},
                        .scale = {joint->row_scale[0], joint->row_scale[1]},
                        .softness = joint->in_loop ? joint->softness : 0.0,
                        .y = tn_kkt_get_layout(model->kkt)->y_offset[j],
                        .joint = j,
                        .a = plane->place[joint->a],
                        .b = joint->b >= 0 ? plane->place[joint->b] : plane->body_count};
    v3_store(pin.at_a, C->p);
    v3_store(pin.at_b, D->p);
    return pin;
}

/* Couplings read the kinematics of their joints in every evaluation. */
static void list_pins(const tn_model *model, tn_plane *plane)
{
    int8_t *coupled = plane->is_packed; /* until the first prediction */
    for (int32_t t = 0; t < model->term_start[model->coupling_count]; t++)
        coupled[model->terms[t].joint] = 1;
    for (int32_t j = 0; j < model->joint_count; j++)
        if (model->joints[j].geometry.pin && !coupled[j])
            plane->pins[plane->pin_count++] = make_pin(model, plane, j);
    memset(coupled, 0, (size_t)model->element_count);
}

static int32_t count_planar(const tn_model *model)
{
    int32_t n = 0;
    for (int32_t i = 0; i < model->body_count; i++)
        n += model->bodies[i].kind == TN_BODY_PLANAR;
    return n;
}

static int32_t count_pins(const tn_model *model)
{
    int32_t n = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        n += model->joints[j].geometry.pin;
    return n;
}

tn_status tn_plane_create(const tn_model *model, tn_plane **out)
{
    tn_plane *plane = *out = TN_NEW(tn_plane);
    if (!plane)
        return TN_ERROR_MEMORY;
    plane->bodies = TN_NEW_ARRAY(tn_plane_body, count_planar(model) + 1);
    plane->pins = TN_NEW_ARRAY(tn_plane_pin, count_pins(model));
    plane->place = TN_NEW_ARRAY(int32_t, model->body_count);
    plane->is_packed = TN_NEW_ARRAY(int8_t, model->element_count);
    if (!plane->bodies || !plane->pins || !plane->place || !plane->is_packed)
        return TN_ERROR_MEMORY;
    list_bodies(model, plane);
    list_pins(model, plane);
    return TN_OK;
}

void tn_plane_destroy(tn_plane *plane)
{
    if (!plane)
        return;
    tn_free(plane->bodies);
    tn_free(plane->pins);
    tn_free(plane->place);
    tn_free(plane->is_packed);
    tn_free(plane);
}

static void begin_body(const tn_sim *sim, tn_plane_body *body)
{
    const tn_vec3 x = sim->start.x[body->body];
    const tn_quat q = sim->start.q[body->body];
    body->from[0] = x.x;
    body->from[1] = x.y;
    body->from[2] = q.w;
    body->from[3] = q.z;
    body->shown = body->damped;
}

/* What other elements see of a body. */
static void expose(tn_plane *plane, int32_t body)
{
    if (body >= 0 && plane->place[body] >= 0)
        plane->bodies[plane->place[body]].shown = 1;
}

void tn_plane_begin(tn_sim *sim)
{
    tn_plane *plane = sim->plane;
    const int gaps = tn_gap_is_on(&sim->state);
    for (int32_t k = 0; k < plane->body_count; k++)
        begin_body(sim, &plane->bodies[k]);
    for (int32_t k = 0; k < plane->pin_count; k++) {
        const int32_t j = plane->pins[k].joint;
        plane->pins[k].packed = (int8_t)(sim->state.plain[j] && !gaps);
        plane->is_packed[j] = plane->pins[k].packed;
    }
    for (int32_t j = 0; plane->body_count > 0 && j < sim->model->joint_count; j++) {
        if (!plane->is_packed[j]) {
            expose(plane, sim->model->joints[j].a);
            expose(plane, sim->model->joints[j].b);
        }
    }
}

void tn_plane_show_body(tn_sim *sim, const tn_plane_body *body)
{
    tn_vec3 *x = &sim->state.x[body->body];
    x->x = body->x;
    x->y = body->y;
    sim->state.q[body->body] = (tn_quat){body->w, 0.0, 0.0, body->z};
    sim->sys.T[body->body] = (tn_xform){m3_rot_z(body->c, body->s), *x};
}

static void show_pin(tn_sim *sim, const tn_plane_pin *pin)
{
    const tn_plane *plane = sim->plane;
    const tn_plane_body *a = &plane->bodies[pin->a], *b = &plane->bodies[pin->b];
    const double z_a = sim->state.x[a->body].z;
    const double z_b = pin->b < plane->body_count ? sim->state.x[b->body].z : 0.0;
    const double z = z_b + pin->at_b[2];
    const double c = b->c * pin->turn_b[0] - b->s * pin->turn_b[1]; /* of D in the world */
    const double s = b->s * pin->turn_b[0] + b->c * pin->turn_b[1];
    const tn_pin_frames frames = {
        .c = pin->c,
        .s = pin->s,
        .r_A = {pin->arm_a[0], pin->arm_a[1], z - z_a},
        .r_B = {pin->arm_b[0], pin->arm_b[1], pin->at_b[2]},
        .error = {pin->error[0], pin->error[1], z_a + pin->at_a[2] - z},
        .c_GD = c * pin->c + s * pin->s,
        .s_GD = c * pin->s - s * pin->c,
    };
    tn_joint_put_pin(&frames, &sim->sys.kin[pin->joint]);
    double *lambda = sim->state.lambda + (size_t)pin->joint * TN_MAX_ROWS;
    lambda[0] = pin->c * pin->force[0] + pin->s * pin->force[1];
    lambda[1] = pin->c * pin->force[1] - pin->s * pin->force[0];
    sim->sys.phi[pin->y] = pin->error[0];
    sim->sys.phi[pin->y + 1] = pin->error[1];
}

void tn_plane_show(tn_sim *sim)
{
    const tn_plane *plane = sim->plane;
    for (int32_t k = 0; k < plane->body_count; k++)
        tn_plane_show_body(sim, &plane->bodies[k]);
    for (int32_t k = 0; k < plane->pin_count; k++)
        if (plane->pins[k].packed)
            show_pin(sim, &plane->pins[k]);
}
