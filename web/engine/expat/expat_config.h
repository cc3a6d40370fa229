/* What expat's configure would find out for wasi-libc. */
#define BYTEORDER         1234
#define HAVE_MEMMOVE      1
#define HAVE_UNISTD_H     1
#define XML_CONTEXT_BYTES 1024
/* The salt of its tables of names is set by src/import/xml: none is drawn. */
#define HAVE_ARC4RANDOM 1
static inline unsigned arc4random(void)
{
    return 1;
}
