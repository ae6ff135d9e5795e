# Documentation.
