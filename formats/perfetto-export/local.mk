# SPDX-License-Identifier: Apache-2.0
# The export to Perfetto's own format.
libtracetool_a_SOURCES += \
	%D%/annotations.c %D%/annotations.h \
	%D%/arrows.c \
	%D%/events.c \
	%D%/interned.c %D%/interned.h \
	%D%/names.c \
	%D%/packets.c %D%/packets.h \
	%D%/perfetto-export.c %D%/perfetto-export.h \
	%D%/places.c \
	%D%/wire.c %D%/wire.h \
	%D%/writer.h
