# Passes over the store.
libtracetool_la_SOURCES += \
	%D%/pass.c %D%/pass.h \
	%D%/statistics.c \
	%D%/tally.c %D%/tally.h
