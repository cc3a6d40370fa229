/* alpha_hinges.h: room method/hinges: steps of trees of rigid bodies on hinges, sliders, screws, solid joints, and on chains of turns and
 * shifts (hinge_chain.c) in the coordinates of the joints (hinge_kernel.h). A link is a body with a joint of one freedom, or one
 * turn or shift of a chain.
 *
 * The equations, and with them what a step ends at, are those of alpha_residual.c; Newton's iteration
 * is another. Predictions go by the steps that are remembered or, where these are too few, by speeds and accelerations.
 * What it does not bring to an end the other one does, from the start.
 *
 * Room method/hinges, in: a state of such a tree, and h. Out: the state h later, or word that
 * the other way is to take the step.
 */
#ifndef TN_METHOD_HINGES_ALPHA_HINGES_H
#define TN_METHOD_HINGES_ALPHA_HINGES_H

#include "method/alpha/alpha_tree.h"
#include "method/links/hinge_world.h"
#include "method/loops/loops.h"

/* Of a joint that moves freely along its screw. */
enum { TN_HINGE_ROWS = 5 };

/* Bodies that float; joints that hold a point and nothing else; joints whose motions are their coordinates. */
typedef enum tn_chain_kind { TN_CHAIN_FREE, TN_CHAIN_BALL, TN_CHAIN_OF_COORDINATES } tn_chain_kind;

/* A turn about a point of the body or a shift: its axis, in axes of the body from the centre of mass. */
typedef struct tn_chain_screw {
    tn_vec3 axis, at;
} tn_chain_screw;

/* A chain in some pose. */
typedef struct tn_chain_pose {
    tn_xform in_inner; /* the body in the inner one, or in the world */
    tn_chain_screw screws[TN_MAX_ROWS];
} tn_chain_pose;

/* A joint of several freedoms, or a body that floats (hinge_chain.c). */
typedef struct tn_hinge_chain {
    double q[TN_MAX_COORDINATES]; /* rad, m: coordinates where the step begins */
    tn_chain_pose home, now;      /* at coordinates 0, and at these; of chains of coordinates */
    double now_at[TN_MAX_COORDINATES];
    int32_t first, count;            /* its links, of which the last is the body's */
    int32_t body, inner_body, joint; /* -1: the ground; it floats */
    tn_chain_kind kind;
    int8_t coordinate[TN_MAX_ROWS]; /* of link n; -1: none */
    bool turns[TN_MAX_ROWS];        /* link n does; else it slides */
    int8_t axis[TN_MAX_ROWS];       /* the body's, 0 .. 2, of links about or along its axes */
    int32_t weld;                   /* the inner body is one; -1: it is none, or does not move */
    bool is_a;                      /* the body is a of its joint */
} tn_hinge_chain;

/* A body that is welded to that of a link, or to what does not move, directly or through others: it is no link of its own, and moves
 * along with that body, its carrier (hinge_welds.c). Vectors are in the world. */
typedef struct tn_hinge_weld {
    tn_quat turn; /* the body in its carrier */
    tn_vec3 at;   /* m: its centre of mass from the carrier's, in axes of the carrier */
    tn_sym3 J;    /* kg m^2, axes of the body */
    double mass;  /* kg */
    int64_t u;    /* offset in velocities */
    int32_t body, joint;
    int32_t carrier, link; /* -1: the ground; it does not move */
    int32_t inner;         /* the weld of the body that it is welded to; -1: that is the carrier */
    bool is_a;             /* the body is a of its joint */
    /* of its centre of mass: h dq, u+ and a+ without udot+, and where it is from the carrier's as the step begins */
    tn_vec3 drift, coast, acc, began;
    tn_quat stays; /* of one that does not move: its orientation */
    /* of the trial */
    tn_vec3 offset;       /* m: its centre of mass from the carrier's */
    tn_vec3 udot;         /* m/s^2: of its centre of mass, */
    tn_vec3 carrier_udot; /* and of the carrier's */
    tn_vec3 f, m; /* what acts on it but joints, about its centre of mass; its turn is the link's */
    tn_vec3 hung_f, hung_m; /* of the end: wrenches of joints that hang on it, likewise */
} tn_hinge_weld;

/* A link whose joint hangs on a welded body. */
typedef struct tn_hinge_hung {
    int32_t link, weld;
} tn_hinge_hung;

/* What bodies are: a link, of chains the last one, or welded to its body; -1: neither. */
typedef struct tn_hinge_seat {
    int32_t link, weld;
} tn_hinge_seat;

/* All welded bodies, after those they are welded to. */
typedef struct tn_hinge_welds {
    tn_hinge_weld *all;   /* [count] */
    tn_hinge_hung *hung;  /* [hung_count] in the order of links */
    tn_hinge_seat *seats; /* [bodies] */
    tn_body_books told;   /* of the step */
    double sum;           /* of the numbers of their motion */
    int32_t count, hung_count;
} tn_hinge_welds;

/* A body's motion without udot+: velocity of its centre of mass, angular velocity in body axes. */
typedef struct tn_hinge_coast {
    double u[6];
} tn_hinge_coast;

/* A joint that closes a loop (hinge_cuts.c). */
typedef struct tn_hinge_cut {
    double lambda[TN_MAX_ROWS]; /* of the trial */
    double
        still; /* m, rad: its bodies rest, and rows that are off by less are met but for rounding; 0: they move */
    /* of its coordinates: what acts along each, what that adds to a pivot, INFINITY: it is held, and by how much it is off then */
    double effort[TN_MAX_COORDINATES], yield[TN_MAX_COORDINATES], off[TN_MAX_COORDINATES];
    int32_t joint;
} tn_hinge_cut;

/* hinge_shares.c */
typedef struct tn_hinge_shares tn_hinge_shares;

/* What acts along a joint, or holds it (hinge_acts.c); rad and N m, m and N of one that slides alone. */
typedef struct tn_hinge_act {
    const double *own;          /* the link's numbers of the trial, */
    const double *inner;        /* and those of the inner one */
    const double *kind;         /* constants of the link */
    double sign;                /* of the joint's coordinate in that of the iteration */
    double start, before;       /* coordinate and multiplier of its row where the step begins */
    double pushed;              /* of loads along the coordinate */
    double armature;            /* kg m^2, kg */
    double speed, rate;         /* of the coordinate in the trial, in chains and cuts; per s */
    double at;                  /* likewise itself, in cuts */
    tn_hinge_coast own_coast;   /* of one that slides: of the body */
    tn_hinge_coast inner_coast; /* and of the inner one, */
    const tn_hinge_weld *weld;  /* on which the inner body is; NULL: it is that one */
    bool turns;                 /* the coordinate is an angle */
    tn_drive *drive;            /* NULL: none */
    int32_t drive_at;           /* among those of the state; TN_NO_DRIVE: none */
    int32_t link, inner_link, joint, coordinate, row;
    int32_t slot; /* of its row among those that hold; -1: it does not */
    bool held;
    bool linear;  /* its drive is (tn_drive_is_linear) */
    bool chained; /* the joint is a chain, or a cut */
    int32_t cut;  /* which of the cuts; -1: it is in the tree */
} tn_hinge_act;

typedef struct tn_hinge_acts {
    tn_hinge_acting by_link;
    tn_hinge_act *all; /* [count] of this step */
    int32_t *link;     /* [joints][TN_MAX_COORDINATES] of a coordinate; -1: none is */
    int32_t *cut;      /* [joints] which of the cuts it is; -1: it is in the tree */
    double *numbers;   /* those by link, */
    int8_t *turning;   /* and those by block */
    double *pushed;    /* [joints][TN_MAX_COORDINATES] N m: of loads along coordinates */
    int32_t count;
    bool pushes;       /* some of these are not 0 */
    tn_edition listed; /* of the switches by which the list is made, */
    tn_edition borne;  /* and of those by which all that acts was taken along last */
    /* What acts on bodies: how it answers, by links, where the model has loads or damping (tn_hinge_world.yielding); the
     * forces, velocities and their derivatives in a trial, [velocities]. */
    tn_hinge_load *yielding;
    int8_t *is_yielding;
    double *f, *u, *udot;
    int8_t *loaded; /* [bodies] 1: something of the model acts on it, or loads ask where it is */
    bool on_all;    /* what all joints are to turn by is given, held or not */
    bool on_bodies; /* something does in this step, */
    bool on_any;    /* and it may be on any body */
    bool on_chains; /* something acts along coordinates of chains */
    bool on_cuts;   /* rows of cuts go by velocities: they are damped, or their bodies rest */
    bool yields;    /* some of them yield */
} tn_hinge_acts;

/* Of which poses and velocities loads are to be found. */
typedef enum tn_hinge_trial_kind {
    TN_HINGE_PREDICTED, /* and how they answer */
    TN_HINGE_CORRECTED,
    TN_HINGE_SHOWN /* those of the state */
} tn_hinge_trial_kind;

/* What motion rows are at the end of a step. */
typedef struct tn_hinge_acted {
    double sum;          /* of multipliers */
    double angle;        /* rad: by which the worst held coordinate is off, */
    int32_t worst_joint; /* and whose that is; -1: nobody's */
} tn_hinge_acted;

struct tn_alpha_hinges {
    tn_hinge_forest forest; /* its arrays `at` are those of the state a step begins with */
    unsigned char *blocks;  /* of links, records and wrenches */
    unsigned char *kinds;   /* likewise */
    int32_t *kind;          /* [blocks] */
    tn_hinge_place *places; /* [4 blocks] */
    int32_t *inner;         /* [4 blocks] */
    int32_t *roots;         /* [root_count] links that hang on what does not move */
    tn_hinge_slots *slots;  /* [count] */
    int8_t *
        sorts; /* [10 blocks] mixed, in_row, slides, chained, bears, shown and apart of the world */
    tn_hinge_chain *chains; /* [chain_count] */
    tn_hinge_welds welds;
    tn_link_loops *loops;    /* NULL: there are none */
    tn_hinge_cut *cuts;      /* as those of the loops */
    tn_hinge_shares *shares; /* NULL: there are no loops */
    int8_t *is_cut;          /* [bodies] 1: it is one of a cut */
    int32_t count, inertia_count, root_count, chain_count;
    bool principal; /* axes of all bodies are principal ones */
    bool
        advances; /* some joint of one freedom slides or is a screw: its coordinate, not its pose, is where a step begins */
    tn_hinge_acts acts;
};

/* Doubles that states remember of a model. */
size_t tn_alpha_hinges_memory(const tn_model *model);

/* m: where a body was found, a planar one in its plane exactly. */
static inline tn_vec3 tn_hinge_in_plane(const tn_hinge_world *w, int32_t body, tn_vec3 x)
{
    return w->flat ? v3(x.x, x.y, w->at.x[3 * (size_t)body + 2]) : x;
}

/* Multipliers of what a joint holds that no body feels are 0. */
static inline void tn_hinge_drop_rows(const tn_model_joint *joint, double *lambda)
{
    const int32_t count = joint->geometry.cls->info.bilateral_count;
    for (int32_t row = 0, n = 0; row < count && joint->kept_bilateral < count; row++) {
        const bool kept = n < joint->kept_bilateral && joint->kept[n] == row;
        lambda[row] = kept ? lambda[row] : 0.0;
        n += kept;
    }
}

/* NULL in *out: it is no such tree. */
tn_status tn_alpha_hinges_create(const tn_sim *sim, const tn_alpha_tree *tree,
                                 tn_alpha_hinges **out);
void tn_alpha_hinges_destroy(tn_alpha_hinges *hinges);

/* That of a simulation by this method; NULL: it has another, or its model is no such tree. */
const tn_alpha_hinges *tn_alpha_hinges_of(const tn_sim *sim);
/* The constants of link k, with what it hangs on as it is now. */
tn_hinge_link tn_alpha_hinge_link(const tn_sim *sim, int32_t k);
/* Of link k in a state. */
tn_hinge_memory *tn_alpha_hinge_memory(const tn_sim *sim, const tn_state *state, int32_t k);

/* Is the next step, of h seconds, to be expected here with the memory there is? */
bool tn_alpha_hinges_go_on(const tn_sim *sim, double h);

/* The step, its start being tn_alpha_work.from; false: it is to be taken otherwise, from there. */
bool tn_alpha_hinges_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

/* After a step that was taken otherwise: what the hinges turned by is remembered too, unless the model was
 * no tree in it. */
void tn_alpha_hinges_follow(tn_sim *sim);

/* Errors of the rows that joint j holds and its bodies feel, from its frames. Out: their sum. */
double tn_hinge_put_errors(const tn_sim *sim, int32_t j);

/* hinge_worth.c: */

/* Links of a body that floats, and of one that hangs by joint j; -1: it floats. A welded body has none. */
int32_t tn_hinge_links_by(const tn_model *model, int32_t j);
int32_t tn_hinge_links_of(const tn_model *model, const tn_alpha_tree *tree);
/* Do steps by so many links cost less than others? */
bool tn_hinge_links_pay(int32_t links, const tn_model *model, const tn_alpha_tree *tree);
/* And with loops that are made? */
bool tn_hinge_loops_pay(const tn_model *model, const tn_alpha_hinges *hinges);

/* hinge_chain.c: */

/* Of its joint, body and count: what its links are. */
void tn_hinge_chain_make(const tn_model *model, tn_hinge_chain *chain);
/* Can bodies of the joint move along its coordinate i? */
bool tn_hinge_moves_along(const tn_model_joint *joint, int32_t i);
/* Links of all chains for a step from the state there is; `fresh`: no step is remembered, and coordinates are those of the poses. */
void tn_hinge_chains_begin(const tn_sim *sim, bool fresh);
/* [count] What its links move by in h seconds, as speeds and accelerations have it. */
void tn_hinge_chain_foresee(const tn_sim *sim, const tn_hinge_chain *chain, double h, double *ways);
/* After a step that was taken otherwise: what its links moved by since a state is remembered. */
void tn_hinge_chain_follow(const tn_sim *sim, const tn_hinge_chain *chain, const tn_state *from);
/* The multipliers of all six rows, of what joint holds and its motions, that make a wrench on a at G's origin, in G. */
void tn_hinge_multipliers(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                          const double wrench[6], double lambda[6]);
/* The twist at G's origin, in G, that goes so far along each of all six rows. */
void tn_hinge_twist(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                    const double along[6], double twist[6]);
/* When bodies are where they are: coordinates, frames and multipliers of its joint. */
void tn_hinge_chain_show(tn_sim *sim, tn_hinge_chain *chain, double h);

/* hinge_links.c: what links are, from the geometry of their joints. */

/* The body of the tree that a link is of, and which of how many links of that. */
typedef struct tn_limb_origin {
    const tn_alpha_link *link;
    tn_sym3 J;    /* kg m^2: of the body, with all that is welded to it */
    int32_t weld; /* the body that it hangs on; -1: it is none */
    int32_t n, count;
} tn_limb_origin;

/* What does not change of a link in a step; carrier: the welded body that it hangs on, NULL: none. */
tn_hinge_link tn_hinge_link_of(const tn_sim *sim, const tn_limb_origin *of,
                               const tn_hinge_weld *carrier);
/* Axes of the frames of its joint, in the body and in the inner one. */
tn_hinge_axes tn_hinge_axes_of(const tn_joint_geometry *geometry, bool is_a,
                               const tn_hinge_weld *carrier);
/* The screw of its motion, of a joint of one freedom, and of link n of a chain. */
tn_hinge_column tn_hinge_column_of(const tn_joint_geometry *geometry, bool is_a, bool flat);
tn_hinge_column tn_hinge_column_in_chain(const tn_hinge_chain *chain, int32_t n);

/* Of lanes without a link. */
extern const tn_hinge_link tn_no_hinge_link;
extern const tn_hinge_column tn_no_hinge_column;

/* hinge_show_joints.c: */

/* Joints that could not be shown with others, when all bodies are where they are. Out: the sum of all their numbers. */
double tn_hinges_show_others(tn_sim *sim, const tn_hinge_rule *c);

/* hinge_cuts.c: */

/* Of a model whose links are made. *fits false: its loops are not for here. */
tn_status tn_hinge_cuts_create(const tn_model *model, tn_alpha_hinges *hinges, bool *fits);
void tn_hinge_cuts_destroy(tn_alpha_hinges *hinges);
/* Can couplings be rows: on, hard, and driven by nothing? */
bool tn_hinge_couplings_bear(const tn_sim *sim);
/* Multipliers as they went on. */
void tn_hinge_cuts_begin(const tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c);
/* Openings of the trial, and what cuts pull with; of what is predicted, rows of the matrix too. */
void tn_hinge_cuts_weigh(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial);
/* After a correction. */
void tn_hinge_cuts_take(const tn_sim *sim, const tn_hinge_rule *c);
/* Are rows that were left out, as they repeat others, open by so little where bodies are found, m, rad? */
bool tn_hinge_cuts_are_closed(const tn_alpha_hinges *hinges, double enough);
/* When all else is shown: coordinates, frames and multipliers. */
void tn_hinge_cuts_show(tn_sim *sim, double h);

/* hinge_shares.c: */

tn_status tn_hinge_shares_create(const tn_model *model, tn_alpha_hinges *hinges);
void tn_hinge_shares_destroy(tn_hinge_shares *shares);
/* Which sets of multipliers move nothing in the factors there are. False: they go through more joints than there is room for. */
bool tn_hinge_shares_find(const tn_alpha_hinges *hinges);
/* Of multipliers that are shown, those of least energy. */
void tn_hinge_shares_take(const tn_sim *sim, double h);

/* hinge_welds.c: */

/* Is the joint of a tree a weld, whose body is no link? Those in loops are links: rows of loops go through them. */
bool tn_hinge_is_weld(const tn_model *model, int32_t j);
tn_status tn_hinge_welds_create(const tn_model *model, int32_t links, tn_hinge_welds *welds);
void tn_hinge_welds_destroy(tn_hinge_welds *welds);
/* A weld whose body is welded to another one, or to the body of a link, -1 what does not move. */
tn_hinge_weld tn_hinge_weld_of(const tn_model *model, const tn_alpha_link *link,
                               const tn_hinge_weld *inner, int32_t carrier, int32_t carrier_link);
/* The inertia of a welded body in axes of its carrier. */
tn_sym3 tn_hinge_weld_inertia(const tn_hinge_weld *weld);
/* Where the step begins. */
void tn_hinge_welds_begin(const tn_sim *sim, const tn_hinge_rule *c);
/* When links have been predicted: what welded bodies weigh, and their part of the matrix, to the links. */
void tn_hinge_welds_predict(const tn_alpha_hinges *hinges, const tn_hinge_rule *c);
/* When they have been corrected, `by_twist` or by their turns: what they weigh. */
void tn_hinge_welds_correct(const tn_alpha_hinges *hinges, const tn_hinge_rule *c, bool by_twist);
/* When the motion of links is shown: theirs. */
void tn_hinge_welds_show_motion(tn_sim *sim, const tn_hinge_rule *c);
/* When the wrenches of links are known: theirs, in frames of their joints. Out: the sum of these. */
double tn_hinge_welds_show_forces(tn_sim *sim, const tn_hinge_rule *c);
/* m/s: of the centre of mass in the trial. */
static inline tn_vec3 tn_hinge_weld_speed(const tn_hinge_rule *c, const tn_hinge_weld *weld)
{
    return v3_axpy(weld->coast, c->u_udot, weld->udot);
}

/* hinge_loads.c: */

/* A wrench on a body, M about its centre of mass; at a prediction what of it turns about O as the body moves along, too. */
void tn_hinge_push(const tn_alpha_hinges *hinges, const tn_hinge_rule *c, tn_hinge_seat seat,
                   bool predicted, tn_vec3 F, tn_vec3 M);
/* m: the centre of mass from that of the link's body, in the trial. */
static inline tn_vec3 tn_hinge_seat_offset(const tn_alpha_hinges *hinges, tn_hinge_seat seat)
{
    return seat.weld < 0 ? (tn_vec3){0.0, 0.0, 0.0} : hinges->welds.all[seat.weld].offset;
}

/* Room for what acts on bodies, and how it answers, where the model has such. */
tn_status tn_hinge_loads_create(const tn_model *model, int64_t room, tn_hinge_acts *acts);
/* Poses and velocities of all bodies that something of the trial goes by. */
void tn_hinges_put_motions(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial);
/* What acts on bodies in these, onto what they weigh. */
void tn_hinges_weigh_loads(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial);
/* Both. */
void tn_hinges_load(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial);

/* hinge_motion.c: */

/* What does not change in a step of the motion along a joint of one freedom, whose links and kind are there. */
void tn_hinge_act_coasts(const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_act *act);
/* rad, m: the coordinate in the trial. */
double tn_hinge_act_coordinate(const tn_hinge_act *act);
/* rad/s; m/s of P on the body against the inner one. */
double tn_hinge_act_speed(const tn_hinge_acting *by_link, const tn_hinge_rule *c,
                          const tn_hinge_act *act);
/* rad/s^2, m/s^2. */
double tn_hinge_act_acceleration(const tn_hinge_acting *by_link, const tn_hinge_rule *c,
                                 const tn_hinge_act *act);
/* Before these of chains and cuts, by the velocities of all bodies; `shown`: frames of joints are those of the bodies. */
void tn_hinges_measure_chains(tn_sim *sim, const double *u, const double *udot, double h,
                              bool shown);

/* hinge_acts.c: */

tn_status tn_hinge_acts_create(const tn_model *model, int32_t blocks, tn_hinge_acts *acts);
void tn_hinge_acts_destroy(tn_hinge_acts *acts);
/* Can all that acts now be taken along in the angles? Finds loads along coordinates. */
bool tn_hinges_bear(const tn_sim *sim);
/* Does the body of link k move by no more than rounding in the step? What does not move does. */
bool tn_hinge_link_rests(const tn_sim *sim, const tn_alpha *c, int32_t k);
/* At the start of a step: what acts, and where held hinges go to. */
void tn_hinges_begin_acts(const tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c);
/* Predicts by speeds and accelerations, where no steps are remembered that a prediction could go by. */
void tn_hinges_predict_by_motion(const tn_sim *sim, const tn_hinge_rule *c);
/* Efforts of the trial and what acts on its bodies; of what is predicted, how both answer too. */
void tn_hinges_act(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial);
/* Does anything act in this step but hinges and gravity? */
static inline bool tn_hinges_are_acted_on(const tn_alpha_hinges *hinges)
{
    return hinges->forest.world.acting || hinges->acts.on_bodies;
}
/* After all has been shown: known forces, multipliers and errors of motion rows. */
tn_hinge_acted tn_hinges_end_acts(tn_sim *sim, const tn_hinge_rule *c);

#endif
