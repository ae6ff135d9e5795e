# The export to Chrome trace JSON.
libtracetool_la_SOURCES += \
	%D%/args.c \
	%D%/collect.c \
	%D%/ends.c \
	%D%/exporter.c \
	%D%/flow.c \
	%D%/format.c \
	%D%/fragment.c \
	%D%/halves.c \
	%D%/kept-args.c \
	%D%/limit.c \
	%D%/message.c \
	%D%/numbering.c \
	%D%/owners.c \
	%D%/private.h \
	%D%/stream.c \
	%D%/write.c
