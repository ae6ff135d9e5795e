# SPDX-License-Identifier: Apache-2.0
# Graphs and parameters of models.
libtracetool_a_SOURCES += \
	%D%/gml.c %D%/gml.h \
	%D%/local-graph.c %D%/local-graph.h \
	%D%/parameters-lists.c %D%/parameters-lists.h \
	%D%/parameters-metadata.c %D%/parameters-metadata.h \
	%D%/parameters-table.c %D%/parameters-table.h \
	%D%/parameters.c %D%/parameters.h \
	%D%/tensor-names.c %D%/tensor-names.h
