# SPDX-License-Identifier: Apache-2.0
# Importers, exporters and other file languages, a folder a source.
libtracetool_a_SOURCES += \
	%D%/dialects.c %D%/dialects.h \
	%D%/format.h \
	%D%/formats.c %D%/formats.h \
	%D%/input-set.c %D%/input-set.h \
	%D%/plan.c %D%/plan.h
include formats/byteps/local.mk
include formats/chrome/local.mk
include formats/chrome-export/local.mk
include formats/ctf/local.mk
include formats/dot/local.mk
include formats/gcn/local.mk
include formats/graph-svg/local.mk
include formats/horovod/local.mk
include formats/job/local.mk
include formats/json/local.mk
include formats/kineto/local.mk
include formats/xprof/local.mk
include formats/model/local.mk
include formats/mxnet/local.mk
include formats/nccl/local.mk
include formats/neutrino/local.mk
include formats/neutrino-trace/local.mk
include formats/otf2/local.mk
include formats/otf2-export/local.mk
include formats/perfetto-export/local.mk
include formats/nsys/local.mk
include formats/pi/local.mk
include formats/pinsight/local.mk
include formats/ptx/local.mk
include formats/record-export/local.mk
include formats/rocprof/local.mk
include formats/stack-export/local.mk
include formats/tau/local.mk
include formats/tau-export/local.mk
include formats/tensorflow/local.mk
include formats/trace-event/local.mk
