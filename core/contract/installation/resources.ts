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
      /** `30m`, `1h`, `1d`, or a number of seconds; the last hour when absent. */
      duration: Type.Optional(Type.String({ maxLength: 50 })),
      /** At most so many points in each series, 1000 when absent; neighbours are averaged where there are more. */
      points: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    }),
    output: Type.Object({
      /** Percent of all cores. As in all series, a time in which nothing was seen has no points. */
      cpu: Series,
      /** Percent of the memory that programs could not have. */
      memory: Series,
      /** Percent of the disk that holds the home. */
      disk: Series,
      /** Programs that ran or wanted to, mean of the last minute; empty on Windows. */
      load: Series,
      /** Time between two readings, seconds. */
      intervalSec: Type.Number(),
      /** What the percentages are of. */
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
      /** Whether its processes are looked at now. */
      active: Type.Boolean(),
      /** The newest reading of an active run; absent until there is one. */
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
      /** Of the processes seen; those that lived between two readings are missed. Absent when only the peaks are kept. */
      cpuSeconds: Type.Optional(Type.Number()),
      /** The peaks are kept with a run's end, for as long as the run. */
      peakCpu: Type.Number(),
      peakMemory: Type.Integer(),
      /** At most 120 for the whole run: mean of `cpu`, most of `memory` since the point before. */
      points: Type.Array(Type.Object({ timestamp: Timestamp, cpu: Type.Number(), memory: Type.Integer() })),
    }),
    errors: ['not_found', 'monitoring_off'],
    role: 'viewer',
  }),
};
