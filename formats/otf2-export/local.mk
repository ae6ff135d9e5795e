# SPDX-License-Identifier: Apache-2.0
# The export to OTF2.
libtracetool_a_SOURCES += \
	%D%/archive.c %D%/otf2-export.h \
	%D%/attributes.c %D%/attributes.h \
	%D%/chunk-file.c %D%/chunk-file.h \
	%D%/communicators.c %D%/communicators.h \
	%D%/definition-records.c \
	%D%/definitions.c %D%/definitions.h %D%/definitions-private.h \
	%D%/events.c %D%/events.h \
	%D%/kept.c %D%/kept.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/posts.c %D%/posts.h \
	%D%/region-words.c %D%/region-words.h \
	%D%/uses.c
