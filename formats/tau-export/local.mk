# SPDX-License-Identifier: Apache-2.0
# The export to TAU.
libtracetool_a_SOURCES += \
	%D%/labels.c %D%/labels.h \
	%D%/numbers.c %D%/numbers.h \
	%D%/profile.c \
	%D%/profile-files.c \
	%D%/profile-keys.c \
	%D%/profile-metrics.c \
	%D%/profile-private.h \
	%D%/tau-export.h \
	%D%/trace.c
