# NCCL.
libtracetool_la_SOURCES += \
	%D%/nccl.c \
	%D%/xml.c %D%/xml.h
