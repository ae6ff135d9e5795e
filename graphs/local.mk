# The graph type and algorithms over it.
libtracetool_la_SOURCES += %D%/edge-table.c %D%/edge-table.h
libtracetool_la_SOURCES += %D%/graph.c %D%/graph.h
libtracetool_la_SOURCES += %D%/longest-path.c %D%/longest-path.h
libtracetool_la_SOURCES += %D%/order.c %D%/order.h
libtracetool_la_SOURCES += %D%/reduce.c %D%/reduce.h
libtracetool_la_SOURCES += %D%/write-igraph.c %D%/write-igraph.h
libtracetool_la_SOURCES += %D%/trail.c %D%/trail.h
libtracetool_la_SOURCES += %D%/nccl.c %D%/nccl.h
libtracetool_la_SOURCES += %D%/nccl-private.h %D%/nccl-texts.c
libtracetool_la_SOURCES += %D%/schedule.c %D%/schedule.h
libtracetool_la_SOURCES += %D%/schedule-heap.c %D%/schedule-heap.h
libtracetool_la_SOURCES += %D%/job-graph.c %D%/job-graph.h
libtracetool_la_SOURCES += %D%/job-graph-cycle.c %D%/job-graph-private.h
libtracetool_la_SOURCES += %D%/job-graph-servers.c %D%/job-graph-transfers.c
libtracetool_la_SOURCES += %D%/job-replay.c %D%/job-replay.h
libtracetool_la_SOURCES += %D%/job-replay-order.c %D%/job-replay-private.h
libtracetool_la_SOURCES += %D%/job-path.c %D%/job-path.h
