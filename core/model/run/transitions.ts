import type { RunEvent } from './run-event.ts';
import type { RunStatus, StepStatus } from './status.ts';

/** Run statuses in which an event is legal; a store rejects it in others and changes nothing. */
export const runTransitions = {
  'run.created': [],
  'run.retried': ['succeeded', 'partially_succeeded', 'failed', 'aborted'],
  'run.started': ['not_started', 'queued', 'running'],
  'run.stop_requested': ['not_started', 'queued', 'running'],
  'run.finished': ['not_started', 'queued', 'running'],
} as const satisfies Partial<Record<RunEvent['type'], readonly RunStatus[]>>;

/** Step statuses in which an event is legal (`not_started` means a step without a record). */
export const stepTransitions = {
  'step.started': ['not_started', 'running'],
  'step.spawned': ['running'],
  'step.waiting': ['running'],
  'step.dispatched': ['running'],
  'step.approval_requested': ['running'],
  'step.sub_run': ['running'],
  'step.item_started': ['running'],
  'step.item_finished': ['running'],
  'step.retry_scheduled': ['running'],
  'step.repeat_scheduled': ['running'],
  'step.finished': ['running'],
  'step.ended': ['not_started', 'running'],
} as const satisfies Partial<Record<RunEvent['type'], readonly StepStatus[]>>;
