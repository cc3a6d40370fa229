/* What libfyaml's configure would find out for wasi-libc. */
#define VERSION       "0.7.12"
#define HAVE_QSORT_R  0
#define HAVE_BYTESWAP 1
