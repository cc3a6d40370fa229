/* No terminals here: just enough for libfyaml to ask for one and be told so. */
#pragma once
#include <errno.h>
struct termios {
    unsigned c_lflag, c_cc[32];
};
enum { TCSANOW, ICANON = 2, ECHO = 8, CREAD = 128, VMIN = 6, VTIME = 5 };
static inline int tcgetattr(int fd, struct termios *t)
{
    (void)fd;
    (void)t;
    errno = ENOTTY;
    return -1;
}
static inline int tcsetattr(int fd, int when, const struct termios *t)
{
    (void)fd;
    (void)when;
    (void)t;
    errno = ENOTTY;
    return -1;
}
