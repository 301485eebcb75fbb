#pragma once

// fcft's interface uses pixman's types. Taking them from the CPixman module keeps them one and the same type
// for an importer of both.
#include "../CPixman/shim.h"

#include <fcft/fcft.h>
