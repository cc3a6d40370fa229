"""The C library as cffi has it: tn_... functions and TN_... constants, made from the public headers."""

from typing import Any

ffi: Any
lib: Any
