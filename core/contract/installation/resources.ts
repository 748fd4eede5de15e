import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { DagName, RunId, Timestamp } from '../runs/run-views.ts';

const Series = Type.Array(Type.Object({ timestamp: Timestamp, value: Type.Number() }));

export const resourceOperations = {
  'services.resourceHistory': defineOperation({
    summary: 'Get CPU, memory, disk and load of the machine over time',
    method: 'GET',
    path: '/services/resources/history',
    input: Type.Object({
      /** `30m`, `1h`, `1d`, or a number of seconds. Default: the last hour. */
      duration: Type.Optional(Type.String({ maxLength: 50 })),
      /** Maximum number of points per series, by default 1000; adjacent points are averaged if there are more. */
      points: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    }),
    output: Type.Object({
      /** Percent of all cores. In every series, times without readings have no points. */
      cpu: Series,
      /** Percent of memory that is not available to programs. */
      memory: Series,
      /** Percent of the disk that contains the home. */
      disk: Series,
      /** Load average of the last minute; empty on Windows. */
      load: Series,
      /** Interval of the readings in seconds. */
      intervalSec: Type.Number(),
      /** Totals that the percentages refer to. */
      machine: Type.Object({
        cores: Type.Integer(),
        memoryBytes: Type.Integer(),
        /** Absent until it is known. */
        diskBytes: Type.Optional(Type.Integer()),
      }),
    }),
    errors: ['monitoring_off'],
    role: 'viewer',
  }),
  'runs.usage': defineOperation({
    summary: 'Get CPU and memory of the processes of a run, including sub-runs',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/usage',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      /** Whether its processes are monitored now. */
      active: Type.Boolean(),
      /** The latest reading of an active run; absent until there is one. */
      now: Type.Optional(
        Type.Object({
          timestamp: Timestamp,
          /** Percent of all cores. */
          cpu: Type.Number(),
          /** Bytes. */
          memory: Type.Integer(),
          processes: Type.Integer(),
        }),
      ),
      /**
       * CPU time of the observed processes, without those that existed only between two readings. Absent if only the
       * peaks are stored.
       */
      cpuSeconds: Type.Optional(Type.Number()),
      /** The peaks are stored when a run ends, and deleted with the run. */
      peakCpu: Type.Number(),
      peakMemory: Type.Integer(),
      /** At most 120 for the whole run: mean of `cpu` and maximum of `memory` since the previous point. */
      points: Type.Array(Type.Object({ timestamp: Timestamp, cpu: Type.Number(), memory: Type.Integer() })),
    }),
    errors: ['not_found', 'monitoring_off'],
    role: 'viewer',
  }),
};
