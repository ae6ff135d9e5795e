# Horovod.
libtracetool_la_SOURCES += \
	%D%/comm-names.c %D%/comm-names.h \
	%D%/horovod.c
