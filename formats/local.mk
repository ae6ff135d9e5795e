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
