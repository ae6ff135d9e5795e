# SPDX-License-Identifier: Apache-2.0
# MXNet.
libtracetool_a_SOURCES += \
	%D%/dump.c %D%/dump.h \
	%D%/mxnet.c \
	%D%/names.c %D%/names.h \
	%D%/rules.c %D%/rules.h \
	%D%/symbol.c %D%/symbol.h
