# SPDX-License-Identifier: Apache-2.0
# Horovod.
libtracetool_a_SOURCES += \
	%D%/horovod.c \
	%D%/names.c %D%/names.h \
	%D%/tensors.c %D%/tensors.h
