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
