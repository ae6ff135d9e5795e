# Graphs and parameters of models.
libtracetool_la_SOURCES += \
	%D%/gml.c %D%/gml.h \
	%D%/local-graph.c %D%/local-graph.h \
	%D%/parameters-metadata.c \
	%D%/parameters-private.h \
	%D%/parameters.c %D%/parameters.h
