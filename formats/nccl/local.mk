# SPDX-License-Identifier: Apache-2.0
# NCCL.
libtracetool_a_SOURCES += \
	%D%/names.c %D%/names.h \
	%D%/nccl.c %D%/profiler.c \
	%D%/open-events.c %D%/open-events.h \
	%D%/xml.c %D%/xml.h
