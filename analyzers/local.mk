# Passes over the store.
libtracetool_la_SOURCES += \
	%D%/tally.c %D%/tally.h
