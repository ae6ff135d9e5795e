# SPDX-License-Identifier: Apache-2.0
# The export to Perfetto's own format.
libtracetool_la_SOURCES += \
	%D%/annotations.c %D%/annotations.h \
	%D%/interned.c %D%/interned.h \
	%D%/packets.c %D%/packets.h \
	%D%/wire.c %D%/wire.h
