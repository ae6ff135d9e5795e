# Passes over the store.
libtracetool_la_SOURCES +=
