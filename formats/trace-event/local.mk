# Trace-event JSON: what all its dialects share.
libtracetool_la_SOURCES += \
	%D%/clues.c %D%/clues.h \
	%D%/dialect.h \
	%D%/ids.c %D%/ids.h \
	%D%/import.c %D%/import.h \
	%D%/look-ahead.c %D%/look-ahead.h \
	%D%/operator-rows.c %D%/operator-rows.h \
	%D%/operators.h \
	%D%/own-args.c %D%/own-args.h \
	%D%/places.c \
	%D%/probe.c %D%/probe.h \
	%D%/put-facts.c \
	%D%/put.c %D%/put.h \
	%D%/reader.c %D%/reader.h \
	%D%/standard-name.c %D%/standard-name.h \
	%D%/trace-lines.c %D%/trace-lines.h
