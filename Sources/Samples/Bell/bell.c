#include <touchtree.h>
