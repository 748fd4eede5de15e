import type { RunEvent } from '../../model/run/run-event.ts';
import type { RunRecord } from '../../model/run/run.ts';
import type { RunStatus, StepStatus } from '../../model/run/status.ts';
import type { SpanParent } from '../trace.ts';
import type { SpanAttributes } from './span-record.ts';

/**
 * Returns span attributes of a run. Names starting with `cicd`, `process` and `error` are semantic conventions:
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/cicd/
 */
export const runAttributes = ({ name, dagRunId, trigger }: RunRecord): SpanAttributes => ({
  'cicd.pipeline.name': name,
  'cicd.pipeline.run.id': dagRunId,
  'cicd.pipeline.action.name': 'RUN',
  'stepwright.run.trigger': trigger,
});

/** Returns the attributes of an attempt or item. */
export const nodeAttributes = (
  { name, dagRunId }: RunRecord,
  { node, attempt, item, value, dir }: SpanParent & { readonly dir: string; readonly value?: string },
): SpanAttributes => ({
  'cicd.pipeline.name': name,
  'cicd.pipeline.run.id': dagRunId,
  'cicd.pipeline.task.name': node.name,
  'cicd.pipeline.task.run.id': `${dagRunId}/${dir}`,
  'stepwright.step.section': node.section,
  'stepwright.step.attempt': attempt,
  ...(item === undefined ? {} : { 'stepwright.step.item': item }),
  ...(value === undefined ? {} : { 'stepwright.step.item.value': value }),
});

/** End of a span; failed if `error` is set. */
interface SpanResult {
  readonly attributes: SpanAttributes;
  readonly error?: string;
}

/** Describes the end of an attempt or item. An attempt that is retried has failed; one that is repeated may have. */
export function describeEnd(
  event: Extract<
    RunEvent,
    { type: 'step.finished' | 'step.retry_scheduled' | 'step.repeat_scheduled' | 'step.item_finished' }
  >,
): SpanResult {
  const { exitCode, signal, error } = event;
  const status = 'status' in event ? event.status : statusOf(event);
  const attributes: SpanAttributes = {
    'cicd.pipeline.task.run.result': resultOf(status),
    'stepwright.step.status': status,
    ...(exitCode === undefined ? {} : { 'process.exit.code': exitCode }),
    ...(signal === undefined ? {} : { 'stepwright.step.signal': signal }),
  };
  if (status !== 'failed') return { attributes };
  const kind = signal ?? (exitCode === undefined ? '_OTHER' : `exit code ${exitCode}`);
  return {
    attributes: { ...attributes, 'error.type': kind },
    error: error ?? (exitCode === undefined ? (signal ?? 'failed') : `exit code ${exitCode}`),
  };
}

const statusOf = (end: {
  type: string;
  exitCode?: number;
  signal?: string;
  error?: string;
}): 'failed' | 'succeeded' =>
  end.type === 'step.retry_scheduled' ||
  end.error !== undefined ||
  end.signal !== undefined ||
  (end.exitCode ?? 0) !== 0
    ? 'failed'
    : 'succeeded';

/** Describes the end of a run. */
export function describeRunEnd(event: Extract<RunEvent, { type: 'run.finished' }>): SpanResult {
  const { status, error, cause } = event;
  const attributes: SpanAttributes = {
    'cicd.pipeline.result': cause === 'timeout' ? 'timeout' : cause === 'engine' ? 'error' : resultOf(status),
    'stepwright.run.status': status,
  };
  if (status !== 'failed') return { attributes };
  return { attributes: { ...attributes, 'error.type': cause ?? '_OTHER' }, error: error ?? 'failed' };
}

function resultOf(status: StepStatus | RunStatus): string {
  if (status === 'succeeded' || status === 'partially_succeeded') return 'success';
  return status === 'aborted' ? 'cancellation' : 'failure';
}
