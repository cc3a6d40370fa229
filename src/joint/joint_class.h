/* joint_class.h: room joint: the contract of a joint type.
 *
 * A type is one file with one tn_joint_class and one line in joint_list.h. The rest of the library
 * knows joints only through this table.
 *
 * All wrenches W and twists T are 6-vectors (linear part first) in G, about G's origin. Rows
 * 0 .. bilateral_count-1 are the constraints, the others the motion rows: W_i . twist_GD is the
 * speed of motion i. Over the motion rows W^T T = I, and every bilateral row is reciprocal to
 * every T (docs/explanation/bodies_and_joints.md); the property tests check both for each type.
 *
 * Parameters and data of one joint are in the setup; joints of one type differ in nothing else.
 *
 * In: the pose of C in D, and coordinates. Out: the nearest legal pose, rows and their
 * derivatives, coordinates; a type knows neither bodies nor time.
 */
#ifndef TN_JOINT_CLASS_H
#define TN_JOINT_CLASS_H

#include "base/arena.h"
#include "base/base.h"
#include "joint/joint_list.h"
#include "math/m3.h"
#include "tenon/joint.h"

/* Axes of constant rows: row k is the unit wrench along this axis of G. */
enum { TN_FX, TN_FY, TN_FZ, TN_MX, TN_MY, TN_MZ };

/* Flags and coordinate (-1: none) of a row: constraints, then motions. */
#define TN_FORCE_ROW              TN_ROW_BILATERAL | TN_ROW_LINEAR, -1
#define TN_MOMENT_ROW             TN_ROW_BILATERAL | TN_ROW_ROTARY, -1
#define TN_LENGTH_ROW(coordinate) TN_ROW_MOTION | TN_ROW_LINEAR, coordinate
#define TN_ANGLE_ROW(coordinate)  TN_ROW_MOTION | TN_ROW_ROTARY, coordinate

/* Entries of a tn_joint_type_info: six rows, of which n are motions; a list of coordinates. */
#define TN_JOINT_DOF(n)            .dof = (n), .row_count = 6, .bilateral_count = 6 - (n)
#define TN_JOINT_COORDINATES(list) .coordinate_count = TN_COUNT_OF(list), .coordinates = (list)

/* Shapes drawn for a joint, in addition to its frames and coordinates. */
typedef enum tn_draw_shape {
    TN_DRAW_END,
    TN_DRAW_SHAFT,     /* round bar: shaft_length, shaft_radius */
    TN_DRAW_RAIL,      /* square bar, likewise */
    TN_DRAW_SLEEVE,    /* short round piece that slides on a shaft */
    TN_DRAW_BLOCK,     /* short square piece */
    TN_DRAW_THREAD,    /* helix on the shaft; the lead is the first parameter */
    TN_DRAW_SLOT,      /* round-ended slot: slot_width; as long as the range of the coordinate */
    TN_DRAW_BALL,      /* joint_radius */
    TN_DRAW_PLANE,     /* plane_size, across the axis */
    TN_DRAW_ELLIPSOID, /* the first three parameters are the semi-axes */
    TN_DRAW_LINE,      /* from the origin of D to that of C */
    TN_DRAW_STRIPS,    /* the segments of the joint's points, plane_size wide along y */
    TN_DRAW_TRACE /* the value of the coordinate is drawn as the path of a point of the axis, not
                     as an arc about an axis */
} tn_draw_shape;

/* The axis of a shape: a column of C's or D's orientation, or the axis a motion turns about. Shapes are at
 * C's origin, those in D at D's. */
typedef enum tn_draw_place { TN_DRAW_IN_C, TN_DRAW_IN_D, TN_DRAW_OF_MOTION } tn_draw_place;

typedef struct tn_draw_item {
    int8_t shape; /* tn_draw_shape */
    int8_t place; /* tn_draw_place */
    int8_t axis;  /* 0 .. 2: x, y, z; of a motion: its number; 3, of a trace: the origin itself */
    /* One more than the coordinate along the axis, whose range and value the shape covers, or that
     * TN_DRAW_TRACE is about; 0: none. */
    int8_t coordinate_after;
} tn_draw_item;

/* The user's choices for a joint of a type. */
typedef struct tn_joint_setup {
    double parameters[TN_MAX_PARAMETERS]; /* zero beyond the type's own */
    const void *data;                     /* made from tn_joint_data by build(), else NULL */
} tn_joint_setup;

/* Which coordinates are held hard (bit i: coordinate i) and where; and the ranges of all. */
typedef struct tn_joint_stops {
    unsigned held;
    const double *value;         /* rad, m */
    const double *lower, *upper; /* rad, m; infinite: no limit */
} tn_joint_stops;

/* A type that could replace a joint to remove redundancy: it has more freedom. rows: the rows of the
 * replaced joint that it does not have. */
typedef struct tn_joint_relief {
    int8_t type;   /* TN_JOINT_... */
    uint8_t rows;  /* bit k: row k; none end a list */
    int8_t turned; /* 1: with its frames turned by 90 degrees about z */
} tn_joint_relief;

#define TN_FIRST_ROWS(count) ((1 << (count)) - 1)

/* Position of a pose on the nearest piece of its type's surface. */
typedef struct tn_piece_place {
    int32_t piece;
    double before,
        after;    /* m: distance from the begin of the piece, and to its end; infinite: none */
    double speed; /* m/s: d(before)/dt */
} tn_piece_place;

/* Surfaces that are piecewise smooth: accelerations jump where a joint crosses from one piece to the
 * next. Pieces are numbered in their order; the first has no begin and the last no end. */
typedef struct tn_joint_pieces {
    int32_t (*count)(const tn_joint_setup *setup);
    /* The setup of a joint on that piece alone, extended beyond its ends. */
    tn_joint_setup (*alone)(const tn_joint_setup *setup, int32_t piece);
    /* setup: of the whole surface, or of one piece alone, which is then piece 0. twist_GD in G. */
    void (*place)(const tn_joint_setup *setup, const tn_xform *T_GD, const double twist_GD[6],
                  tn_piece_place *place);
} tn_joint_pieces;

/* Errors that are not W . (p, e), (p, e) the joint error, but functions of the pose of C in D that are
 * 0 at the legal poses, such as its logarithm. Rows are their derivatives anywhere, not only on the
 * constraints. */
typedef struct tn_joint_errors {
    /* phi of the bilateral rows, and J: phi' = J . twist of C against D, at C's origin, in C. */
    void (*rows)(const tn_joint_setup *setup, const tn_xform *T_CD, double phi[TN_MAX_ROWS],
                 double J[TN_MAX_ROWS][6]);
    /* dJ/dt for errors phi and their rates phi_rate. */
    void (*rates)(const tn_joint_setup *setup, const double phi[TN_MAX_ROWS],
                  const double phi_rate[TN_MAX_ROWS], double dJ[TN_MAX_ROWS][6]);
} tn_joint_errors;

typedef struct tn_joint_class tn_joint_class;

struct tn_joint_class {
    tn_joint_type_info info;

    /* What to draw, up to TN_DRAW_END; NULL: frames and coordinates only. */
    const tn_draw_item *draw;

    /* In order of preference, ended by one without rows; NULL: none is known. */
    const tn_joint_relief *reliefs;

    /* [6] TN_FX..TN_MZ per row, for types whose rows are constant unit axes of G: the inner loops
     * then skip wrenches() and wrench_rates(). NULL for the others. */
    const int8_t *axes;

    /* Types with info.data only. build: makes setup->data, in the arena, of data without faults,
     * and may change *cls to one of its own. describe: rows and coordinates where data decide them,
     * also of data with faults; NULL: those of the type. */
    tn_status (*build)(const tn_joint_data *data, tn_arena *arena, tn_joint_setup *setup,
                       const tn_joint_class **cls);
    void (*describe)(const tn_joint_data *data, tn_joint_own_info *own);

    /* The legal pose nearest to T_CD. Returns 0 if the nearest pose was not unique (a fallback was
     * taken), 1 otherwise. A type whose nearest pose has to be searched gives project_near instead,
     * which starts at the coordinates of a legal pose that is not far. */
    int (*project)(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD);
    int (*project_near)(const tn_joint_setup *setup, const tn_xform *T_CD, const double *reference,
                        tn_xform *T_GD);

    /* Coordinates of a legal pose, angles within pi of reference, branch nearest to it. */
    void (*pose_to_coordinates)(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q);

    /* For types with a pole (pole.h): the same where coordinates have stops. Near the pole the pose hardly
     * determines the coordinates, so the held values decide. q: coordinates of the pose nearest to T_GD that
     * has the held ones at their values. error[i]: distance of T_GD from it in the row of coordinate i; zero
     * on entry. Returns 0, and leaves both unchanged, away from the pole. */
    int (*stop_at_pole)(const tn_joint_setup *setup, const tn_xform *T_GD,
                        const tn_joint_stops *stops, const double *reference, double *q,
                        double *error);

    void (*coordinates_to_pose)(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);

    /* For a type with fewer coordinates than motions: moves the legal pose T_GD (in and out) to coordinates q and
     * keeps what the coordinates do not describe. NULL: along the twists (joint_adjust.c). */
    void (*adjust)(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);

    /* Between bodies in the plane it is a pin: G has C's orientation and D's origin, whatever T_CD
     * is, and the constraints left are rows 0 and 1, forces along x and y. */
    int8_t pin_in_plane;

    /* Its legal poses are the rotations about z, the nearest to T_CD that of the shortest rotation of
     * z_C onto z_D, its rows axes of G, and its one coordinate the angle. */
    int8_t turns_about_z;

    /* It has one freedom, and its legal poses are those of one screw along z: the twist of its motion in G is the same
     * at all poses, and the frames coincide at coordinate 0. */
    int8_t screws_along_z;

    /* Its legal poses are all rotations, and G has C's orientation and D's origin. */
    int8_t turns_about_point;

    /* [dof] For types whose legal poses are products: for each coordinate a rotation about, or a shift along, a unit
     * axis, with constant poses in between. Coordinates in the order of the product, D's side first. NULL: other
     * types. */
    const int8_t *chain;

    /* Bit i: a whole turn more of coordinate i is the same pose, whatever the parameters. */
    uint8_t whole_turns;

    /* NULL: one piece, smooth everywhere. */
    const tn_joint_pieces *pieces;

    /* 1: at some poses a row has no direction. It is zero there, and left out. */
    int8_t rows_may_vanish;

    /* Types without motions only. NULL: the errors are W . (p, e). */
    const tn_joint_errors *errors;

    /* W[row_count][6] at a legal pose. NULL when axes is given. */
    void (*wrenches)(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6]);

    /* dW/dt, components in G, when G moves legally in D with twist_GD (in G). dW is zero on entry:
     * only rows that move are written. NULL: W is constant in G. */
    void (*wrench_rates)(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6]);

    /* Rates of the coordinates of the legal pose nearest to T_CD, also off the constraints: q' = D . twist of C
     * relative to D at G's origin, in G; D[dof][6]. Returns 0 if there is no unique nearest pose.
     * NULL: the nearest pose is the one with W_i . (p, e) = 0 for its motions i, (p, e) the joint error. */
    int (*rates)(const tn_joint_setup *setup, const tn_xform *T_CD, const double *q,
                 double D[TN_MAX_ROWS][6]);

    /* T[dof][6] of the motions. NULL: they are the same vectors as the motion rows. */
    void (*twists)(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6]);

    /* Predicts the coordinates after h seconds from the old ones and speeds, as reference for turns and branches.
     * now: the coordinates of the new pose, in any turn and branch. NULL: q + h speeds, which is good enough if
     * speeds change little in a step. */
    void (*predict)(const double *q, const double *now, const double *speeds, double h,
                    double *predicted);
};

/* type.i must be valid. */
const tn_joint_class *tn_joint_class_get(tn_joint_type type);

/* The coordinates 0 .. TN_MAX_COORDINATES - 1 in their order, for tn_joint_class.chain. */
extern const int8_t tn_chain_in_order[];

/* The nearest legal pose of any type. reference[coordinate_count]: see project_near. */
int tn_joint_project(const tn_joint_class *cls, const tn_joint_setup *setup, const tn_xform *T_CD,
                     const double *reference, tn_xform *T_GD);

/* W and T of any type, constant axes or not. */
void tn_joint_wrenches(const tn_joint_class *cls, const tn_joint_setup *setup, const tn_xform *T_GD,
                       const double *q, double W[TN_MAX_ROWS][6]);
void tn_joint_twists(const tn_joint_class *cls, const tn_joint_setup *setup, const tn_xform *T_GD,
                     const double *q, double T[TN_MAX_ROWS][6]);

/* predict of any type. */
void tn_joint_predict(const tn_joint_class *cls, const double *q, const double *now,
                      const double *speeds, double h, double *predicted);

/* Moves the legal pose T_GD (in and out) to coordinates q; what they do not determine is kept. Values of q that the
 * type cannot have are replaced by the nearest possible ones. */
void tn_joint_adjust(const tn_joint_class *cls, const tn_joint_setup *setup, const double *q,
                     tn_xform *T_GD);

/* (p, angle * axis) of T_CG = T_GD^-1 T_CD: the joint error, not the SE(3) logarithm. */
static inline void tn_joint_error(const tn_xform *T_GD, const tn_xform *T_CD, double error[6])
{
    const tn_xform T_CG = xf_inv_mul(T_GD, T_CD);
    v3_store(error, T_CG.p);
    v3_store(error + 3, m3_log(&T_CG.R));
}

/* Class and setup of a joint: parameters with NaN replaced by the type's defaults (NULL: all of
 * them), and what build() makes of the data, in the arena. The data must be valid (spec/joint/joint_data.h). */
tn_status tn_joint_make(tn_joint_type type, const double *parameters, const tn_joint_data *data,
                        tn_arena *arena, const tn_joint_class **cls, tn_joint_setup *setup);

#endif
