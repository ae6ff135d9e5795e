# SPDX-License-Identifier: Apache-2.0
# rocprofv3 of ROCm.
libtracetool_a_SOURCES += \
	%D%/args.c %D%/args.h \
	%D%/counters.c %D%/counters.h \
	%D%/facts-read.c \
	%D%/facts-private.h \
	%D%/facts.c %D%/facts.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/record.c %D%/record.h \
	%D%/rocprof.c \
	%D%/rows-common.c \
	%D%/rows-device.c \
	%D%/rows-private.h \
	%D%/rows.c %D%/rows.h \
	%D%/walk.c %D%/walk.h
