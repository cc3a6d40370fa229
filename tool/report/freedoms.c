/* freedoms.c: the ways a mechanism can move, in words (freedoms.h).
 *
 * Moving one coordinate after the other gives motions: columns of R with a row for each coordinate. Rows are
 * processed in order. A row that is no combination of earlier ones is a freedom of its own; any other
 * coordinate follows the freedoms, by the coefficients of the combination.
 */
#include "report/freedoms.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tenon/coords.h"

/* More freedoms or coordinates than these are not listed: too many to read. */
#define MOST_FREEDOMS    12
#define MOST_COORDINATES 400
/* Followers named with each freedom. */
#define MOST_FOLLOWERS 6
/* The rest of a row after subtracting others counts as zero below this share. */
#define NOTHING 1e-6
/* A coordinate slower than this share of the fastest one counts as at rest: rounding of a held one. m count as
 * rad, so lengths that move by nm per radian do not count as moving. */
#define AT_REST 1e-9

typedef struct coordinate {
    tn_joint joint;
    int32_t index;
    bool angular;
    double row[MOST_FREEDOMS];   /* of R */
    double rest[MOST_FREEDOMS];  /* part of the row that earlier rows do not explain */
    double share[MOST_FREEDOMS]; /* coefficients of the freedoms' own coordinates in it */
    int32_t freedom;             /* the freedom it represents, -1: it follows */
    tn_vec3 axis;                /* of its motion, world */
} coordinate;

typedef struct freedoms {
    tn_sim *sim;
    const tn_model *model;
    coordinate *list;
    int32_t count;
    int32_t motions;
    double (*basis)[MOST_COORDINATES]; /* of the motions, orthogonal, length 1 */
    int32_t own[MOST_FREEDOMS];        /* coordinates that represent freedoms */
    int32_t found;
} freedoms;

static double dot(const double *a, const double *b, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* True for a locked coordinate, such as a rod's length, or one with a prescribed motion: no freedom. */
static bool is_given(const tn_sim *sim, tn_joint joint, int32_t k)
{
    const tn_coordinate_holder holder = tn_sim_coordinate_holder(sim, joint, k);
    return holder == TN_HELD_BY_LOCK || holder == TN_HELD_BY_DRIVER;
}

static bool collect(freedoms *f)
{
    const int32_t joints = tn_model_get_size(f->model).joints;
    f->list = calloc(MOST_COORDINATES, sizeof *f->list);
    for (int32_t j = 0; f->list != NULL && j < joints; j++) {
        const tn_joint_type_info *info = tn_model_joint_info(f->model, (tn_joint){j});
        for (int32_t k = 0; k < info->coordinate_count; k++) {
            if (is_given(f->sim, (tn_joint){j}, k))
                continue;
            if (f->count == MOST_COORDINATES)
                return false;
            f->list[f->count++] = (coordinate){.joint = {j},
                                               .index = k,
                                               .angular = info->coordinates[k].angular != 0,
                                               .freedom = -1};
        }
    }
    return f->list != NULL;
}

/* The axis about or along which body a moves against body b. */
static tn_vec3 axis_of(const freedoms *f, const coordinate *c)
{
    tn_body a, b;
    tn_model_joint_bodies(f->model, c->joint, &a, &b);
    const tn_twist of_a = tn_sim_body_velocity(f->sim, a);
    tn_twist of_b = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (b.i >= 0)
        of_b = tn_sim_body_velocity(f->sim, b);
    const tn_vec3 p = c->angular ? of_a.w : of_a.v, q = c->angular ? of_b.w : of_b.v;
    return (tn_vec3){p.x - q.x, p.y - q.y, p.z - q.z};
}

/* Adds a column to the basis of the motions; false when it is a combination of those before. */
static bool is_new(freedoms *f, double (*rates)[TN_MAX_COORDINATES])
{
    double *column = f->basis[f->motions];
    for (int32_t i = 0; i < f->count; i++)
        column[i] = rates[f->list[i].joint.i][f->list[i].index];
    const double size = sqrt(dot(column, column, f->count));
    for (int32_t m = 0; m < f->motions; m++) {
        const double along = dot(column, f->basis[m], f->count);
        for (int32_t i = 0; i < f->count; i++)
            column[i] -= along * f->basis[m][i];
    }
    const double rest = sqrt(dot(column, column, f->count));
    for (int32_t i = 0; rest > 0.0 && i < f->count; i++)
        column[i] /= rest;
    return rest > NOTHING * size;
}

/* Adds the motion that one coordinate makes as a column of R, if it is new. */
static void add_motion(freedoms *f, int32_t which, double (*rates)[TN_MAX_COORDINATES],
                       double *second)
{
    coordinate *c = &f->list[which];
    if (tn_sim_motion_ratios(f->sim, c->joint, c->index, &rates[0][0], second, NULL) != TN_OK)
        return;
    c->axis = axis_of(f, c);
    if (f->motions == MOST_FREEDOMS || !is_new(f, rates))
        return;
    double fastest = 0.0;
    for (int32_t i = 0; i < f->count; i++)
        fastest = fmax(fastest, fabs(rates[f->list[i].joint.i][f->list[i].index]));
    for (int32_t i = 0; i < f->count; i++) {
        const double rate = rates[f->list[i].joint.i][f->list[i].index];
        f->list[i].row[f->motions] = fabs(rate) > AT_REST * fastest ? rate : 0.0;
    }
    f->motions++;
}

/* True if the row is a combination of the freedoms' rows so far; computes its coefficients. */
static bool explain(const freedoms *f, coordinate *c)
{
    /* least squares with orthogonal rows: rest of each freedom is orthogonal to those of the others
     */
    const double size = dot(c->row, c->row, f->motions);
    for (int32_t m = 0; m < f->motions; m++)
        c->rest[m] = c->row[m];
    double along[MOST_FREEDOMS] = {0.0};
    for (int32_t i = 0; i < f->found; i++) {
        const coordinate *own = &f->list[f->own[i]];
        along[i] = dot(c->rest, own->rest, f->motions) / dot(own->rest, own->rest, f->motions);
        for (int32_t m = 0; m < f->motions; m++)
            c->rest[m] -= along[i] * own->rest[m];
    }
    /* from the orthogonal rows back to the freedoms' own */
    for (int32_t i = f->found - 1; i >= 0; i--) {
        c->share[i] = along[i];
        for (int32_t k = 0; k < i; k++)
            along[k] -= along[i] * f->list[f->own[i]].share[k];
    }
    return dot(c->rest, c->rest, f->motions) <= NOTHING * NOTHING * size;
}

/* First finds the rows that are freedoms of their own, then the others as combinations. rest of a freedom is the
 * part that earlier freedoms do not explain, share its coefficients on them. */
static void sort_out(freedoms *f)
{
    for (int32_t i = 0; i < f->count; i++) {
        coordinate *c = &f->list[i];
        const bool moves = dot(c->row, c->row, f->motions) > 0.0;
        if (moves && f->found < MOST_FREEDOMS && !explain(f, c)) {
            c->freedom = f->found;
            f->own[f->found++] = i;
        }
    }
    for (int32_t i = 0; i < f->count; i++) {
        if (f->list[i].freedom < 0 && dot(f->list[i].row, f->list[i].row, f->motions) > 0.0)
            explain(f, &f->list[i]);
    }
}

static void print_name(const freedoms *f, const coordinate *c)
{
    const tn_joint_type_info *info = tn_model_joint_info(f->model, c->joint);
    printf("%s.%s", tn_model_joint_name(f->model, c->joint), info->coordinates[c->index].name);
}

/* "about z", "along (0.6, 0, 0.8)" */
static void print_axis(const coordinate *c)
{
    const double length = hypot(hypot(c->axis.x, c->axis.y), c->axis.z);
    const double part[3] = {c->axis.x / length, c->axis.y / length, c->axis.z / length};
    const char *word = c->angular ? "about" : "along";
    for (int i = 0; length > 0.0 && i < 3; i++) {
        if (fabs(fabs(part[i]) - 1.0) < NOTHING) {
            printf(" %s %c", word, "xyz"[i]);
            return;
        }
    }
    if (length > 0.0)
        printf(" %s (%.3g, %.3g, %.3g)", word, part[0], part[1], part[2]);
}

/* The only freedom with a coefficient in it; -1: several, or none. */
static int32_t only_share(const freedoms *f, const coordinate *c)
{
    int32_t only = -1;
    for (int32_t i = 0; i < f->found; i++) {
        if (fabs(c->share[i]) > NOTHING) {
            if (only >= 0)
                return -1;
            only = i;
        }
    }
    return only;
}

static void print_followers(const freedoms *f, int32_t freedom)
{
    int32_t told = 0, more = 0;
    for (int32_t i = 0; i < f->count; i++) {
        const coordinate *c = &f->list[i];
        if (c->freedom >= 0 || only_share(f, c) != freedom)
            continue;
        if (told == MOST_FOLLOWERS) {
            more++;
            continue;
        }
        printf("%s", told++ == 0 ? "; with it " : ", ");
        print_name(f, c);
        printf(" (ratio %.3g%s)", c->share[freedom],
               c->angular == f->list[f->own[freedom]].angular ? ""
               : c->angular                                   ? " rad/m"
                                                              : " m/rad");
    }
    if (more > 0)
        printf(" and %" PRId32 " more", more);
}

static void print_mixed(const freedoms *f)
{
    int32_t told = 0;
    for (int32_t i = 0; i < f->count; i++) {
        const coordinate *c = &f->list[i];
        const bool moves = dot(c->row, c->row, f->motions) > 0.0;
        if (c->freedom >= 0 || !moves || only_share(f, c) >= 0)
            continue;
        if (told++ < MOST_FOLLOWERS) {
            printf(told == 1 ? "  Moved by several of these: " : ", ");
            print_name(f, c);
        }
    }
    if (told > 0)
        printf("%s.\n", told > MOST_FOLLOWERS ? " and more" : "");
}

static void describe(freedoms *f, double (*rates)[TN_MAX_COORDINATES], double *second, int32_t dof)
{
    for (int32_t i = 0; i < f->count; i++)
        add_motion(f, i, rates, second);
    sort_out(f);
    if (f->found > dof) {
        printf("  Compliant joints let their coordinates part: freedoms cannot be separated.\n");
        return;
    }
    for (int32_t i = 0; i < f->found; i++) {
        const coordinate *c = &f->list[f->own[i]];
        printf("  Freedom %" PRId32 ": ", i + 1);
        print_name(f, c);
        printf(c->angular ? " turns" : " slides");
        print_axis(c);
        print_followers(f, i);
        printf(".\n");
    }
    print_mixed(f);
    if (f->found == 0)
        printf("  Its freedoms are not described: no coordinate of a joint measures them.\n");
    else if (f->found < dof)
        printf("  %" PRId32 " more that no coordinate of a joint measures.\n", dof - f->found);
}

void freedoms_print(tn_sim *sim, const tn_model *model, int32_t dof)
{
    freedoms f = {.sim = sim, .model = model};
    if (dof <= 0)
        return;
    const size_t joints = (size_t)tn_model_get_size(model).joints + 1;
    double(*rates)[TN_MAX_COORDINATES] = calloc(2 * joints, sizeof *rates); /* and second ones */
    f.basis = calloc(MOST_FREEDOMS + 1, sizeof *f.basis);
    if (dof > MOST_FREEDOMS || !collect(&f)) {
        printf("  Its %" PRId32 " freedoms are too many to be described one by one.\n", dof);
    } else if (rates != NULL && f.basis != NULL) {
        describe(&f, rates, &rates[joints][0], dof);
    }
    free(f.list);
    free(f.basis);
    free(rates);
}
