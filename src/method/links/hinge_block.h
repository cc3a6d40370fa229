/* hinge_block.h: room method/links: the links of one world side by side, four in a block: what is local to a joint
 * or body is worked out for a block at once (hinge_stages.h), what goes from link to link for one after the other
 * (hinge_world.c).
 *
 * A block is a tn_hinge_trial or tn_hinge_kind of four numbers each: of TN_LANES 4 where stages
 * run, seen as doubles elsewhere. The first block of links is of what does not move, so that link -1 can be read; lanes behind the last
 * link are of bodies that hang on nothing, and of no account. Each link has the bits that it would have alone.
 */
#ifndef TN_METHOD_HINGES_HINGE_BLOCK_H
#define TN_METHOD_HINGES_HINGE_BLOCK_H

#include <stddef.h>
#include <string.h>

#include "joint/joint_rows.h"
#include "math/lanes.h"
#include "method/angles/hinge_books.h"
#include "method/angles/hinge_inertia.h"

/* Links in a block, and bytes to which blocks are aligned. */
enum { TN_HINGE_WIDTH = 4, TN_HINGE_ALIGNMENT = 64 };

/* A joint of several freedoms, and a body that floats, is a chain of links: a turn or shift each. All but the last are shadows of the
 * body, without mass, which are where it is when a step begins. */
typedef enum tn_limb_part { TN_LIMB_WHOLE, TN_LIMB_LAST, TN_LIMB_SHADOW } tn_limb_part;

/* What is shown of a block: links of chains are no joints, and shadows no bodies. */
enum {
    TN_SHOWS_BODIES = 1,
    TN_SHOWS_COORDINATES = 2, /* of joints of one freedom */
    TN_SHOWS_HINGES = 4       /* frames and multipliers */
};

/* What a link is in the model. */
typedef struct tn_hinge_place {
    int64_t u;           /* offset in velocities */
    int32_t body, joint; /* of a body that floats any joint */
    int32_t inner_body;  /* -1: ground; of what hangs on a shadow the body itself */
    int32_t memory;      /* of tn_hinge_memory, the link; of lanes without one the last link's */
    int8_t part;         /* tn_limb_part */
    bool is_a;           /* the body is a of its joint */
} tn_hinge_place;

/* Of a state, by body and joint of the model, and by link, as tn_state and the memory of the method have them. */
typedef struct tn_hinge_arrays {
    double *x, *q, *u, *udot, *acc, *memory;
    double *coordinates, *lambda;
    double *udot_rate, *lambda_rate;
} tn_hinge_arrays;

/* Where frames and errors of joints, and poses of bodies, are shown (tn_system). */
typedef struct tn_hinge_frames {
    tn_xform *T;
    tn_joint_kinematics *kin;
    double *phi;
    const int64_t *y_offset;
} tn_hinge_frames;

/* Of the model, for what is shown: axes of the joint's frames C and D, which are the link's own and the inner body's or the
 * other way round. */
typedef struct tn_hinge_axes {
    tn_real3 own[2];   /* x, y; body axes. z is the hinge's */
    tn_real3 inner[3]; /* x, y, z; axes of the inner body */
    tn_real3
        inner_x; /* m: its centre of mass from that of the link it is welded to, likewise; else 0 */
} tn_hinge_axes;

/* The screw of a joint (hinge_kernel.h): what the coordinate turns by, 1 or 0, and what it advances by, m of its unit;
 * and the sign of the joint's coordinate in that of the iteration. */
typedef struct tn_hinge_column {
    tn_real spin, lead, sign;
    tn_real alone; /* 1: its joint is no hinge, and shown by itself; 0 */
} tn_hinge_column;

/* What a link is in the model, and how its joint is shown. */
typedef struct tn_hinge_kind {
    tn_hinge_link link;
    tn_hinge_axes axes;
    tn_hinge_column column;
} tn_hinge_kind;

/* Of a link, from one pass of a step to the next: as tn_hinge_limb and tn_hinge_state have it. What is found of that and of
 * where the step begins in fewer instructions than memory takes to bring it is not kept: R, velocities, a+. Two numbers of a
 * block are a line of memory: what passes have in common stands together, in between what is of the trial alone and of
 * corrections alone. */
typedef struct tn_hinge_trial {
    tn_realq turned;
    tn_real3 moved; /* before the hinge has turned: base, of the start */
    tn_real turn, half[2];
    tn_realq q;
    tn_real udot[6], u[3]; /* u: angular */
    tn_real3 arm, spun;
    tn_real3 axis, place; /* as shown, spun and place are the axes x and y that multipliers go by */
    tn_real3 span, f, n;
    tn_real3 screw;
    tn_real s;
    tn_real3 v, w;
    tn_real3 x; /* m, of the pose; before the body is where it is: base, of it */
} tn_hinge_trial;

/* Of a link, for its elimination: tn_hinge_part, and the mass; once it is eliminated, its factor, with anything behind
 * columns. Two lines of memory, of which the first alone is read going outward. */
typedef union tn_hinge_record {
    struct {
        double B[3], D[3], C[3][3], mass;
    } part;
    struct {
        double row_f[3], by_d, row_m[3], s;
        tn_v4 col_f, col_m;
    } factor;
} tn_hinge_record;

/* Likewise, while links are eliminated: behind each the torque about the axis, by beta'. */
typedef struct tn_hinge_cross {
    tn_v4 screw, axis, force, moment; /* the last two by beta', of hinge_turned_pull */
} tn_hinge_cross;

/* tn_hinge_inertia in rows, without wrenches. */
typedef struct tn_hinge_load {
    tn_v4 A[3], B[3], D[3], C[3];
    tn_v4 left_f, left_n;
} tn_hinge_load;

/* What hinges are off: tn_hinge_sizes. */
typedef struct tn_hinge_off {
    double largest, sum;
    bool definite; /* all pivots of the matrix are positive */
} tn_hinge_off;

/* What the start of a step is asked, of a run of links. */
typedef struct tn_hinge_onset {
    double change; /* rad: hinge_note_change */
} tn_hinge_onset;

/* What is told of a run of links that was shown. */
typedef struct tn_hinge_told {
    double books[sizeof(tn_body_books) / sizeof(tn_real)];
    double position, angle; /* m, rad: by which joints are off */
    double worst;           /* the larger one, */
    int32_t worst_limb;     /* the first that is as far off; -1: none is */
    double sum;             /* of all numbers of its motion: none where one of them is none */
    bool joints;            /* all were shown, none is `apart` */
} tn_hinge_told;

/* What acts along hinges in a step, by links; of those along which nothing does 0, 0, INFINITY. */
typedef struct tn_hinge_acting {
    double *effort; /* [4 blocks] N m: about the axis on the body, at the trial */
    double *yield; /* [4 blocks] kg m^2: what this adds to the pivot; INFINITY: the angle is held */
    double *
        given; /* [4 blocks] rad: by what a held hinge turns, or a free one is predicted to; INFINITY: by what steps remember */
    double *borne; /* [4 blocks] N m: about the axis, of the wrenches found last */
    double *speed,
        *rate; /* [4 blocks] rad/s, rad/s^2: in the trial, of joints that turn in blocks that are */
    const int8_t *turning; /* [blocks] 1: something acts along such a joint */
} tn_hinge_acting;

/* What stages work on. */
typedef struct tn_hinge_world {
    double *limbs;                /* [blocks + 1] tn_hinge_trial; link k is in block k / 4 + 1 */
    double *kinds;                /* tn_hinge_kind, */
    const int32_t *kind;          /* [blocks] which of them: blocks that are alike share one */
    const int32_t *inner;         /* [4 blocks] the link it hangs on; -1: what does not move */
    const tn_hinge_place *places; /* [4 blocks] */
    tn_hinge_record *records;     /* [4 blocks] */
    tn_hinge_load *loads;         /* by slots */
    const tn_hinge_slots *slots;  /* [count] */
    const int8_t *in_row;         /* [blocks] 1: its links hang each on the one before */
    int8_t *apart;                /* [4 blocks] 1: its joint is shown by itself */
    /* [blocks] 1: not all of its joints are hinges, or not all bodies are a of their joints, or b; some of its joints shift their
     * bodies; some of its links are of chains. The last two NULL: none anywhere. */
    const int8_t *mixed, *slides, *chained;
    const int8_t *shown; /* [blocks] bits TN_SHOWS_BODIES .. */
    const int8_t
        *bears; /* [blocks] 1: wrenches of some of its joints are read of bodies they hang on */
    tn_hinge_arrays at, to; /* where the step begins, and its end: the same, or others */
    tn_hinge_frames frames;
    const tn_hinge_acting *acting; /* NULL: nothing acts along hinges */
    /* [count] Where `is_yielding`: how what acts on bodies answers to their twists, about O, in units of beta'. NULL: it does not. */
    const tn_hinge_load *yielding;
    const int8_t *is_yielding;
    struct tn_link_loops *loops; /* loops.h; NULL: the tree has none */
    bool has_rates; /* udot and lambda changed in a step, as the next one is to remember */
    tn_vec3 gravity;
    int32_t count, blocks;
    int32_t order;  /* differences that predictions go by */
    bool principal; /* axes of all bodies are principal ones */
    bool flat;      /* bodies are planar: they have three velocities, and poses of their plane */
} tn_hinge_world;

/* Velocities of a planar body, of the six of one in space. */
enum { TN_FLAT_SIZE = 3, TN_FLAT_TURN = 5 };

/* Velocities of a body from offset u of an array, as those in space; others are 0. */
static inline void hinge_get_six(const tn_hinge_world *w, const double *a, int64_t u, double six[6])
{
    memset(six, 0, 6 * sizeof *six);
    memcpy(six, a + u, (w->flat ? TN_FLAT_SIZE : 6) * sizeof *six);
    if (w->flat) {
        six[TN_FLAT_TURN] = six[2];
        six[2] = 0.0;
    }
}

/* And back, those that it has. */
static inline void hinge_put_six(const tn_hinge_world *w, const double six[6], double *a, int64_t u)
{
    if (w->flat) {
        v3_store(a + u, v3(six[0], six[1], six[TN_FLAT_TURN]));
    } else {
        memcpy(a + u, six, 6 * sizeof *six);
    }
}

/* Doubles of a block. */
enum {
    TN_HINGE_LIMB_SIZE = sizeof(tn_hinge_trial) / sizeof(tn_real) * TN_HINGE_WIDTH,
    TN_HINGE_KIND_SIZE = sizeof(tn_hinge_kind) / sizeof(tn_real) * TN_HINGE_WIDTH
};

/* Doubles of the wrenches of a block. */
enum { TN_HINGE_PULLS_SIZE = sizeof(tn_hinge_pull) / sizeof(tn_real) * TN_HINGE_WIDTH };

/* Doubles of what a hinge remembers. */
enum { HINGE_MEMORY_SIZE = sizeof(tn_hinge_memory) / sizeof(tn_real) };

/* The doubles in a block before those of a field. */
#define TN_LIMB_FIELD(field) (offsetof(tn_hinge_trial, field) / sizeof(tn_real) * TN_HINGE_WIDTH)
#define TN_KIND_FIELD(field) (offsetof(tn_hinge_kind, field) / sizeof(tn_real) * TN_HINGE_WIDTH)

/* The first number of link k, which may be -1; the others are TN_HINGE_WIDTH apart. */
TN_INLINE double *hinge_limb_at(const tn_hinge_world *w, int32_t k)
{
    const uint32_t n = (uint32_t)(k + TN_HINGE_WIDTH);
    return w->limbs + (size_t)(n / TN_HINGE_WIDTH) * TN_HINGE_LIMB_SIZE + n % TN_HINGE_WIDTH;
}

/* Is k in a block with a joint that shifts its body? */
TN_INLINE bool hinge_slides(const tn_hinge_world *w, int32_t k)
{
    return w->slides && w->slides[k / TN_HINGE_WIDTH];
}

/* Likewise of its kind; not of -1. */
TN_INLINE double *hinge_kind_at(const tn_hinge_world *w, int32_t k)
{
    const uint32_t n = (uint32_t)k;
    return w->kinds + (size_t)w->kind[n / TN_HINGE_WIDTH] * TN_HINGE_KIND_SIZE + n % TN_HINGE_WIDTH;
}

/* Numbers of one link, TN_HINGE_WIDTH apart. */
TN_INLINE tn_vec3 limb_v3(const double *p)
{
    return v3(p[0], p[TN_HINGE_WIDTH], p[2 * TN_HINGE_WIDTH]);
}

TN_INLINE void put_v3(double *p, tn_vec3 v)
{
    p[0] = v.x;
    p[TN_HINGE_WIDTH] = v.y;
    p[2 * TN_HINGE_WIDTH] = v.z;
}

TN_INLINE tn_quat limb_q(const double *p)
{
    return (tn_quat){p[0], p[TN_HINGE_WIDTH], p[2 * TN_HINGE_WIDTH], p[3 * TN_HINGE_WIDTH]};
}

/* A vector of body axes in the world. */
static inline tn_vec3 hinge_in_world(tn_quat q, tn_vec3 v)
{
    const tn_mat3 R = q_to_m3(q);
    return m3_mulv(&R, v);
}

TN_INLINE void put_q(double *p, tn_quat q)
{
    p[0] = q.w;
    p[TN_HINGE_WIDTH] = q.x;
    p[2 * TN_HINGE_WIDTH] = q.y;
    p[3 * TN_HINGE_WIDTH] = q.z;
}

/* Numbers of one link, to where those of its lane are in a block, and from there. */
static inline void hinge_put_numbers(const void *from, size_t bytes, double *to)
{
    for (size_t n = 0; n < bytes / sizeof(double); n++)
        memcpy(to + n * TN_HINGE_WIDTH, (const double *)from + n, sizeof(double));
}

static inline void hinge_get_numbers(const double *from, size_t bytes, void *to)
{
    for (size_t n = 0; n < bytes / sizeof(double); n++)
        memcpy((double *)to + n, from + n * TN_HINGE_WIDTH, sizeof(double));
}

/* What a pose is found of. */
typedef enum tn_hinge_settling {
    TN_HINGE_BY_TWIST,
    TN_HINGE_BY_TURNS, /* motion is made of Dx first */
    TN_HINGE_AT_ONCE /* so too, and arms stay as they were turned, as links further out may yet ask for them */
} tn_hinge_settling;

/* What is local to a link, for blocks begin .. end, at most a run of links. `turn` and `settle` read what they have found of inner links, so go
 * outward; the others read of them nothing that they write. */
typedef struct tn_hinge_stages {
    /* The start of a step as its state has it: arms, what the hinge turns by and what comes of it in the axes of the inner
     * body; `onset`, unless that is NULL: predicts that angle too. */
    void (*start)(const tn_hinge_world *w, int32_t begin, int32_t end, tn_hinge_onset *onset);
    /* After D: its vector, and the arms that it turns. */
    void (*turn)(const tn_hinge_world *w, int32_t begin, int32_t end);
    /* After that, the pose and Dx: motion, what acts on the body, its part in the matrix. */
    void (*strive)(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end);
    /* After wrenches, in blocks of tn_hinge_pull: what the elimination of a hinge takes of them, of all links of these
     * blocks. */
    void (*cross)(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                  const double *pulls, tn_hinge_cross *to);
    /* Links last - 1 .. first, of crosses[0] ..: hinge_factor and hinge_gather. False: it cannot be solved. */
    bool (*eliminate)(const tn_hinge_world *w, int32_t first, int32_t last,
                      const tn_hinge_cross *crosses, tn_hinge_off *off);
    /* Of the twist: motion and angle. */
    void (*nudge)(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end);
    /* Of the pose found: axis, arms, and what acts on the body, as tn_hinge_settling has it. The largest turn of a body
     * by the twist, its square. */
    double (*settle)(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                     tn_hinge_settling how);
    /* What was found, to where everybody else looks for it: the state, what it remembers, and frames; these not of
     * blocks that are then `apart`. */
    void (*show_motion)(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                        tn_hinge_told *told);
    /* Then, after wrenches: multipliers, of blocks that are not; those keep their wrenches. */
    void (*show_forces)(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                        const double *pulls, tn_hinge_told *told);
    /* Speeds and accelerations in a trial, of joints that something acts along. */
    void (*spin)(const tn_hinge_world *w, int32_t begin, int32_t end);
} tn_hinge_stages;

/* Of every machine, and of those with AVX2. */
extern const tn_hinge_stages tn_hinge_stages_any, tn_hinge_stages_wide;

/* The links of blocks begin .. end. */
typedef struct tn_limb_range {
    int32_t first, last;
} tn_limb_range;

TN_INLINE tn_limb_range limbs_of(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const int32_t last = end * TN_HINGE_WIDTH;
    return (tn_limb_range){begin * TN_HINGE_WIDTH, last < w->count ? last : w->count};
}

/* What goes from link to link, for blocks begin .. end: outward, and inward. */
typedef struct tn_hinge_recursions {
    /* Orientations, from those in the inner body's; D too, from what the hinges turn by. */
    void (*compose)(const tn_hinge_world *w, int32_t begin, int32_t end);
    void (*compose_turns)(const tn_hinge_world *w, int32_t begin, int32_t end);
    /* p and Dx. */
    void (*add_places)(const tn_hinge_world *w, int32_t begin, int32_t end);
    /* The second half of a solve. */
    void (*scatter)(const tn_hinge_world *w, int32_t begin, int32_t end);
    /* Where bodies are, in place of their bases: as hinge_place. */
    void (*seat)(const tn_hinge_world *w, int32_t begin, int32_t end);
    /* Wrenches, of sums by slots; `pulls`: of those from block `begin` on. */
    void (*weigh)(const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t begin, int32_t end,
                  double *pulls);
    /* After them, with the factor there is: the first half of a solve. */
    void (*gather)(const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_inertia *sums,
                   int32_t begin, int32_t end, const double *pulls, tn_hinge_sizes *left);
} tn_hinge_recursions;

extern const tn_hinge_recursions tn_hinge_recursions_any, tn_hinge_recursions_wide;
/* Of worlds that are flat (hinge_flat.h). */
extern const tn_hinge_recursions tn_hinge_flat_recursions_any, tn_hinge_flat_recursions_wide;

/* What stages do to blocks with joints that are no hinges, after they have taken all for hinges: a tree without
 * any pays a test a stage. After `start`: the base, and what joints turn by; after `turn`: what joints advance by; after
 * `cross`: the screw of each; after `settle`: the base, and the largest square of what a body was turned by and advanced by. */
void tn_hinges_slide_from(const tn_hinge_world *w, int32_t begin, int32_t end);
void tn_hinges_slide_on(const tn_hinge_world *w, int32_t begin, int32_t end);
void tn_hinges_slide_cross(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin,
                           int32_t end, const double *pulls, tn_hinge_cross *to);
double tn_hinges_slide_to(const tn_hinge_world *w, int32_t begin, int32_t end);

#endif
