# Importers and exporters.
libtracetool_la_SOURCES += \
	%D%/format.c %D%/format.h \
	%D%/tau/edf.c %D%/tau/edf.h \
	%D%/tau/ids.c %D%/tau/ids.h \
	%D%/tau/import.c \
	%D%/tau/layout.c %D%/tau/layout.h \
	%D%/tau/pairs.c %D%/tau/pairs.h \
	%D%/tau/stream.c %D%/tau/stream.h \
	%D%/tau/tau-name.c %D%/tau/tau-name.h \
	%D%/tau/threads.c %D%/tau/threads.h
libtracetool_la_SOURCES += %D%/chrome/args.c
libtracetool_la_SOURCES += %D%/chrome/chrome.h
libtracetool_la_SOURCES += %D%/chrome/collect.c
libtracetool_la_SOURCES += %D%/chrome/ends.c
libtracetool_la_SOURCES += %D%/chrome/exporter.c
libtracetool_la_SOURCES += %D%/chrome/format.c
libtracetool_la_SOURCES += %D%/chrome/fragment.c
libtracetool_la_SOURCES += %D%/chrome/halves.c
libtracetool_la_SOURCES += %D%/chrome/limit.c
libtracetool_la_SOURCES += %D%/chrome/message.c
libtracetool_la_SOURCES += %D%/chrome/numbering.c
libtracetool_la_SOURCES += %D%/chrome/write.c
libtracetool_la_SOURCES += %D%/dot/dot.c %D%/dot/dot.h
libtracetool_la_SOURCES += %D%/dot/graph-json.c %D%/dot/graph-json.h
libtracetool_la_SOURCES += %D%/dot/render.c %D%/dot/render.h
libtracetool_la_SOURCES += %D%/exporter.c %D%/exporter.h
