# SPDX-License-Identifier: Apache-2.0
# Nsight Systems of NVIDIA: reports exported to SQLite.
libtracetool_a_SOURCES += \
	%D%/device.c %D%/device.h \
	%D%/host.c %D%/host.h \
	%D%/labels.c %D%/labels.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/measures.c %D%/measures.h \
	%D%/mpi.c %D%/mpi.h \
	%D%/names.c %D%/names.h \
	%D%/nsys.c \
	%D%/nvtx.c %D%/nvtx.h \
	%D%/samples.c %D%/samples.h \
	%D%/session.c %D%/session.h
