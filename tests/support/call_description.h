/* call_description.h: test support: a mechanism described by bytes, and changes of it. */
#ifndef TENON_TESTS_CALL_DESCRIPTION_H
#define TENON_TESTS_CALL_DESCRIPTION_H

#include "support/call_bytes.h"
#include "tenon/tenon.h"

#define CALL_BODIES 5 /* at most, described at the start */
#define CALL_JOINTS 7

void call_describe(call_bytes *b, tn_spec *spec);

/* What an edit may do to what is there already: bodies move; states are of another model. */
enum { CALL_EDIT_MOVES = 1, CALL_EDIT_IS_OF_STATE = 2 };

/* Something is added, or removed, from what is there or was. */
unsigned call_edit(call_bytes *b, tn_spec *spec);

/* How many items there are in each list; and what came since goes again. */
#define CALL_LISTS 5
void call_count(const tn_spec *spec, int32_t counts[CALL_LISTS]);
void call_take_back(tn_spec *spec, const int32_t before[CALL_LISTS]);

/* The id of an element: joints, then couplings; beyond them that of none. */
tn_joint call_joint_of(int32_t element, int32_t joints, int32_t couplings);

#endif
