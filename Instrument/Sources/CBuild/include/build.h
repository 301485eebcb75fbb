#pragma once

/// The commit from which this program was built, with `+` behind it for uncommitted changes; empty for a build
/// without `make release`.
const char *touchtree_commit(void);
