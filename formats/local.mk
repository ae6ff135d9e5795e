# Importers and exporters.
libtracetool_la_SOURCES +=
