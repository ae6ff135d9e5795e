# Command line, store, names, events, nest, sink.
tracetool_SOURCES += %D%/main.c
libtracetool_la_SOURCES += \
	%D%/batch.c %D%/batch.h \
	%D%/error.c %D%/error.h \
	%D%/event.c %D%/event.h \
	%D%/input.c %D%/input.h \
	%D%/int128.h \
	%D%/nest.c %D%/nest.h \
	%D%/output.c %D%/output.h \
	%D%/progress.c %D%/progress.h \
	%D%/repairs.c %D%/repairs.h \
	%D%/report.c %D%/report.h %D%/report-private.h \
	%D%/report-data.c \
	%D%/report-table.c \
	%D%/report-terminal.c \
	%D%/selection.c %D%/selection.h \
	%D%/selection-filter.c %D%/selection-filter.h \
	%D%/sink.c %D%/sink.h \
	%D%/sink-wrap.c \
	%D%/sorter.c %D%/sorter.h \
	%D%/spill.c %D%/spill.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/units.c %D%/units.h
