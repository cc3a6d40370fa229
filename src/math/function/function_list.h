/* function_list.h: room math/function: functions that are referred to by index, and kept until all go.
 */
#ifndef TN_MATH_FUNCTION_FUNCTION_LIST_H
#define TN_MATH_FUNCTION_FUNCTION_LIST_H

#include "math/function/function.h"

#define TN_NO_FUNCTION (-1)

/* Zero it to start. */
typedef struct tn_function_list {
    tn_function *items;
    int32_t count, capacity;
    tn_arena arena; /* numbers */
} tn_function_list;

/* Adds a copy of def, which has no problem; *index is where it is, or TN_NO_FUNCTION for none. */
TN_SIBLING tn_status tn_function_list_add(tn_function_list *list, const tn_function_def *def,
                                          int32_t *index);
TN_SIBLING void tn_function_list_free(tn_function_list *list);

#endif
