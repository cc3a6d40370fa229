/* hinge_loops.h: room method/links: the elimination of loops (method/loops/loops.h) at the links that host them. */
#ifndef TN_METHOD_LINKS_HINGE_LOOPS_H
#define TN_METHOD_LINKS_HINGE_LOOPS_H

#include "method/links/hinge_block.h"
#include "method/loops/loops.h"

/* Does link k, -1 what does not move, host a loop? */
TN_INLINE bool hinge_hosts(const tn_hinge_world *w, int32_t k)
{
    return w->loops && w->loops->hosted[k + 1] >= 0;
}

/* Does what link k moves by go by the rows of some loop? */
TN_INLINE bool hinge_is_in_loop(const tn_hinge_world *w, int32_t k)
{
    return w->loops && w->loops->in_loops[k];
}

/* The matrix of loops that are hosted by link k, -1 what does not move, where all links that hang on it are factored, and their
 * part in its inertia. False: rows nearly repeat others, and it is not known which. */
bool tn_loops_factor(const tn_hinge_world *w, int32_t k);
/* After the first half of a solve of the same links: mu with the host at rest, and what links move by then. Out: what is left at
 * the host, by its own turn. */
void tn_loops_close(const tn_hinge_world *w, int32_t k, tn_vec3 *left_f, tn_vec3 *left_n,
                    tn_hinge_off *off);
/* On the way outward, the twist of the host being known: mu, and what links move by. */
void tn_loops_follow(const tn_hinge_world *w, int32_t k, tn_vec3 v, tn_vec3 turn);

#endif
