/* hdf5_file.c: a virtual file driver of the HDF5 library that swallows errors (hdf5_file.h).
 *
 * Room record. POSIX reads and writes at an offset. What was not written reads back as zeros, which
 * is enough for a file that is only closed after an error. Limits: the driver interface of
 * HDF5 1.10 and 1.12.
 */
#include "record/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

#define LARGEST_ADDRESS ((haddr_t)INT64_MAX) /* of an off_t */
#define FILE_MODE       0666                 /* less the umask */

/* The driver's part of the file access properties. */
typedef struct driver_info {
    int *error; /* errno of the first failure */
} driver_info;

typedef struct checked_file {
    H5FD_t head; /* the library's part, first */
    int descriptor;
    int *error;
    haddr_t eoa; /* end of what the library has given out */
    haddr_t eof; /* end of what it has written */
} checked_file;

static void remember(const checked_file *file)
{
    if (*file->error == 0)
        *file->error = errno;
}

static H5FD_t *file_open(const char *name, unsigned flags, hid_t fapl, haddr_t largest)
{
    (void)flags; /* always a new file */
    (void)largest;
    const driver_info *info = H5Pget_driver_info(fapl);
    int descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    if (descriptor < 0) {
        *info->error = errno;
        return NULL;
    }
    checked_file *file = TN_NEW(checked_file);
    if (file == NULL) {
        *info->error = ENOMEM;
        close(descriptor);
        return NULL;
    }
    file->descriptor = descriptor;
    file->error = info->error;
    return &file->head;
}

static herr_t file_close(H5FD_t *head)
{
    checked_file *file = (checked_file *)head;
    if (close(file->descriptor) != 0)
        remember(file);
    tn_free(file);
    return 0;
}

static herr_t file_query(const H5FD_t *head, unsigned long *flags)
{
    (void)head;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t file_get_eoa(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const checked_file *)head)->eoa;
}

static herr_t file_set_eoa(H5FD_t *head, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((checked_file *)head)->eoa = address;
    return 0;
}

static haddr_t file_get_eof(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const checked_file *)head)->eof;
}

static herr_t file_read(H5FD_t *head, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                        void *buffer)
{
    (void)type;
    (void)dxpl;
    const checked_file *file = (const checked_file *)head;
    char *to = buffer;
    while (size > 0) {
        ssize_t count = pread(file->descriptor, to, size, (off_t)address);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            remember(file);
        if (count <= 0)
            break;
        to += count;
        address += (haddr_t)count;
        size -= (size_t)count;
    }
    memset(to, 0, size);
    return 0;
}

static herr_t file_write(H5FD_t *head, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                         const void *buffer)
{
    (void)type;
    (void)dxpl;
    checked_file *file = (checked_file *)head;
    const char *from = buffer;
    if (address + size > file->eof)
        file->eof = address + size;
    while (size > 0) {
        ssize_t count = pwrite(file->descriptor, from, size, (off_t)address);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            remember(file);
            break;
        }
        from += count;
        address += (haddr_t)count;
        size -= (size_t)count;
    }
    return 0;
}

static herr_t file_truncate(H5FD_t *head, hid_t dxpl, hbool_t closing)
{
    (void)dxpl;
    (void)closing;
    checked_file *file = (checked_file *)head;
    if (file->eoa != file->eof && ftruncate(file->descriptor, (off_t)file->eoa) != 0)
        remember(file);
    file->eof = file->eoa;
    return 0;
}

static const H5FD_class_t driver = {
    .name = "tenon_checked",
    .maxaddr = LARGEST_ADDRESS,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(driver_info),
    .open = file_open,
    .close = file_close,
    .query = file_query,
    .get_eoa = file_get_eoa,
    .set_eoa = file_set_eoa,
    .get_eof = file_get_eof,
    .read = file_read,
    .write = file_write,
    .truncate = file_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* The open file keeps its own reference to the driver, so the identifier here can go. */
hid_t tn_hdf5_create_file(const char *path, int *error)
{
    driver_info info = {error};
    hid_t id = H5FDregister(&driver);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_driver(access, id, &info);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    H5FDunregister(id);
    return file;
}
