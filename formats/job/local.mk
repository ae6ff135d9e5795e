# Directories of training jobs.
libtracetool_la_SOURCES += \
	%D%/byteps.c \
	%D%/clock.c \
	%D%/comm.c \
	%D%/horovod.c \
	%D%/job.c \
	%D%/layout.c %D%/layout.h \
	%D%/model.c \
	%D%/operators.c \
	%D%/private.h \
	%D%/side-files.c %D%/side-files.h \
	%D%/temp-operators.c %D%/temp-operators.h
