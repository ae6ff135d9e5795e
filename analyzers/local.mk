# Passes over the store.
libtracetool_la_SOURCES += \
	%D%/tally.c %D%/tally.h
	%D%/critical-path.c %D%/critical-path.h \
	%D%/dep-around.c \
	%D%/dep-graph.c %D%/dep-graph.h \
	%D%/measured-path.c %D%/measured-path.h \
	%D%/op-table.c %D%/op-table.h \
	%D%/path-points.c %D%/path-points.h \
	%D%/span-links.c %D%/span-links.h \
	%D%/span-tree.c %D%/span-tree.h
