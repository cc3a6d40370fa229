/* fuzz_calls.c: bytes as a program of calls: a mechanism of any joints with any numbers, and
 * everything that can be done with it (tests/support/call_machine.h says what has to hold). */
#include "support/call_machine.h"
#include "tenon/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Wrong calls are among them, and answer. */
static void ignore(const char *condition, const char *file, int line)
{
    (void)condition;
    (void)file;
    (void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tn_set_assert_handler(ignore);
    call_counts counts = {0};
    call_machine_run(data, size, &counts);
    return 0;
}
