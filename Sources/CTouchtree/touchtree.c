#include "touchtree.h"
