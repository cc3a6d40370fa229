/* fuzz_calls.c: bytes as a program of calls: a mechanism of any joints with any numbers, and
 * everything that can be done with it (tests/support/call_machine.h says what has to hold). */
#include "support/call_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    call_counts counts = {0};
    call_machine_run(data, size, &counts);
    return 0;
}
