import type { Labels, NewTask, WorkerHello } from '../../../../../core/distributed/ports.ts';

/** A task as a host offers it. */
export const newTask = (key: string, changes: Partial<NewTask> = {}): NewTask => ({
  key,
  runKey: 1,
  run: { name: 'etl', dagRunId: 'r1' },
  step: 'load',
  selector: {},
  priority: 0,
  payload: `{"key":"${key}"}`,
  place: `/logs/${key}`,
  ...changes,
});

/** A worker as it reports. */
export const hello = (id: string, labels: Labels = {}, changes: Partial<WorkerHello> = {}): WorkerHello => ({
  id,
  labels,
  slots: 10,
  version: '1.0.0',
  host: `host-of-${id}`,
  pid: 7,
  keeps: [],
  ...changes,
});

/** A coordinator's sign of life. */
export const coordinator = {
  id: 'c1',
  url: 'https://c1',
  version: '1.0.0',
  host: 'm1',
  pid: 1,
  workers: 0,
} as const;
