# Passes over the store.
libtracetool_la_SOURCES += %D%/comm.c %D%/comm.h
libtracetool_la_SOURCES += %D%/critical-path.c %D%/critical-path.h
libtracetool_la_SOURCES += %D%/dep-around.c
libtracetool_la_SOURCES += %D%/dep-graph.c %D%/dep-graph.h
libtracetool_la_SOURCES += %D%/event-stats.c %D%/event-stats.h
libtracetool_la_SOURCES += %D%/grouping.c %D%/grouping.h
libtracetool_la_SOURCES += %D%/measured-path.c %D%/measured-path.h
libtracetool_la_SOURCES += %D%/metric-tally.c %D%/metric-tally.h
libtracetool_la_SOURCES += %D%/name2sta.c %D%/name2sta.h
libtracetool_la_SOURCES += %D%/op-table.c %D%/op-table.h
libtracetool_la_SOURCES += %D%/open-groups.c %D%/open-groups.h
libtracetool_la_SOURCES += %D%/path-points.c %D%/path-points.h
libtracetool_la_SOURCES += %D%/span-feed.c %D%/span-feed.h
libtracetool_la_SOURCES += %D%/span-links.c %D%/span-links.h
libtracetool_la_SOURCES += %D%/span-tree.c %D%/span-tree.h
libtracetool_la_SOURCES += %D%/tally.c %D%/tally.h
libtracetool_la_SOURCES += \
	%D%/pass.c %D%/pass.h \
	%D%/statistics.c \
	%D%/tally.c %D%/tally.h
