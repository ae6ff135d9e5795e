# SPDX-License-Identifier: Apache-2.0
# TensorFlow.
libtracetool_a_SOURCES += \
	%D%/devices.c %D%/devices.h \
	%D%/graph.c %D%/graph.h \
	%D%/lane-roles.c %D%/lane-roles.h \
	%D%/names.c %D%/names.h \
	%D%/operators.h \
	%D%/profile.c \
	%D%/tensorflow.c \
	%D%/timeline.c %D%/timeline.h
