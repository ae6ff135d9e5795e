# SPDX-License-Identifier: Apache-2.0
# OTF2: archives of Score-P, TAU, Extrae and others.
libtracetool_a_SOURCES += \
	%D%/ahead.c %D%/ahead.h \
	%D%/anchor.c %D%/anchor.h \
	%D%/bytes.h \
	%D%/chunks.c %D%/chunks.h \
	%D%/clock.c %D%/clock.h \
	%D%/definitions.c %D%/definitions.h \
	%D%/events.c %D%/events.h \
	%D%/facts.c %D%/facts.h \
	%D%/files.c %D%/files.h \
	%D%/kept.c %D%/kept.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/local-definitions.c %D%/local-definitions.h \
	%D%/location.c %D%/location.h \
	%D%/markers.c %D%/markers.h \
	%D%/metrics.c %D%/metrics.h \
	%D%/moments.c %D%/moments.h \
	%D%/names.c %D%/names.h \
	%D%/old-releases.c %D%/old-releases.h \
	%D%/collectives.c %D%/collectives.h \
	%D%/otf2.c \
	%D%/own.c %D%/own.h \
	%D%/reading.c %D%/reading.h \
	%D%/receives.c %D%/receives.h \
	%D%/session.h \
	%D%/times.c %D%/times.h \
	%D%/transfers.c %D%/transfers.h
