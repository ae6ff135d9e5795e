# Passes over the store.
libtracetool_la_SOURCES += \
	%D%/comm.c %D%/comm.h \
	%D%/event-stats.c %D%/event-stats.h \
	%D%/grouping.c %D%/grouping.h \
	%D%/metric-tally.c %D%/metric-tally.h \
	%D%/name2sta.c %D%/name2sta.h \
	%D%/open-groups.c %D%/open-groups.h \
	%D%/span-feed.c %D%/span-feed.h \
	%D%/tally.c %D%/tally.h
libtracetool_la_SOURCES += %D%/critical-path.c %D%/critical-path.h
libtracetool_la_SOURCES += %D%/dep-around.c
libtracetool_la_SOURCES += %D%/dep-graph.c %D%/dep-graph.h
libtracetool_la_SOURCES += %D%/measured-path.c %D%/measured-path.h
libtracetool_la_SOURCES += %D%/op-table.c %D%/op-table.h
libtracetool_la_SOURCES += %D%/path-points.c %D%/path-points.h
libtracetool_la_SOURCES += %D%/span-links.c %D%/span-links.h
libtracetool_la_SOURCES += %D%/span-tree.c %D%/span-tree.h
libtracetool_la_SOURCES += %D%/tally.c %D%/tally.h
