/* call_machine.h: test support: bytes read as a program of calls of the public interface.
 *
 * The first bytes describe a mechanism (bodies, joints of any registered type, couplings, with
 * numbers from plausible to absurd), the others what is done with it: steps, switches, coordinates,
 * targets, drives, loads, analysis, drawing, saving and restoring, and in half of the programs
 * bodies, joints, couplings, loads and measures added and removed. Whatever the bytes are,
 *   - every call returns, its work counted and bounded,
 *   - what is answered with TN_OK is made of numbers,
 *   - a step, placement or change that fails leaves the state as it was, to the bit,
 *   - a change of the description moves no body unless a new joint has to close.
 * A violation aborts and says which.
 */
#ifndef TENON_TESTS_CALL_MACHINE_H
#define TENON_TESTS_CALL_MACHINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct call_counts {
    long programs, mechanisms, started; /* described, compiled, simulated */
    long calls, steps, failures; /* of simulations; steps that succeeded; calls that did not */
    long changes;                /* of the description that a simulation went on with */
    int32_t most_work;           /* factorisations of a call */
} call_counts;

void call_machine_run(const uint8_t *bytes, size_t size, call_counts *counts);

#endif
