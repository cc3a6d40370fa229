/* state.h: room state: everything of a simulation that changes.
 *
 * One block of memory without pointers inside: saving, restoring and rolling back are copies.
 * Bodies: pose of the centre-of-mass frame and packed velocities (model.h). Elements (joints, then
 * couplings): multipliers, coordinates with their turns, and the run-time switches with the list of
 * active rows that follows from them.
 *
 * In: a model. Out: its initial state, and functions that copy, edit and save states.
 */
#ifndef TN_STATE_STATE_H
#define TN_STATE_STATE_H

#include <string.h>

#include "crew/crew.h"
#include "model/model.h"

/* What holds a coordinate. */
typedef enum tn_hold {
    TN_HOLD_NONE,
    TN_HOLD_SPRING,   /* its row is compliant: a spring, viscous friction */
    TN_HOLD_FRICTION, /* dry friction that sticks */
    TN_HOLD_MOTOR,    /* a motor that keeps its speed */
    TN_HOLD_DRIVER,   /* prescribed motion */
    TN_HOLD_LOCK, /* both ways; user's lock: priority over all above; those below are the range's */
    TN_HOLD_PINNED, /* both ways, by a range without width */
    TN_HOLD_LOWER,  /* at its lower limit: pushes up only */
    TN_HOLD_UPPER,  /* at its upper limit: pushes down only */
    TN_HOLD_COUNT
} tn_hold;

/* Rows that have compliance: of springs and viscous friction along coordinates, and others. */
enum { TN_SOFT_SPRING = 1, TN_SOFT_OTHER = 2 };

/* Switches of an element. active[] lists its rows in the order of its KKT slots: bilateral
 * rows first, then the motion rows of held coordinates. */
typedef struct tn_switches {
    double lower[TN_MAX_COORDINATES], upper[TN_MAX_COORDINATES]; /* rad, m; infinite: no limit */
    double hold_value[TN_MAX_COORDINATES];                       /* rad, m, where held */
    double compliance[TN_MAX_ROWS];    /* m/N or rad/(N m), by row; 0: hard */
    double damping[TN_MAX_ROWS];       /* N s/m or N m s/rad, of compliant rows */
    double break_force, break_torque;  /* N, N m; infinite: never */
    int8_t hold[TN_MAX_COORDINATES];   /* tn_hold */
    int8_t compliant;                  /* TN_SOFT_...: which of its active rows have compliance */
    int8_t let_go[TN_MAX_COORDINATES]; /* of a limit in this step: law/limits/limits_impl.h */
    int8_t hits[TN_MAX_COORDINATES];   /* impacts at a limit in this step */
    int8_t enabled;
    int8_t active_count;
    int8_t active[TN_MAX_ROWS];
    int32_t drive; /* the first of its drives, or TN_NO_DRIVE */
} tn_switches;

#define TN_NO_DRIVE (-1)

/* What acts along one coordinate (drive.h) and its present state: assemble/drive_terms.h computes the forces,
 * law/drives/drives.h changes the state. */
typedef struct tn_drive {
    tn_drive_settings set;
    double rate, acceleration; /* of the held value if a driver or motor moves it */
    double held_rest;          /* rad, m: rounding error of the value held by a motor or driver */
    double command;            /* rad/s, m/s: the commanded speed of the motor */
    double rest, rest_rate;    /* rad, m; per s: of the spring */
    double stiffness, damping; /* of the soft row: N/m, N s/m or rotary; see TN_HOLD_SPRING */
    double hold_compliance, hold_damping; /* of the motion row when a lock or limit holds it */
    double target;                        /* rad, m: value of the prescribed motion */
    double target_rate;                   /* rad/s, m/s, likewise */
    /* N, N m: bounds of kinetic and static friction, from the last evaluation of the known forces */
    double friction_bound, static_bound;
    /* Forces along the coordinate in addition to the multiplier of its row, N or N m. */
    double motor_known, friction_known, spring_known;
    double speed;     /* rad/s, m/s, of the coordinate at that evaluation */
    double power_in;  /* W, of driver, motor and motion of the spring's rest */
    double power_out; /* W, lost in friction and the spring's damping */
    double pull;      /* N, N m, of the spring, at the evaluation of these powers */
    int32_t joint, coordinate;
    int32_t next;       /* drive of the same joint, or TN_NO_DRIVE */
    int8_t motor_side;  /* sign of the force of a motor that is at its cap; 0: it tracks */
    int8_t slip;        /* sign of the speed against which dry friction acts; 0: it sticks, or
                           the coordinate is held at rest */
    int8_t spring_side; /* sign of the force of a spring at its cap; 0: below it */
    /* Factors on the bound of friction or of the motor, and on the cap of the spring: 1, or the component
     * along this coordinate where bounds are round (law/drives/drive_round.c). */
    double slip_share, spring_share;
    double seen_speed,
        seen_rate;  /* round bounds: speed at the start of a sub-step; its rate per s */
    int8_t seen;    /* 1: seen_speed is set */
    int8_t round;   /* one of the lengths of a joint with round bounds */
    int8_t changes; /* number of changes of this drive in this step */
    int8_t caught;  /* 1: the present hold began during this step */
    int8_t pending; /* the change at the event that is being resolved */
    int8_t told_stuck, told_tracking; /* state reported by the last events */
    int8_t told_held;                 /* likewise: a prescribed motion is not followed */
} tn_drive;

/* Error sums of the run since its start (step/part/judge.c). */
typedef struct tn_tally {
    double made;                 /* J, gained without a cause; negative: lost */
    double most_made, most_lost; /* J, the extremes of it */
    double kinetic, size; /* J, largest: kinetic energy; sum of all energies that were added */
    double noise;         /* J, energy error that the tolerance of the poses allows */
    double force, moment, open; /* see tn_accuracy */
    double pull, beyond, idle;  /* likewise */
    double bent;                /* likewise */
    int64_t unwatched;          /* steps */
    /* J. net: change of total - work + lost by steps of first order; for other methods the work that is not known.
     * risen, fallen: its distance from the lowest and highest value so far; most_...: the largest of each. */
    double net, risen, fallen, most_risen, most_fallen;
    /* For methods that do not conserve the momenta of floating mechanisms: changes by steps, summed up without sign,
     * kg m/s and kg m^2/s; and the largest sums of the momenta of the single bodies. */
    double linear, angular, linear_size, angular_size;
    /* The compliant row with the largest deviation from compliance times force, measured by its energy: deviation, m or
     * rad; compliance times force; the energy, J; and its joint. */
    double yield_off, yield_wanted, yield_energy;
    int64_t yield_joint;
    double exceeded_at; /* s: when a figure of tn_accuracy was first beyond its bound; 0: never */
} tn_tally;

typedef struct tn_state_head {
    double time; /* s */
    /* 1: accelerations and multipliers do not belong to this pose and velocity (first step, or
     * something was set by the user). */
    int32_t restart;
    int32_t
        limited; /* number of coordinates of enabled elements that can have events: a range, a cap */
    int32_t drive_count; /* used entries of drives */
    int32_t breakable;   /* elements with a finite threshold */
    double time_rest;    /* s, rounding error of time */
    double work;         /* J, done by drivers, motors and loads since the start */
    double lost;         /* J, in friction, damping of any kind and impacts */
    double losing;       /* W, now, in the damping of bodies and of compliant rows */
    /* For methods that do not divide their steps themselves (step/part/halving.c): longest next sub-step, s (0:
     * the whole step), successful sub-steps since its last change, and the number of them after which a longer
     * one is tried. */
    double part_size;
    int32_t easy_parts, patience;
    double moving; /* W, energy exchanged by the last sub-steps, per second (step/part/judge.c) */
    tn_tally tally;
    int32_t
        asked; /* group of bodies whose reactions the next step checks, 0 .. 127 (step/part/reactions.c) */
    /* E / A of the rows of loops without gaps, where it is finer than usual because the loops are long
     * (motion/closing/purge.c); 0: as usual. */
    double weak_epsilon;
    /* 0: loops close. Else some do not, and rows whose squared distance from others, in units of
     * their scale, is below this count as repetitions of them (motion/closing/gap.c). */
    double gap_epsilon;
    /* The same during a step near a singular configuration (motion/closing/gap_fold.c); 0: not known yet. */
    double fold_epsilon;
    uint64_t applied; /* of the loads applied in the last step: their digest; 0: none (loads.c) */
    int32_t repeated; /* scaled pivots below fold_epsilon away from singular configurations */
    int32_t
        steps_asked; /* counts steps: multipliers are checked in one of 64, or of 512 (step/part/judge.c) */
    /* s. For a state inside a sub-step: the length of the sub-step, the time from its start to this state, and what
     * remained of the step in which it was taken (step/part/ahead.c). whole = 0: the state is the end of a sub-step. */
    double whole, passed, remained;
    double began, began_rest; /* s: time at its start, and its rounding error */
} tn_state_head;

/* Version of the switches of a state: the state that changed them, and the number of its change. Switches with the
 * same edition are the same. */
typedef struct tn_edition {
    const void *editor;
    uint64_t number;
} tn_edition;

static inline bool tn_same_edition(tn_edition a, tn_edition b)
{
    return a.editor == b.editor && a.number == b.number;
}

typedef struct tn_state {
    void *block;
    size_t size;   /* bytes without drives */
    size_t motion; /* bytes from x to the end of lambda */
    size_t memory_size;
    /* Offset of the switches: with plain they are most of a state, and change rarely. */
    size_t switched;
    tn_edition edition;
    uint64_t edits; /* of this state so far */
    /* All numbers of its motion are finite: a step ended with them, and later changes all require a restart. */
    bool sound;
    /* Blocks of its twin (tn_state_make_twins) and of the state whose arrays it reads (tn_state_share_start,
     * tn_state_view); NULL: none. */
    const void *twin, *elsewhere;
    /* views into the block */
    tn_state_head *head;
    tn_vec3 *x;          /* [bodies] m, centre of mass */
    tn_quat *q;          /* [bodies] */
    double *udot;        /* [velocities] derivative of u at the end of the last step */
    double *lambda;      /* [elements][TN_MAX_ROWS] N, N m, by row */
    double *u;           /* [velocities] */
    double *coordinates; /* [elements][TN_MAX_COORDINATES] rad, m */
    /* [loads + 2] J since the start and W: of each load of the model, of the applied loads, of the
     * callback (motion/loads.c). */
    double *load_work, *load_power;
    void *memory; /* [memory_size bytes] the integrator's own data; zeros at the start */
    const tn_switches *switches; /* [elements]; written through tn_state_edit only */
    /* [elements] 1: an enabled joint whose active rows are its constraints, all hard, without drive and
     * armature. Most joints are plain, and a step needs no other switches of them: these stay out of the cache. */
    int8_t *plain;
    tn_drive *drives; /* [coordinates of all elements], head->drive_count of them used */
} tn_state;

/* The model's initial state, with memory_size bytes for an integrator (a multiple of 8).
 */
tn_status tn_state_create(const tn_model *model, size_t memory_size, tn_state *state);
void tn_state_destroy(tn_state *state);
/* Bytes of a state of this model before the memory: all that a sub-step without switching changes, except the
 * forces and powers of drives. */
size_t tn_state_moving_size(const tn_model *model);
/* Both must be of the same model; the memory is copied as far as both have it. */
void tn_state_copy(tn_state *to, const tn_state *from);
/* The same with several threads; NULL: without. */
void tn_state_copy_by(tn_crew *crew, tn_state *to, const tn_state *from);

/* Makes two states twins: they differ only in arrays that the next step overwrites, whichever of the two it writes
 * to. So neither needs to be copied when the other is the start of a step. Copying to one of them, editing it or
 * writing to it from outside ends that. */
void tn_state_make_twins(tn_state *a, tn_state *b);
bool tn_state_are_twins(const tn_state *a, const tn_state *b);
/* For twins, instead of a copy of the start of a step. `start` gets the block and so the present state. `state` gets
 * the old block of `start`, with a head, sums of loads and drives of its own, and reads all other arrays from
 * `start` until the step has written its own and calls tn_state_take_own. Before that only head, sums, drives and
 * switches of `state` may be written. */
void tn_state_share_start(tn_state *state, tn_state *start);
/* A view of a state that differs from `start` only in head, sums of loads and drives. It may be read as long as `start`
 * exists, until something is copied to it or it ends. */
void tn_state_view(tn_state *view, const tn_state *start, const tn_state *state);
void tn_state_end_view(tn_state *view);
/* The state with the arrays of its own block, if it shares those of its start. */
tn_state tn_state_own(const tn_state *state);
void tn_state_take_own(tn_state *state);
/* Copies what a state shares with `start` to its own block, before a step in another way. */
void tn_state_copy_start(tn_crew *crew, tn_state *state, const tn_state *start);

/* The switches of an element, for writing. */
tn_switches *tn_state_edit(tn_state *state, int32_t element);
/* Call it after the block has been written directly. */
void tn_state_written(tn_state *state);

/* Copies the head, poses, velocities and coordinates only. */
void tn_state_copy_placement(const tn_model *model, tn_state *to, const tn_state *from);

/* Copies all but the head, switches and drives, between states with the same memory. */
void tn_state_copy_moving(tn_state *to, const tn_state *from);

/* Copies poses, udot and lambda only. */
void tn_state_copy_motion(tn_state *to, const tn_state *from);

/* Bytes of the block in use: all but unused drives. */
size_t tn_state_used(const tn_state *state);

/* tn_state_drive: the drive of a coordinate, NULL if it has none. The next two: a copy of it, or of a default one; and
 * the drive itself, added without effect if there is none. */
tn_drive *tn_state_drive(const tn_state *state, int32_t joint, int32_t coordinate);
void tn_state_get_drive(const tn_model *model, const tn_state *state, int32_t joint,
                        int32_t coordinate, tn_drive *out);
tn_drive *tn_state_add_drive(const tn_model *model, tn_state *state, int32_t joint,
                             int32_t coordinate);

/* Rows of an element. */
typedef struct tn_row_list {
    const int8_t *row;
    int32_t count;
} tn_row_list;

/* The motion row of a coordinate. */
static inline int32_t tn_motion_row(const tn_model_joint *joint, int32_t coordinate)
{
    return joint->geometry.cls->info.bilateral_count + coordinate;
}

/* rad, m: coordinate i of element j. */
static inline double tn_state_coordinate(const tn_state *state, int32_t j, int32_t i)
{
    return state->coordinates[(size_t)j * TN_MAX_COORDINATES + (size_t)i];
}

/* N, N m: the multiplier of its motion row. */
static inline double *tn_state_held_force(const tn_model *model, const tn_state *state, int32_t j,
                                          int32_t i)
{
    const int32_t row = tn_motion_row(&model->joints[j], i);
    return &state->lambda[(size_t)j * TN_MAX_ROWS + (size_t)row];
}

/* The motion rows of an element's coordinates. */
static inline tn_row_list tn_motion_rows(const tn_model_joint *joint)
{
    static const int8_t rows[TN_MAX_ROWS] = {0, 1, 2, 3, 4, 5};
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    return (tn_row_list){rows + info->bilateral_count, info->coordinate_count};
}

/* Changes what holds a coordinate; if nothing does, its spring gets the row. Recomputes the active
 * rows. */
void tn_state_hold(const tn_model *model, tn_state *state, int32_t joint, int32_t coordinate,
                   tn_hold hold);

/* Holds a coordinate whose range has no width, unless its range holds it already. */
void tn_state_pin(const tn_model *model, tn_state *state, int32_t joint, int32_t coordinate);

/* The active rows, in the order of its KKT slots. */
static inline tn_row_list tn_active_rows(const tn_model *model, const tn_state *state,
                                         int32_t element)
{
    const tn_model_joint *joint = &model->joints[element];
    const tn_switches *s = &state->switches[element];
    return state->plain[element] ? (tn_row_list){joint->kept, joint->kept_bilateral}
                                 : (tn_row_list){s->active, s->active_count};
}

/* True if this is the row of a coordinate held by a limit. */
static inline bool tn_row_is_at_limit(const tn_model_joint *joint, const tn_switches *s,
                                      int32_t row)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    return row >= info->bilateral_count && s->hold[info->rows[row].coordinate] >= TN_HOLD_LOWER;
}

/* The first element from j on that is not plain; `count`: there is none. Checks eight at a time, as most are plain. */
static inline int32_t tn_next_special(const tn_state *state, int32_t j, int32_t count)
{
    static const uint64_t all_plain = 0x0101010101010101;
    uint64_t next;
    for (; j + 8 <= count; j += 8) {
        memcpy(&next, state->plain + j, sizeof next);
        if (next != all_plain)
            break;
    }
    while (j < count && state->plain[j])
        j++;
    return j;
}

/* True if the element is switched on; a coupling is off while one of its joints is. */
static inline int tn_state_is_on(const tn_model *model, const tn_state *state, int32_t element)
{
    if (state->plain[element])
        return 1;
    for (int32_t p = model->through_start[element]; p < model->through_start[element + 1]; p++) {
        if (!state->switches[model->through[p]].enabled)
            return 0;
    }
    return state->switches[element].enabled;
}

/* Recomputes active[], compliant and plain of an element from its other switches. */
void tn_state_update_active(const tn_model *model, tn_state *state, int32_t element);

/* Recomputes head->limited after ranges or enabled changed. */
void tn_state_count_limited(const tn_model *model, tn_state *state);
/* Recomputes head->breakable after thresholds changed. */
void tn_state_count_breakable(const tn_model *model, tn_state *state);

/* 1 when every number is finite, forces and coordinates included; else *body or *joint is the
 * first with a number that is not, the other -1. */
int tn_state_is_sound(const tn_model *model, const tn_state *state, int32_t *body, int32_t *joint);
/* 1 when every pose and velocity is finite and so are their squares; else *body is the first
 * without. */
int tn_state_is_finite(const tn_model *model, const tn_state *state, int32_t *body);

#endif
