/* space_model.c: room method/space: which models are hinges in space with loops, and their packed data. See
 * space.h. */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "method/alpha/hinge_terms.h"
#include "method/space/space.h"

/* Most pairs, blocks and updates a hinge: bodies with more hinges are better eliminated after their hinges. */
#define TN_SPACE_FILL 8

_Static_assert(sizeof(tn_space_bodies) % TN_SPACE_LINE == 0 &&
                   sizeof(tn_space_body) % TN_SPACE_LINE == 0 &&
                   sizeof(tn_space_balls) % TN_SPACE_LINE == 0 &&
                   offsetof(tn_space_body, W) % TN_SPACE_LINE == 0 &&
                   offsetof(tn_space_balls, x_b) % TN_SPACE_LINE == 0 &&
                   offsetof(tn_space_balls, x) % TN_SPACE_LINE == 0,
               "whole lines");

static int32_t up_to_fours(int32_t count)
{
    return (count + TN_SPACE_SIDE - 1) / TN_SPACE_SIDE * TN_SPACE_SIDE;
}

static void put_matrix(tn_four *to, int n, const tn_mat3 *from)
{
    for (int i = 0; i < 9; i++)
        to[i][n] = from->m[i / 3][i % 3];
}

static void put_vector(tn_four *to, int n, tn_vec3 from)
{
    to[0][n] = from.x;
    to[1][n] = from.y;
    to[2][n] = from.z;
}

/* An empty lane: no mass, at rest at the origin. */
static void put_nobody(tn_space *space, int32_t k)
{
    tn_space_bodies *of = &space->fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    const tn_mat3 one = m3_identity();
    space->bodies[k] = (tn_space_body){.body = -1};
    put_matrix(of->J, n, &one);
}

static void put_moving(const tn_model *model, int32_t i, tn_space *space, int32_t k)
{
    const tn_model_body *from = &model->bodies[i];
    tn_space_bodies *of = &space->fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    space->bodies[k] = (tn_space_body){.body = i, .at = from->u, .by_own = 1.0 / from->mass};
    put_matrix(of->J, n, &from->J);
    of->mass[n] = from->mass;
    of->by_own[n] = 1.0 / from->mass;
    put_vector(of->by_inertia, n, v3_load(from->inverse_inertia + 3));
    const double largest = fmax(from->J.m[0][0], fmax(from->J.m[1][1], from->J.m[2][2]));
    of->gyration[n] = largest / from->mass;
    space->mass += from->mass;
}

/* The ends of a hinge; in an empty lane, joint -1, both are on ground, and closed. */
typedef struct tn_space_ends {
    int32_t a, b;
    tn_xform C, D;
} tn_space_ends;

static void put_ends(tn_space *space, const tn_space_ends *ends, int32_t joint, int32_t k)
{
    const tn_xform *C = &ends->C, *D = &ends->D;
    tn_space_hinges *of = &space->hinge_fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    put_vector(of->at_a, n, C->p);
    put_vector(of->at_b, n, D->p);
    put_vector(of->x_a, n, m3_column(&C->R, 0));
    put_vector(of->z_a, n, m3_column(&C->R, 2));
    put_vector(of->x_b, n, m3_column(&D->R, 0));
    put_vector(of->z_b, n, m3_column(&D->R, 2));
    of->a[n] = &space->bodies[ends->a];
    of->b[n] = &space->bodies[ends->b];
    of->joint[n] = joint < 0 ? 0 : joint;
    of->number[n] = joint < 0 ? space->hinge_count : joint;
}

static void put_hinge(const tn_model *model, const int32_t *number, int32_t j, tn_space *space)
{
    const tn_model_joint *joint = &model->joints[j];
    const int32_t k = space->matrix.position[j],
                  ground = space->first_standing + space->standing - 1;
    const tn_space_ends ends = {number[joint->a], joint->b < 0 ? ground : number[joint->b],
                                joint->geometry.T_CA, joint->geometry.T_DB};
    space->hinges[k] = (tn_space_hinge){.z_a = m3_column(&ends.C.R, 2),
                                        .z_b = m3_column(&ends.D.R, 2),
                                        .y = tn_kkt_get_layout(model->kkt)->y_offset[j],
                                        .a = ends.a,
                                        .b = ends.b,
                                        .joint = j};
    put_ends(space, &ends, j, k);
    for (int n = 0; n < TN_SPACE_ROWS && joint->in_loop; n++)
        space->e[TN_SPACE_STRIDE * k + n] = joint->softness * joint->row_scale[n];
}

static void put_balls(tn_space *space, const tn_space_ends *ends, int32_t joint, int32_t k)
{
    const tn_xform *C = &ends->C, *D = &ends->D;
    tn_space_balls *of = &space->ball_fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    put_vector(of->at_a, n, C->p);
    put_vector(of->at_b, n, D->p);
    put_vector(of->x_a, n, m3_column(&C->R, 0));
    put_vector(of->z_a, n, m3_column(&C->R, 2));
    put_vector(of->x_b, n, m3_column(&D->R, 0));
    put_vector(of->z_b, n, m3_column(&D->R, 2));
    of->a[n] = &space->bodies[ends->a];
    of->b[n] = &space->bodies[ends->b];
    of->by_own[n] = of->a[n]->by_own + of->b[n]->by_own;
    of->joint[n] = joint;
    of->number[n] = joint < 0 ? space->hinge_count : joint;
}

static void put_ball_joint(const tn_model *model, const int32_t *number, int32_t j, tn_space *space)
{
    const tn_model_joint *joint = &model->joints[j];
    const int32_t k = space->matrix.position[j],
                  ground = space->first_standing + space->standing - 1;
    const tn_space_ends ends = {number[joint->a], joint->b < 0 ? ground : number[joint->b],
                                joint->geometry.T_CA, joint->geometry.T_DB};
    space->balls[k] = (tn_space_ball){
        .y = tn_kkt_get_layout(model->kkt)->y_offset[j], .a = ends.a, .b = ends.b, .joint = j};
    put_balls(space, &ends, j, k);
    for (int n = 0; n < TN_BALL_ROWS && joint->in_loop; n++)
        space->ball_fours[k / TN_SPACE_SIDE].e[n][k % TN_SPACE_SIDE] =
            joint->softness * joint->row_scale[n];
}

/* Numbers the bodies, moving ones first. */
static void number_bodies(const tn_model *model, int32_t *number, tn_space *space)
{
    for (int32_t i = 0; i < model->body_count; i++)
        space->moving += model->bodies[i].dim > 0;
    space->first_standing = up_to_fours(space->moving);
    int32_t move = 0, stand = space->first_standing;
    for (int32_t i = 0; i < model->body_count; i++)
        number[i] = model->bodies[i].dim > 0 ? move++ : stand++;
    space->standing = stand - space->first_standing + 1;
}

/* Allocates at the start of a cache line. */
static void *line_of(void *block)
{
    char *at = block;
    return at + (TN_SPACE_LINE - (uintptr_t)at % TN_SPACE_LINE) % TN_SPACE_LINE;
}

static bool make_arrays(tn_space *space)
{
    const int32_t n = up_to_fours(space->hinge_count);
    const int32_t fours = space->first_standing / TN_SPACE_SIDE;
    const int64_t rows = space->stride * (int64_t)n;
    const bool balls = space->stride == TN_BALL_STRIDE;
    const int64_t four = balls ? sizeof(tn_space_balls) : sizeof(tn_space_hinges);
    space->bodies_block = TN_NEW_ARRAY(
        char,
        (int64_t)sizeof(tn_space_body) * (fours * TN_SPACE_SIDE + space->standing) + TN_SPACE_LINE);
    space->hinges = TN_NEW_ARRAY(tn_space_hinge, balls ? 1 : n);
    space->balls = TN_NEW_ARRAY(tn_space_ball, balls ? n : 1);
    space->fours_block =
        TN_NEW_ARRAY(char, (int64_t)sizeof(tn_space_bodies) * fours + TN_SPACE_LINE);
    space->hinge_fours_block = TN_NEW_ARRAY(char, four *(n / TN_SPACE_SIDE) + TN_SPACE_LINE);
    space->y = TN_NEW_ARRAY(double, rows);
    space->once = TN_NEW_ARRAY(double, rows);
    space->part = TN_NEW_ARRAY(double, rows);
    space->e = TN_NEW_ARRAY(double, rows);
    if (!space->bodies_block || !space->hinges || !space->balls || !space->fours_block ||
        !space->hinge_fours_block || !space->y || !space->once || !space->part || !space->e)
        return false;
    space->fours = line_of(space->fours_block);
    space->bodies = line_of(space->bodies_block);
    if (balls) {
        space->ball_fours = line_of(space->hinge_fours_block);
    } else {
        space->hinge_fours = line_of(space->hinge_fours_block);
    }
    return true;
}

static void put_all(const tn_model *model, const int32_t *number, tn_space *space)
{
    const int32_t ground = space->first_standing + space->standing - 1;
    const tn_space_ends closed = {ground, ground, xf_identity(), xf_identity()};
    for (int32_t i = 0; i < model->body_count; i++) {
        if (model->bodies[i].dim > 0) {
            put_moving(model, i, space, number[i]);
        } else {
            space->bodies[number[i]] = (tn_space_body){.body = i};
        }
    }
    for (int32_t k = space->moving; k < space->first_standing; k++)
        put_nobody(space, k);
    space->bodies[ground] = (tn_space_body){.body = -1};
    const bool balls = space->stride == TN_BALL_STRIDE;
    for (int32_t j = 0; j < space->hinge_count; j++)
        (balls ? put_ball_joint : put_hinge)(model, number, j, space);
    for (int32_t k = space->hinge_count; k < up_to_fours(space->hinge_count); k++)
        (balls ? put_balls : put_ends)(space, &closed, -1, k);
}

/* ---- tiles ---- */

/* From this number of joints on, the data of a pass (about 3 kB a joint with its bodies) does not stay in the
 * last-level cache until the next pass, and is prefetched; below, the hardware prefetches well enough. */
enum { TN_SPACE_FAR = 6000 };

/* The fours of the bodies that a four of balls is on: tn_tiles_of. */
static int fours_of_bodies(const void *mechanism, int32_t p, int32_t *bodies)
{
    const tn_space *space = mechanism;
    const tn_space_balls *of = &space->ball_fours[p];
    int count = 0;
    for (int n = 0; n < TN_SPACE_SIDE; n++) {
        const int64_t a = of->a[n] - space->bodies, b = of->b[n] - space->bodies;
        if (a < space->first_standing)
            bodies[count++] = (int32_t)(a / TN_SPACE_SIDE);
        if (b < space->first_standing)
            bodies[count++] = (int32_t)(b / TN_SPACE_SIDE);
    }
    return count;
}

tn_status tn_space_make_tiles(tn_space *space, int32_t size)
{
    const tn_tiles_of of = {.matrix = &space->matrix,
                            .joints = up_to_fours(space->hinge_count) / TN_SPACE_SIDE,
                            .bodies = space->first_standing / TN_SPACE_SIDE,
                            .pack = TN_SPACE_SIDE,
                            .size = size,
                            .far = space->hinge_count >= TN_SPACE_FAR,
                            .bodies_of = fours_of_bodies,
                            .mechanism = space};
    return tn_tiles_create(&of, &space->tiles);
}

static tn_status fill(const tn_model *model, const int32_t *number, tn_space *space, bool *fits)
{
    const int size = space->stride - 1;
    space->hinge_count = model->joint_count;
    const tn_pairs_of of = {model, number, space->moving, size, TN_SPACE_FILL};
    const tn_status status = tn_pairs_create(&of, &space->matrix, &space->pairs, fits);
    if (status != TN_OK || !*fits)
        return status;
    if (!make_arrays(space))
        return TN_ERROR_MEMORY;
    put_all(model, number, space);
    return space->stride == TN_BALL_STRIDE ? tn_space_make_tiles(space, TN_SPACE_TILE) : TN_OK;
}

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
static const tn_space_kernel *widest(bool balls)
{
    const bool wide = tn_wide_lanes();
    return balls  ? (wide ? &tn_space_balls_4 : &tn_space_balls_2)
           : wide ? &tn_space_kernel_4
                  : &tn_space_kernel_2;
}
#else
static const tn_space_kernel *widest(bool balls)
{
    return balls ? &tn_space_balls_2 : &tn_space_kernel_2;
}
#endif

tn_status tn_space_create(const tn_model *model, tn_space **out)
{
    bool fits = false;
    *out = NULL;
    const bool balls = tn_are_rigid_on_balls(model);
    if (!balls && !tn_are_rigid_on_hinges(model))
        return TN_OK;
    tn_space *space = *out = TN_NEW(tn_space);
    int32_t *number = TN_NEW_ARRAY(int32_t, model->body_count + 1);
    tn_status status = space && number ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        space->kernel = widest(balls);
        space->stride = balls ? TN_BALL_STRIDE : TN_SPACE_STRIDE;
        number_bodies(model, number, space);
        status = fill(model, number, space, &fits);
    }
    tn_free(number);
    if (!fits || status != TN_OK) {
        tn_space_destroy(space);
        *out = NULL;
    }
    return status;
}

void tn_space_destroy(tn_space *space)
{
    if (!space)
        return;
    tn_free(space->bodies_block);
    tn_free(space->hinges);
    tn_free(space->balls);
    tn_tiles_destroy(&space->tiles);
    tn_pairs_destroy(&space->pairs);
    tn_free(space->fours_block);
    tn_free(space->hinge_fours_block);
    tn_free(space->e);
    tn_free(space->y);
    tn_free(space->once);
    tn_free(space->part);
    tn_spd_destroy(&space->matrix);
    tn_free(space);
}
