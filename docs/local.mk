# Documentation.
EXTRA_DIST += %D%/performance.md
EXTRA_DIST += %D%/schema.md
