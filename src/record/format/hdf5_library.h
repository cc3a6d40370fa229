/* hdf5_library.h: the HDF5 library, loaded when the first HDF5 file is needed.
 *
 * Room record/format. HDF5 loads some 30 more libraries (cryptography, networks), which costs 20 ms and more at each
 * start of a program linked to it; so nothing here is linked to it. In: its header. Out: its functions and variables
 * under their own names, through a table of addresses. Include this in place of the library's own header. A new name
 * needs two lines here.
 */
#ifndef TN_RECORD_FORMAT_HDF5_LIBRARY_H
#define TN_RECORD_FORMAT_HDF5_LIBRARY_H

#include <hdf5.h>

/* What is used, each once; variables are those behind the library's macros. */
#define TN_HDF5_LIST(X)                                                                            \
    X(H5Aclose)                                                                                    \
    X(H5Acreate2)                                                                                  \
    X(H5Aget_space)                                                                                \
    X(H5Aopen)                                                                                     \
    X(H5Aread)                                                                                     \
    X(H5Awrite)                                                                                    \
    X(H5Dclose)                                                                                    \
    X(H5Dcreate2)                                                                                  \
    X(H5Dget_space)                                                                                \
    X(H5Dopen2)                                                                                    \
    X(H5Dread)                                                                                     \
    X(H5Dset_extent)                                                                               \
    X(H5Dvlen_reclaim)                                                                             \
    X(H5Dwrite)                                                                                    \
    X(H5Eget_auto2)                                                                                \
    X(H5Eset_auto2)                                                                                \
    X(H5Ewalk2)                                                                                    \
    X(H5FDregister)                                                                                \
    X(H5FDunregister)                                                                              \
    X(H5Fclose)                                                                                    \
    X(H5Fcreate)                                                                                   \
    X(H5Fflush)                                                                                    \
    X(H5Fopen)                                                                                     \
    X(H5Gclose)                                                                                    \
    X(H5Gcreate2)                                                                                  \
    X(H5Lexists)                                                                                   \
    X(H5Pclose)                                                                                    \
    X(H5Pcreate)                                                                                   \
    X(H5Pget_driver_info)                                                                          \
    X(H5Pset_chunk)                                                                                \
    X(H5Pset_create_intermediate_group)                                                            \
    X(H5Pset_driver)                                                                               \
    X(H5Pset_obj_track_times)                                                                      \
    X(H5Sclose)                                                                                    \
    X(H5Screate_simple)                                                                            \
    X(H5Sget_simple_extent_dims)                                                                   \
    X(H5Sget_simple_extent_npoints)                                                                \
    X(H5Sselect_hyperslab)                                                                         \
    X(H5Tclose)                                                                                    \
    X(H5Tcopy)                                                                                     \
    X(H5Tset_cset)                                                                                 \
    X(H5Tset_size)                                                                                 \
    X(H5check_version)                                                                             \
    X(H5get_libversion)                                                                            \
    X(H5open)                                                                                      \
    X(H5P_CLS_DATASET_CREATE_ID_g)                                                                 \
    X(H5P_CLS_FILE_ACCESS_ID_g)                                                                    \
    X(H5P_CLS_LINK_CREATE_ID_g)                                                                    \
    X(H5T_C_S1_g)                                                                                  \
    X(H5T_IEEE_F64LE_g)                                                                            \
    X(H5T_NATIVE_DOUBLE_g)                                                                         \
    X(H5T_NATIVE_INT32_g)                                                                          \
    X(H5T_NATIVE_INT64_g)                                                                          \
    X(H5T_NATIVE_INT8_g)                                                                           \
    X(H5T_STD_I32LE_g)                                                                             \
    X(H5T_STD_I64LE_g)                                                                             \
    X(H5T_STD_I8LE_g)

#define TN_HDF5_MEMBER(name) __typeof__(name) *name;
typedef struct tn_hdf5_calls {
    TN_HDF5_LIST(TN_HDF5_MEMBER)
} tn_hdf5_calls;
#undef TN_HDF5_MEMBER

extern tn_hdf5_calls tn_hdf5;

/* Loads the library, the first time. NULL, or why it cannot be used: what the loader says. Nothing of it may be
 * called before. Not for two threads at once, as the library is not. */
const char *tn_hdf5_load(void);

#ifndef TN_HDF5_LOADER
#define H5Aclose                         (*tn_hdf5.H5Aclose)
#define H5Acreate2                       (*tn_hdf5.H5Acreate2)
#define H5Aget_space                     (*tn_hdf5.H5Aget_space)
#define H5Aopen                          (*tn_hdf5.H5Aopen)
#define H5Aread                          (*tn_hdf5.H5Aread)
#define H5Awrite                         (*tn_hdf5.H5Awrite)
#define H5Dclose                         (*tn_hdf5.H5Dclose)
#define H5Dcreate2                       (*tn_hdf5.H5Dcreate2)
#define H5Dget_space                     (*tn_hdf5.H5Dget_space)
#define H5Dopen2                         (*tn_hdf5.H5Dopen2)
#define H5Dread                          (*tn_hdf5.H5Dread)
#define H5Dset_extent                    (*tn_hdf5.H5Dset_extent)
#define H5Dvlen_reclaim                  (*tn_hdf5.H5Dvlen_reclaim)
#define H5Dwrite                         (*tn_hdf5.H5Dwrite)
#define H5Eget_auto2                     (*tn_hdf5.H5Eget_auto2)
#define H5Eset_auto2                     (*tn_hdf5.H5Eset_auto2)
#define H5Ewalk2                         (*tn_hdf5.H5Ewalk2)
#define H5FDregister                     (*tn_hdf5.H5FDregister)
#define H5FDunregister                   (*tn_hdf5.H5FDunregister)
#define H5Fclose                         (*tn_hdf5.H5Fclose)
#define H5Fcreate                        (*tn_hdf5.H5Fcreate)
#define H5Fflush                         (*tn_hdf5.H5Fflush)
#define H5Fopen                          (*tn_hdf5.H5Fopen)
#define H5Gclose                         (*tn_hdf5.H5Gclose)
#define H5Gcreate2                       (*tn_hdf5.H5Gcreate2)
#define H5Lexists                        (*tn_hdf5.H5Lexists)
#define H5Pclose                         (*tn_hdf5.H5Pclose)
#define H5Pcreate                        (*tn_hdf5.H5Pcreate)
#define H5Pget_driver_info               (*tn_hdf5.H5Pget_driver_info)
#define H5Pset_chunk                     (*tn_hdf5.H5Pset_chunk)
#define H5Pset_create_intermediate_group (*tn_hdf5.H5Pset_create_intermediate_group)
#define H5Pset_driver                    (*tn_hdf5.H5Pset_driver)
#define H5Pset_obj_track_times           (*tn_hdf5.H5Pset_obj_track_times)
#define H5Sclose                         (*tn_hdf5.H5Sclose)
#define H5Screate_simple                 (*tn_hdf5.H5Screate_simple)
#define H5Sget_simple_extent_dims        (*tn_hdf5.H5Sget_simple_extent_dims)
#define H5Sget_simple_extent_npoints     (*tn_hdf5.H5Sget_simple_extent_npoints)
#define H5Sselect_hyperslab              (*tn_hdf5.H5Sselect_hyperslab)
#define H5Tclose                         (*tn_hdf5.H5Tclose)
#define H5Tcopy                          (*tn_hdf5.H5Tcopy)
#define H5Tset_cset                      (*tn_hdf5.H5Tset_cset)
#define H5Tset_size                      (*tn_hdf5.H5Tset_size)
#define H5check_version                  (*tn_hdf5.H5check_version)
#define H5open                           (*tn_hdf5.H5open)
#define H5P_CLS_DATASET_CREATE_ID_g      (*tn_hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g         (*tn_hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_LINK_CREATE_ID_g         (*tn_hdf5.H5P_CLS_LINK_CREATE_ID_g)
#define H5T_C_S1_g                       (*tn_hdf5.H5T_C_S1_g)
#define H5T_IEEE_F64LE_g                 (*tn_hdf5.H5T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g              (*tn_hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_INT32_g               (*tn_hdf5.H5T_NATIVE_INT32_g)
#define H5T_NATIVE_INT64_g               (*tn_hdf5.H5T_NATIVE_INT64_g)
#define H5T_NATIVE_INT8_g                (*tn_hdf5.H5T_NATIVE_INT8_g)
#define H5T_STD_I32LE_g                  (*tn_hdf5.H5T_STD_I32LE_g)
#define H5T_STD_I64LE_g                  (*tn_hdf5.H5T_STD_I64LE_g)
#define H5T_STD_I8LE_g                   (*tn_hdf5.H5T_STD_I8LE_g)
#endif

#endif
