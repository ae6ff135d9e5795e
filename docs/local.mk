# Documentation.
EXTRA_DIST += %D%/schema.md
