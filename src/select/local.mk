# SPDX-License-Identifier: Apache-2.0
# What commands, analyzers and exporters choose with.
libtracetool_a_SOURCES += \
	%D%/filter.c %D%/filter.h \
	%D%/hint.c \
	%D%/pattern.c %D%/pattern.h \
	%D%/selection.c %D%/selection.h
