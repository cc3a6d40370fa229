/* alpha_plane.h: room integrate: planar bodies and the pins between them (hinges, ball joints)
 * during the iteration of a generalized-alpha step, packed.
 *
 * The equations are those of alpha_residual.c in the three components a planar body has, f_x, f_y
 * and m_z. What an iteration needs of a pin fits into 200 bytes and of a body into 120, where its
 * full kinematics, poses and model entries take 3 kilobytes: a chain of a thousand then stays near
 * the processor, and an evaluation takes 60 operations a pin instead of 400 instructions.
 *
 * One truth at a time: between tn_alpha_evaluate and tn_plane_show the poses of planar bodies and
 * the kinematics, multipliers and errors of packed pins are here and nowhere else. The velocities
 * are always the state's. Bodies that anything but packed pins hangs on have their poses in the
 * state and in sys.T all the time too.
 *
 * Packed are pins, hard, that hold no coordinate, keep no gap, and that nothing drives or reads
 * (no coupling). Whether they are is looked at anew at every prediction.
 */
#ifndef TN_INTEGRATE_ALPHA_PLANE_H
#define TN_INTEGRATE_ALPHA_PLANE_H

#include "assemble/body_terms.h"
#include "assemble/joint_terms.h"
#include "integrate/alpha.h"

typedef struct tn_plane_body {
    /* of the trial */
    double x, y;    /* m, centre of mass */
    double c, s;    /* cosine and sine of its angle */
    double w, z;    /* of its quaternion */
    double from[4]; /* x, y, w, z at the start of the step */
    /* of the model */
    double mass, inertia; /* kg, kg m^2 */
    int64_t u;            /* offset in velocities */
    int32_t body;
    int8_t damped;
    int8_t shown; /* something else needs its pose during the iteration */
} tn_plane_body;

typedef struct tn_plane_pin {
    /* of the trial */
    double c, s;               /* cosine and sine of the angle of G in the world */
    double arm_a[2], arm_b[2]; /* m, from the centres of mass to the origin of G, world axes */
    double force[2];           /* N, on body a, world axes */
    double error[2];           /* m, of the rows */
    /* of the model */
    double at_a[3], at_b[3]; /* m, origins of C in A and of D in B */
    double turn_a[2];        /* cosine and sine of the angle of C in A, */
    double turn_b[2];        /* of D in B */
    double scale[2];         /* 1/kg, of the rows */
    double softness;         /* E of a row, in units of scale and of tn_loop_epsilon; 0: no loop */
    int64_t y;               /* offset in row vectors */
    int32_t joint;
    int32_t a, b; /* in tn_plane.bodies; ground is the last one */
    int8_t packed;
} tn_plane_pin;

struct tn_plane {
    tn_plane_body *bodies; /* [body_count + 1], ground last */
    tn_plane_pin *pins;    /* [pin_count] */
    int32_t body_count, pin_count;
    int32_t *place;    /* [bodies of the model] which of these it is; -1: it is not planar */
    int8_t *is_packed; /* [elements] 1: it is a pin that is packed now */
};

tn_status tn_plane_create(const tn_model *model, tn_plane **out);
void tn_plane_destroy(tn_plane *plane);

/* At the prediction: takes start, multipliers and what is packed from the state. */
void tn_plane_begin(tn_sim *sim);
/* Poses, and forces but those of joints, which overwrite sys.f. */
void tn_plane_evaluate_bodies(tn_sim *sim, const tn_alpha *c);
/* Kinematics, multipliers, sys.g and the joints' forces, added to sys.f. Returns the largest
 * distance that rows are off; NaN if anything is not finite. */
double tn_plane_evaluate_pins(tn_sim *sim, const tn_alpha *c, tn_trial trial);
/* Their part of the matrix, as tn_assemble_mass, _jacobian and _row_law have it. */
void tn_plane_assemble(tn_sim *sim, double damping_factor);
/* Poses, multipliers, sys.phi and kinematics to where everybody else looks for them. */
void tn_plane_show(tn_sim *sim);

/* The same of the pose of one body. */
void tn_plane_show_body(tn_sim *sim, const tn_plane_body *body);

/* Speeds of the rows of a pin, G u. */
static inline void tn_plane_speeds(const tn_plane *plane, const tn_plane_pin *pin, const double *u,
                                   double speeds[2])
{
    const double *a = u + plane->bodies[pin->a].u;
    double x = a[0] - a[2] * pin->arm_a[1], y = a[1] + a[2] * pin->arm_a[0];
    if (pin->b < plane->body_count) {
        const double *b = u + plane->bodies[pin->b].u;
        x -= b[0] - b[2] * pin->arm_b[1];
        y -= b[1] + b[2] * pin->arm_b[0];
    }
    speeds[0] = pin->c * x + pin->s * y;
    speeds[1] = pin->c * y - pin->s * x;
}

#endif
