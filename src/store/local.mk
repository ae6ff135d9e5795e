# Everything SQLite: schema, import, scans, joins.
libtracetool_la_SOURCES += \
	%D%/connection.c %D%/connection.h \
	%D%/definitions.c \
	%D%/each.c \
	%D%/graph.c \
	%D%/import/args.c %D%/import/args.h \
	%D%/import/collective.c \
	%D%/import/flow.c \
	%D%/import/import.c %D%/import/import.h \
	%D%/import/insert.c %D%/import/insert.h \
	%D%/import/join.c %D%/import/join.h \
	%D%/import/rows.c \
	%D%/import/sink.c \
	%D%/names.c \
	%D%/nccl.c \
	%D%/private.h \
	%D%/query.c \
	%D%/scan.c \
	%D%/schema.c %D%/schema.h \
	%D%/statistics.c \
	%D%/store.c %D%/store.h
