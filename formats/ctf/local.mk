# CTF.
libtracetool_la_SOURCES += \
	%D%/child.c %D%/child.h \
	%D%/decode-private.h \
	%D%/decode.c %D%/decode.h \
	%D%/devices.c \
	%D%/encode.c \
	%D%/event.h \
	%D%/facts.c \
	%D%/fields.c \
	%D%/frames.c %D%/frames.h \
	%D%/identity.c \
	%D%/import.c \
	%D%/layout.c %D%/layout.h \
	%D%/messages.c \
	%D%/metadata.c %D%/metadata.h \
	%D%/plan.c \
	%D%/reader.c %D%/reader.h \
	%D%/rules.c %D%/rules.h \
	%D%/session.h \
	%D%/spans.c \
	%D%/streams.c \
	%D%/view.c %D%/view.h
