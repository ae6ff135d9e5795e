# SPDX-License-Identifier: Apache-2.0
# A run as records in the order of time, for the exports whose formats have such (TAU, OTF2).
libtracetool_a_SOURCES += \
	%D%/attached.c %D%/attached.h \
	%D%/back.c %D%/back.h \
	%D%/details.c %D%/details.h \
	%D%/item.h \
	%D%/items.c %D%/items.h \
	%D%/run.c %D%/run.h
