/* hdf5_library.c: loads the HDF5 library (hdf5_library.h).
 *
 * Room record/format. TN_HDF5_NAME is the name under which the loader finds what the header is of: it has the
 * version of the binary interface in it (libhdf5_serial.so.103).
 */
#define TN_HDF5_LOADER
#include "record/format/hdf5_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Longest reason that is kept, with its end. */
#define REASON_SIZE 512

tn_hdf5_calls tn_hdf5;
static char reason[REASON_SIZE];

typedef struct name {
    const char *text;
    size_t offset; /* of its address in the table */
} name;

#define NAME(name) {#name, offsetof(tn_hdf5_calls, name)},
static const name names[] = {TN_HDF5_LIST(NAME)};
#undef NAME

static bool find_all(void *scope, tn_hdf5_calls *found)
{
    for (size_t i = 0; i < TN_COUNT_OF(names); i++) {
        void *address = dlsym(scope, names[i].text);
        if (address == NULL)
            return false;
        memcpy((char *)found + names[i].offset, &address, sizeof address);
    }
    return true;
}

/* True if the program itself has the library, of the version of the header. Its variables are then where the program
 * has them: with copy relocations in the program, so their addresses in the library must not be used. */
static bool find_in_program(tn_hdf5_calls *found)
{
    unsigned version[3] = {0, 0, 0};
    void *program = dlopen(NULL, RTLD_NOW);
    return program != NULL && find_all(program, found) &&
           found->H5get_libversion(&version[0], &version[1], &version[2]) >= 0 &&
           version[0] == H5_VERS_MAJOR && version[1] == H5_VERS_MINOR &&
           version[2] == H5_VERS_RELEASE;
}

/* The library stays loaded: it ends by itself, at exit. */
static bool find_library(tn_hdf5_calls *found)
{
    void *library = dlopen(TN_HDF5_NAME, RTLD_NOW | RTLD_LOCAL);
    return library != NULL && find_all(library, found);
}

const char *tn_hdf5_load(void)
{
    tn_hdf5_calls found;
    if (tn_hdf5.H5open != NULL)
        return NULL;
    if (!find_in_program(&found) && !find_library(&found)) {
        const char *told = dlerror();
        snprintf(reason, sizeof reason, "%s",
                 told != NULL ? told : TN_HDF5_NAME " cannot be loaded");
        return reason;
    }
    tn_hdf5 = found;
    return NULL;
}
