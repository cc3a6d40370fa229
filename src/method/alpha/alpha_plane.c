/* alpha_plane.c: room method/alpha: which planar bodies and pins are packed, and the copies from and to the state.
 * See alpha_plane.h.
 */
#include <string.h>

#include "base/base.h"
#include "method/alpha/alpha_plane.h"
#include "motion/loads.h"

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
                            .stand_in = body->stand_in_inertia,
                            .u = body->u,
                            .body = i,
                            .damped = (int8_t)tn_body_is_damped(body)};
    }
    plane->bodies[plane->body_count] =
        (tn_plane_body){.axis = {1.0, 0.0}, .half = {1.0, 0.0}, .body = -1}; /* ground */
}

static tn_plane_pin make_pin(const tn_model *model, const tn_plane *plane, int32_t j)
{
    const tn_model_joint *joint = &model->joints[j];
    const tn_xform *C = &joint->geometry.T_CA, *D = &joint->geometry.T_DB;
    return (tn_plane_pin){
        .at_a = {C->p.x, C->p.y},
        .at_b = {D->p.x, D->p.y},
        .axis_a = {C->R.m[0][0], C->R.m[1][0]},
        .axis_b = {D->R.m[0][0], D->R.m[1][0]},
        .z_a = C->p.z,
        .z_b = D->p.z,
        .scale = {joint->row_scale[0], joint->row_scale[1]},
        .softness = joint->in_loop ? joint->softness : 0.0,
        .y = tn_kkt_get_layout(model->kkt)->y_offset[j],
        .joint = j,
        .a = &plane->bodies[plane->place[joint->a]],
        .b = &plane->bodies[joint->b >= 0 ? plane->place[joint->b] : plane->body_count]};
}

/* Couplings read the kinematics of their joints in every evaluation. */
static void list_pins(const tn_model *model, tn_plane *plane)
{
    int8_t *coupled =
        plane->is_packed; /* scratch until the first prediction; loads count like couplings */
    for (int32_t k = 0; k < model->load_count; k++) {
        if (model->loads[k].kind == TN_LOAD_EFFORT)
            coupled[model->loads[k].joint] = 1;
    }
    for (int32_t t = 0; t < model->term_start[model->coupling_count]; t++)
        coupled[model->terms[t].joint] = 1;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (model->joints[j].geometry.pin && !coupled[j])
            plane->pins[plane->pin_count++] = make_pin(model, plane, j);
    }
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
    plane->wide = tn_wide_lanes();
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
    const tn_alpha_work *w = tn_alpha_of(sim);
    const tn_vec3 x = w->from->x[body->body];
    const tn_quat q = w->from->q[body->body];
    body->x_before = (tn_v2){x.x, x.y};
    body->half_before = (tn_v2){q.w, q.z};
    body->shown = body->damped;
}

/* Writes back what other elements read of a body. */
static void expose(tn_plane *plane, int32_t body)
{
    if (body >= 0 && plane->place[body] >= 0)
        plane->bodies[plane->place[body]].shown = 1;
}

/* Loads read bodies too. */
static void expose_to_loads(const tn_sim *sim, tn_plane *plane)
{
    for (int32_t k = 0; k < sim->model->load_count; k++) {
        const tn_load_data *load = &sim->model->loads[k];
        expose(plane, load->places[1].body);
        for (int32_t n = 0; n < load->body_count; n++)
            expose(plane, load->bodies[n]);
    }
    for (int32_t k = 0; k < plane->body_count && tn_loads_from_outside(sim); k++)
        plane->bodies[k].shown = 1;
}

void tn_plane_begin(tn_sim *sim)
{
    tn_plane *plane = tn_alpha_of(sim)->plane;
    const int gaps = tn_gap_is_on(&sim->state), read = tn_loads_read_joints(sim);
    for (int32_t k = 0; k < plane->body_count; k++)
        begin_body(sim, &plane->bodies[k]);
    plane->packed_count = 0;
    for (int32_t k = 0; k < plane->pin_count; k++) {
        const int32_t j = plane->pins[k].joint;
        plane->pins[k].packed = (int8_t)(sim->state.plain[j] && !gaps && !read);
        plane->is_packed[j] = plane->pins[k].packed;
        plane->packed_count += plane->pins[k].packed;
    }
    for (int32_t j = 0; plane->body_count > 0 && j < sim->model->joint_count; j++) {
        if (!plane->is_packed[j]) {
            expose(plane, sim->model->joints[j].a);
            expose(plane, sim->model->joints[j].b);
        }
    }
    expose_to_loads(sim, plane);
}

void tn_plane_show_body(tn_sim *sim, const tn_plane_body *body)
{
    tn_vec3 *x = &sim->state.x[body->body];
    x->x = body->x[0];
    x->y = body->x[1];
    sim->state.q[body->body] = (tn_quat){body->half[0], 0.0, 0.0, body->half[1]};
    sim->sys.T[body->body] = (tn_xform){m3_rot_z(body->axis[0], body->axis[1]), *x};
}

static void show_pin(tn_sim *sim, const tn_plane_pin *pin)
{
    const double z_a = sim->state.x[pin->a->body].z;
    const double z_b = pin->b->body >= 0 ? sim->state.x[pin->b->body].z : 0.0;
    const tn_v2 in_D = p2_turn_back(p2_turn(pin->b->axis, pin->axis_b), pin->axis);
    const tn_pin_frames frames = {
        .c = pin->axis[0],
        .s = pin->axis[1],
        .r_A = {pin->arm_a[0], pin->arm_a[1], z_b + pin->z_b - z_a},
        .r_B = {pin->arm_b[0], pin->arm_b[1], pin->z_b},
        .error = {pin->error[0], pin->error[1], (z_a + pin->z_a) - (z_b + pin->z_b)},
        .c_GD = in_D[0],
        .s_GD = in_D[1],
    };
    tn_joint_put_pin(&frames, &sim->sys.kin[pin->joint]);
    tn_v2_store(sim->state.lambda + (size_t)pin->joint * TN_MAX_ROWS,
                p2_turn_back(pin->axis, pin->force));
    tn_v2_store(sim->sys.phi + pin->y, pin->error);
}

void tn_plane_show(tn_sim *sim)
{
    const tn_plane *plane = tn_alpha_of(sim)->plane;
    for (int32_t k = 0; k < plane->body_count; k++)
        tn_plane_show_body(sim, &plane->bodies[k]);
    for (int32_t k = 0; k < plane->pin_count; k++) {
        if (plane->pins[k].packed)
            show_pin(sim, &plane->pins[k]);
    }
}
