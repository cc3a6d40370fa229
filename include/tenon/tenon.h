/* tenon.h: includes all headers of the core library. */
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include "tenon/status.h"
#include "tenon/version.h"
#include "tenon/limits.h"
#include "tenon/math.h"
#include "tenon/function.h"
#include "tenon/ids.h"
#include "tenon/shape.h"
#include "tenon/body.h"
#include "tenon/joint.h"
#include "tenon/connection.h"
#include "tenon/simulation.h"
#include "tenon/spec.h"
#include "tenon/beam.h"
#include "tenon/parameter.h"
#include "tenon/model.h"
#include "tenon/sim.h"
#include "tenon/solid.h"
#include "tenon/stress.h"
#include "tenon/coords.h"
#include "tenon/results.h"
#include "tenon/analysis.h"
#include "tenon/lint.h"
#include "tenon/draw.h"
#include "tenon/drive.h"
#include "tenon/load.h"
#include "tenon/measure.h"
#include "tenon/batch.h"

#endif
