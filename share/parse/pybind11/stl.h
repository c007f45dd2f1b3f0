// Conversions that nobody makes: see pybind11.h beside this file.
#pragma once
#include <pybind11/pybind11.h>
