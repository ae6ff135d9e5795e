# SPDX-License-Identifier: Apache-2.0
# Neutrino's traces.
libtracetool_a_SOURCES += \
	%D%/areas.c %D%/areas.h \
	%D%/args.c %D%/args.h \
	%D%/decode.c %D%/decode.h \
	%D%/import.c \
	%D%/lanes.c %D%/lanes.h \
	%D%/launches.c %D%/launches.h \
	%D%/layout-private.h \
	%D%/layout-text.c \
	%D%/layout-toml.c \
	%D%/layout-words.c \
	%D%/layout.c %D%/layout.h \
	%D%/lines.c %D%/lines.h \
	%D%/log-launches.c \
	%D%/log-line.c \
	%D%/log-private.h \
	%D%/log.c %D%/log.h \
	%D%/map.c %D%/map.h \
	%D%/rows-args.c \
	%D%/rows-private.h \
	%D%/rows-timed.c \
	%D%/rows-untimed.c \
	%D%/rows.c %D%/rows.h \
	%D%/run.c %D%/run.h \
	%D%/tensors.c
