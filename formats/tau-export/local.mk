# SPDX-License-Identifier: Apache-2.0
# The export to TAU.
libtracetool_la_SOURCES += \
	%D%/attached.c %D%/attached.h \
	%D%/item.h \
	%D%/items.c %D%/items.h \
	%D%/labels.c %D%/labels.h \
	%D%/numbers.c %D%/numbers.h \
	%D%/profile.c \
	%D%/profile-files.c \
	%D%/profile-keys.c \
	%D%/profile-metrics.c \
	%D%/profile-private.h \
	%D%/run.c %D%/run.h \
	%D%/tau-export.h \
	%D%/trace.c
