# The graph type and algorithms over it.
libtracetool_la_SOURCES += \
	%D%/edge-table.c %D%/edge-table.h \
	%D%/graph.c %D%/graph.h \
	%D%/longest-path.c %D%/longest-path.h \
	%D%/order.c %D%/order.h \
	%D%/reduce.c %D%/reduce.h \
	%D%/write-igraph.c %D%/write-igraph.h
