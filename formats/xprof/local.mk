# SPDX-License-Identifier: Apache-2.0
# XLA's profiler: JAX, TensorFlow 2.
libtracetool_a_SOURCES += \
	%D%/lines.c %D%/lines.h \
	%D%/operators.c %D%/operators.h \
	%D%/steps.c %D%/steps.h \
	%D%/xprof.c
