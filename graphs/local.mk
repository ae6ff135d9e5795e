# The graph type and algorithms over it.
libtracetool_la_SOURCES +=
