# The export to TAU.
libtracetool_la_SOURCES += \
	%D%/items.c %D%/items.h \
	%D%/labels.c %D%/labels.h \
	%D%/numbers.c %D%/numbers.h \
	%D%/profile.c \
	%D%/tau-export.h \
	%D%/trace.c
