# Documentation.
EXTRA_DIST += %D%/performance.md
dist_man_MANS = %D%/tracetool.1
