# SPDX-License-Identifier: Apache-2.0
# BytePS.
libtracetool_a_SOURCES += \
	%D%/byteps.c \
	%D%/names.c %D%/names.h \
	%D%/transfers.c %D%/transfers.h
