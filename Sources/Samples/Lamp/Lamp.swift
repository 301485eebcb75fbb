import CTouchtree
