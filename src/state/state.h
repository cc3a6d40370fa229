/* state.h: room state: everything of a simulation that changes.
 *
 * One block of memory without pointers inside: saving, restoring and rolling back are copies.
 * Bodies: pose of the centre-of-mass frame and packed velocities (model.h). Elements (joints, then
 * couplings): multipliers, coordinates with their turns, and the run-time switches with the list of
 * active rows that follows from them.
 *
 * In: a model, and a state of it. Out: another at its start, a copy, the bytes of it.
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
    TN_HOLD_LOCK,     /* both ways; all above give way to the user, all below to the range */
    TN_HOLD_PINNED,   /* both ways, by a range without width */
    TN_HOLD_LOWER,    /* at its lower limit: pushes up only */
    TN_HOLD_UPPER,    /* at its upper limit: pushes down only */
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
    int8_t let_go[TN_MAX_COORDINATES]; /* of a limit in this step: 1 it pulls, 2 was let go */
    int8_t hits[TN_MAX_COORDINATES];   /* of a limit in this step */
    int8_t enabled;
    int8_t active_count;
    int8_t active[TN_MAX_ROWS];
    int32_t drive; /* the first of its drives, or TN_NO_DRIVE */
} tn_switches;

#define TN_NO_DRIVE (-1)

/* What acts along one coordinate (drive.h) and what it does now: assemble/drive_terms.h says how
 * the forces follow, law/drives/drives.h how it changes. */
typedef struct tn_drive {
    tn_drive_settings set;
    double rate, acceleration; /* of the held value where a driver or motor moves it */
    double held_rest;       /* rad, m: of where a motor or driver holds, what rounding left out */
    double command;         /* rad/s, m/s: the speed the motor wants */
    double rest, rest_rate; /* rad, m; per s: of the spring */
    double stiffness, damping; /* of the soft row: N/m, N s/m or rotary; see TN_HOLD_SPRING */
    double hold_compliance, hold_damping; /* of the motion row when a lock or limit has it */
    double target;                        /* rad, m: where the prescribed motion wants it */
    double target_rate;                   /* rad/s, m/s, likewise */
    /* N, N m: of dry friction that slips or sticks, when the known forces were found last */
    double friction_bound, static_bound;
    /* Forces along the coordinate beside the multiplier of its row, N or N m. */
    double motor_known, friction_known, spring_known;
    double speed;     /* rad/s, m/s, of the coordinate where these forces were found */
    double power_in;  /* W of driver, motor and what moves the spring's rest */
    double power_out; /* W lost in friction and the spring's damping */
    double pull;      /* N, N m of the spring, when these powers were found */
    int32_t joint, coordinate;
    int32_t next;       /* drive of the same joint, or TN_NO_DRIVE */
    int8_t motor_side;  /* sign of the force of a motor that is at its cap; 0: it tracks */
    int8_t slip;        /* sign of the speed against which dry friction acts; 0: it sticks, or
                           what holds the coordinate holds it at rest */
    int8_t spring_side; /* sign of the force of a spring at its cap; 0: below it */
    /* Of what it has as bound of friction or of the motor, and as cap of the spring: 1, or its part
     * where bounds are round (law/drives/drive_round.c). */
    double slip_share, spring_share;
    double seen_speed, seen_rate;     /* of round ones, at the start of a part of a step; per s */
    int8_t seen;                      /* 1: there is such a speed */
    int8_t round;                     /* one of the lengths of a joint with round bounds */
    int8_t changes;                   /* of these in this step */
    int8_t caught;                    /* 1: what holds it does so since some moment of this step */
    int8_t pending;                   /* what is to change at the event being resolved */
    int8_t told_stuck, told_tracking; /* as the last events said */
    int8_t told_held;                 /* likewise: a prescribed motion is not followed */
} tn_drive;

/* How well the run has obeyed mechanics since its start (step/part/judge.c). */
typedef struct tn_tally {
    double made;                 /* J, of nothing; negative: lost */
    double most_made, most_lost; /* J, the extremes of it */
    double kinetic, size;        /* J, largest: kinetic energy; all energies that were added up */
    double noise;                /* J, that the tolerance of the poses leaves */
    double force, moment, open;  /* see tn_accuracy */
    double pull, beyond, idle;   /* likewise */
    int64_t unwatched;           /* steps */
    /* J: what steps of first order have made of total - work + lost, and what is not known of those of other
     * methods; how far that is above the lowest so far, and below the highest; the largest of each. */
    double net, risen, fallen, most_risen, most_fallen;
    /* Of methods that do not keep the momenta of what floats: by how much steps have changed them,
     * added up without sign, kg m/s and kg m^2/s; and the largest sums of the bodies' own. */
    double linear, angular, linear_size, angular_size;
    /* Of the compliant row that has been furthest from where its force has it, by the energy of that: how far, m or
     * rad, where it was to be, J, and whose it is. */
    double yield_off, yield_wanted, yield_energy;
    int64_t yield_joint;
    double exceeded_at; /* s: when a figure of tn_accuracy was first beyond its bound; 0: never */
} tn_tally;

typedef struct tn_state_head {
    double time; /* s */
    /* 1: accelerations and multipliers are not those of this pose and velocity (first step, or
     * something was set from outside). */
    int32_t restart;
    int32_t limited;     /* coordinates of what is on that can have events: a range, a cap */
    int32_t drive_count; /* used entries of drives */
    int32_t breakable;   /* elements with a finite threshold */
    double time_rest;    /* s, what rounding left out of time */
    double work;         /* J, done by drivers, motors and loads since the start */
    double lost;         /* J, in friction, damping of any kind and impacts */
    double losing;       /* W, now, in the damping of bodies and of compliant rows */
    /* Of methods that do not divide their steps themselves (step/part/halving.c): how long the next
     * part of a step may be, s (0: all of it), the parts since that last changed that went well,
     * and how many it takes to try a longer one. */
    double part_size;
    int32_t easy_parts, patience;
    double moving; /* W, that the last parts moved about (step/part/judge.c) */
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

/* Of what the switches of a state are: changed by which state, as how manieth change of its own.
 * Switches with the same edition are the same. */
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
    /* Where switches begin: they and plain are most of a state, and change rarely. */
    size_t switched;
    tn_edition edition;
    uint64_t edits; /* of this state so far */
    /* All numbers of its motion are finite: a step ended so, and since then only what requires a restart has changed it. */
    bool sound;
    /* The block of its twin (tn_state_make_twins), and that whose arrays it reads (tn_state_share_start, tn_state_view); NULL: none. */
    const void *twin, *elsewhere;
    /* views into the block */
    tn_state_head *head;
    tn_vec3 *x;          /* [bodies] m, centre of mass */
    tn_quat *q;          /* [bodies] */
    double *udot;        /* [velocities] derivative of u at the end of the last step */
    double *lambda;      /* [elements][TN_MAX_ROWS] N, N m, by row */
    double *u;           /* [velocities] */
    double *coordinates; /* [elements][TN_MAX_COORDINATES] rad, m */
    /* [loads + 2] J since the start and W: of each load of the model, of what is applied, of the
     * callback (motion/loads.c). */
    double *load_work, *load_power;
    void *memory; /* [memory_size bytes] what the integrator remembers; zeros at the start */
    const tn_switches *switches; /* [elements]; written through tn_state_edit only */
    /* [elements] 1: a joint that is on, whose active rows are its constraints, all hard, and that
     * nothing drives, without armature. What most joints are and all a step needs to know of them: switches stay out
     * of the cache then. */
    int8_t *plain;
    tn_drive *drives; /* [coordinates of all elements], head->drive_count of them used */
} tn_state;

/* At the model's initial state, with so many bytes of memory for an integrator (a multiple of 8).
 */
tn_status tn_state_create(const tn_model *model, size_t memory_size, tn_state *state);
void tn_state_destroy(tn_state *state);
/* Bytes of a state of this model that come before the memory: all that a part of a step changes
 * where nothing is switched in it, but for what drives take and give. */
size_t tn_state_moving_size(const tn_model *model);
/* Both must be of the same model; what one of them has no memory for is left out. */
void tn_state_copy(tn_state *to, const tn_state *from);
/* By threads, where there are any; NULL: there are not. */
void tn_state_copy_by(tn_crew *crew, tn_state *to, const tn_state *from);

/* Two states that differ by nothing but what the next step will write, in whichever block it writes: neither has to be copied for
 * the other to be the start of a step. Copying to one of them, editing it or writing to it from outside ends that. */
void tn_state_make_twins(tn_state *a, tn_state *b);
bool tn_state_are_twins(const tn_state *a, const tn_state *b);
/* Instead of a copy of the start of a step, of twins: `start` becomes the state as it is. The state gets what was the block of
 * `start`, with a head, sums of loads and drives of its own, and reads all other arrays from `start` until the step has written
 * its own: tn_state_take_own. Only head, sums, drives and switches may be written through it before. */
void tn_state_share_start(tn_state *state, tn_state *start);
/* Instead of a copy of a state that differs from `start` in head, sums of loads and drives only: a view of it, to be read as long
 * as `start` is there, until something is copied to it or it ends. */
void tn_state_view(tn_state *view, const tn_state *start, const tn_state *state);
void tn_state_end_view(tn_state *view);
/* The state with the arrays of its own block, if it shares those of its start. */
tn_state tn_state_own(const tn_state *state);
void tn_state_take_own(tn_state *state);
/* For a step by another way: what a state shares with `start` is copied to its own block. */
void tn_state_copy_start(tn_crew *crew, tn_state *state, const tn_state *start);

/* The switches of an element, to be changed. */
tn_switches *tn_state_edit(tn_state *state, int32_t element);
/* The block has been written from outside. */
void tn_state_written(tn_state *state);

/* Only the head, poses, velocities and coordinates. */
void tn_state_copy_placement(const tn_model *model, tn_state *to, const tn_state *from);

/* All but the head, switches and drives, between states that remember the same. */
void tn_state_copy_moving(tn_state *to, const tn_state *from);

/* Only poses, udot and lambda. */
void tn_state_copy_motion(tn_state *to, const tn_state *from);

/* Bytes of the block that are in use: all but unused drives. */
size_t tn_state_used(const tn_state *state);

/* The drive of a coordinate, NULL if it has none; a copy of it, or of the one that would be added; one for it, which does
 * nothing yet. */
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

/* Changes what holds a coordinate; its spring has the row where nothing else does. The active rows
 * are recomputed. */
void tn_state_hold(const tn_model *model, tn_state *state, int32_t joint, int32_t coordinate,
                   tn_hold hold);

/* A coordinate that its range does not hold yet, and whose range has no width, is held there. */
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

/* Is this row that of a coordinate which a limit holds? */
static inline bool tn_row_is_at_limit(const tn_model_joint *joint, const tn_switches *s,
                                      int32_t row)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    return row >= info->bilateral_count && s->hold[info->rows[row].coordinate] >= TN_HOLD_LOWER;
}

/* The first element from j on that is not plain; `count`: there is none. Eight at a time, as most are. */
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

/* Is the element switched on? A coupling is not while one of its joints is off. */
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

/* 1 when every number is finite, those of forces and coordinates too; else *body or *joint is the
 * first offender, the other -1. */
int tn_state_is_sound(const tn_model *model, const tn_state *state, int32_t *body, int32_t *joint);
/* 1 when every pose and velocity is finite and so are their squares; else *body is the first
 * offender. */
int tn_state_is_finite(const tn_model *model, const tn_state *state, int32_t *body);

#endif
