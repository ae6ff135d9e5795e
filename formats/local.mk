# Importers and exporters.
libtracetool_la_SOURCES += \
	%D%/exporter.c %D%/exporter.h \
	%D%/chrome/args.c \
	%D%/chrome/chrome.h \
	%D%/chrome/collect.c \
	%D%/chrome/ends.c \
	%D%/chrome/exporter.c \
	%D%/chrome/format.c \
	%D%/chrome/fragment.c \
	%D%/chrome/halves.c \
	%D%/chrome/limit.c \
	%D%/chrome/message.c \
	%D%/chrome/numbering.c \
	%D%/chrome/write.c
	%D%/dot/dot.c %D%/dot/dot.h \
	%D%/dot/graph-json.c %D%/dot/graph-json.h \
	%D%/dot/render.c %D%/dot/render.h
