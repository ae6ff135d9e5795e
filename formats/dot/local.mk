# SPDX-License-Identifier: Apache-2.0
# DOT, GML, GraphML and JSON of graphs.
libtracetool_a_SOURCES += \
	%D%/dot.c %D%/dot.h \
	%D%/graph-columns.c %D%/graph-columns.h \
	%D%/graph-gml.c %D%/graph-gml.h \
	%D%/graph-graphml.c %D%/graph-graphml.h \
	%D%/graph-json.c %D%/graph-json.h \
	%D%/nccl-dot.c %D%/nccl-dot.h \
	%D%/render.c %D%/render.h \
	%D%/topology-dot.c %D%/topology-dot.h \
	%D%/trail-gml.c %D%/trail-gml.h
