/* heavy.h: test support: tests that take seconds even where the code is optimised. `make test` runs all of
 * their cases in the optimised build, and some of them where sanitizers make each ten times as long.
 * Which tests include this file is read by cmake/TenonTests.cmake.
 */
#ifndef TENON_TESTS_HEAVY_H
#define TENON_TESTS_HEAVY_H

/* One of two constants. */
#if defined(__SANITIZE_ADDRESS__)
#define ALL_OR_FEW(all, few) (few)
#else
#define ALL_OR_FEW(all, few) (all)
#endif

#endif
