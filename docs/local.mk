# Documentation.
EXTRA_DIST += %D%/performance.md
