#include "build.h"

#define TEXT(word) #word
#define TEXT_OF(macro) TEXT(macro)

const char *touchtree_commit(void) {
#ifdef TOUCHTREE_COMMIT
  return TEXT_OF(TOUCHTREE_COMMIT);
#else
  return "";
#endif
}
