"""Loads the library of a record with everything bound, as the worker does, and prints its entries."""

import ctypes
import json
import os
import sys

import torch  # noqa: F401  The library's symbols are found among torch's.


class Entry(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("type", ctypes.c_char_p)]


record = json.load(open(sys.argv[1]))
library = ctypes.CDLL(record["build"]["library"], mode=os.RTLD_NOW)
library.cupel_adapter_abi.restype = ctypes.c_char_p
print(library.cupel_adapter_abi().decode())
for entry in (Entry * 8).in_dll(library, "cupel_entries"):
    if not entry.name:
        break
    print(entry.name.decode(), entry.type.decode())
