# SPDX-License-Identifier: Apache-2.0
# Charts as SVG: they take plain numbers and know nothing of traces.
libtracetool_a_SOURCES += \
	%D%/axis.c %D%/axis.h \
	%D%/bars.c %D%/bars.h \
	%D%/flame.c %D%/flame.h \
	%D%/frame.c %D%/frame.h \
	%D%/heat.c %D%/heat.h \
	%D%/histogram.c %D%/histogram.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/lines.c %D%/lines.h \
	%D%/log-scale.c %D%/log-scale.h \
	%D%/page-map.c %D%/page-map.h \
	%D%/panels.c %D%/panels.h \
	%D%/roofline-private.h %D%/roofline-text.c %D%/roofline.c %D%/roofline.h \
	%D%/shades.c %D%/shades.h \
	%D%/svg.c %D%/svg.h \
	%D%/text.c %D%/text.h
