# SPDX-License-Identifier: Apache-2.0
# Kernels of GPUs: run here, and added to.
libtracetool_a_SOURCES += \
	%D%/gcn/access.c \
	%D%/gcn/decode.c \
	%D%/gcn/integer.c \
	%D%/gcn/launch.c %D%/gcn/launch.h \
	%D%/gcn/machine.h \
	%D%/gcn/memory.c \
	%D%/gcn/operation.h \
	%D%/gcn/real.c \
	%D%/gcn/registers.c \
	%D%/gcn/scalar.c \
	%D%/gcn/vector.c \
	%D%/gcn/waits.c \
	%D%/regions.c %D%/regions.h \
	%D%/run/access.c \
	%D%/run/arguments.c %D%/run/arguments.h \
	%D%/run/control.c \
	%D%/run/convert.c \
	%D%/run/decode.c \
	%D%/run/group.c \
	%D%/run/instructions.h \
	%D%/run/integer.c \
	%D%/run/launch.c %D%/run/launch.h \
	%D%/run/machine.h \
	%D%/run/matrix.c \
	%D%/run/memory.c \
	%D%/run/opcodes.c \
	%D%/run/real.c %D%/run/real.h \
	%D%/run/schedule.c \
	%D%/run/values.c \
	%D%/run/words.c \
	%D%/weave/edits.c %D%/weave/edits.h \
	%D%/weave/floats.c %D%/weave/floats.h \
	%D%/weave/gcn-begin.c %D%/weave/gcn-begin.h \
	%D%/weave/gcn-describe.c %D%/weave/gcn-describe.h \
	%D%/weave/gcn-floats.c \
	%D%/weave/gcn-flow.c %D%/weave/gcn-flow.h \
	%D%/weave/gcn-frame.c %D%/weave/gcn-frame.h \
	%D%/weave/gcn-operands.c %D%/weave/gcn-operands.h \
	%D%/weave/gcn-text.c %D%/weave/gcn-text.h \
	%D%/weave/gcn-weave.c %D%/weave/gcn-weave.h \
	%D%/weave/heading.c %D%/weave/heading.h \
	%D%/weave/operands.c %D%/weave/operands.h \
	%D%/weave/place.c %D%/weave/place.h \
	%D%/weave/probe.c %D%/weave/probe.h \
	%D%/weave/records.c %D%/weave/records.h \
	%D%/weave/text.c %D%/weave/text.h \
	%D%/weave/weave.c %D%/weave/weave.h
# What runs inside programs of CUDA: plain C, preloaded.
pkglib_LTLIBRARIES = libtracetool-probe-record.la
libtracetool_probe_record_la_SOURCES = \
	%D%/record/driver.h \
	%D%/record/graphs.c \
	%D%/record/hooks.c \
	%D%/record/image.c \
	%D%/record/launches.c \
	%D%/record/lists.c \
	%D%/record/modules.c \
	%D%/record/plan.c \
	%D%/record/record.h \
	%D%/record/session.c
libtracetool_probe_record_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_probe_record_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_probe_record_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_probe_record_la_LIBADD = -ldl -lpthread
