# Importers and exporters.
libtracetool_la_SOURCES += \
	%D%/dot/dot.c %D%/dot/dot.h \
	%D%/dot/graph-json.c %D%/dot/graph-json.h \
	%D%/dot/render.c %D%/dot/render.h
