# SPDX-License-Identifier: Apache-2.0
# The graph type, algorithms over it, and the graphs of NCCL, schedules and training steps.
libtracetool_a_SOURCES += \
	%D%/edge-table.c %D%/edge-table.h \
	%D%/graph.c %D%/graph.h \
	%D%/igraph-view.c %D%/igraph-view.h \
	%D%/limit.c \
	%D%/longest-path.c %D%/longest-path.h \
	%D%/nccl/join.c \
	%D%/nccl/links.c %D%/nccl/links.h \
	%D%/nccl/nccl.c %D%/nccl/nccl.h \
	%D%/nccl/texts.c \
	%D%/order.c %D%/order.h \
	%D%/fold.c \
	%D%/reduce.c %D%/reduce.h \
	%D%/schedule/fair-share.c %D%/schedule/fair-share.h \
	%D%/schedule/schedule-private.h %D%/schedule/schedule-run.c %D%/schedule/schedule.c %D%/schedule/schedule.h \
	%D%/step-graph/builder.c %D%/step-graph/builder.h \
	%D%/step-graph/cycle.c \
	%D%/step-graph/name-parts.c %D%/step-graph/name-parts.h \
	%D%/step-graph/node-kind.c %D%/step-graph/node-kind.h \
	%D%/step-graph/path.c %D%/step-graph/path.h \
	%D%/step-graph/recording.c %D%/step-graph/recording.h \
	%D%/step-graph/replay-hold.c \
	%D%/step-graph/replay-order.c \
	%D%/step-graph/replay-private.h \
	%D%/step-graph/replay.c %D%/step-graph/replay.h \
	%D%/step-graph/servers.c \
	%D%/step-graph/step-graph.c %D%/step-graph/step-graph.h \
	%D%/step-graph/trail.c %D%/step-graph/trail.h \
	%D%/step-graph/transfers.c \
	%D%/transitive.c \
	%D%/via.c %D%/via.h \
	%D%/structure.c %D%/structure.h
