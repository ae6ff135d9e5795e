# SPDX-License-Identifier: Apache-2.0
# Chrome's own traces, and the exports of tracetool.
libtracetool_a_SOURCES += \
	%D%/chrome.c \
	%D%/standard.c \
	%D%/standard-names.c \
	%D%/standard-names.h
