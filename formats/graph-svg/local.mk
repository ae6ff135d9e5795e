# SPDX-License-Identifier: Apache-2.0
# Graphs as SVG, laid out here.
libtracetool_a_SOURCES += \
	%D%/graph-svg.c %D%/graph-svg.h \
	%D%/label.c %D%/label.h \
	%D%/graph-layout.c %D%/graph-layout.h \
	%D%/legend.c %D%/legend.h \
	%D%/phases.c %D%/phases.h \
	%D%/graph-places.c %D%/graph-places.h
