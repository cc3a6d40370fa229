/* function_list.c: room math/function: functions referred to by index. */
#include "math/function/function_list.h"

#include <string.h>

tn_status tn_function_list_add(tn_function_list *list, const tn_function_def *def, int32_t *index)
{
    if (def->kind == TN_FUNCTION_NONE) {
        *index = TN_NO_FUNCTION;
        return TN_OK;
    }
    tn_function *grown =
        tn_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    if (!grown)
        return TN_ERROR_MEMORY;
    list->items = grown;
    const tn_status status = tn_function_make(def, &list->arena, &list->items[list->count]);
    if (status == TN_OK)
        *index = list->count++;
    return status;
}

void tn_function_list_free(tn_function_list *list)
{
    tn_free(list->items);
    tn_arena_free(&list->arena);
    memset(list, 0, sizeof *list);
}
