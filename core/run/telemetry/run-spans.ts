import type { NodeId, RunEvent } from '../../model/run-event.ts';
import type { RunTrace, RunRecord, RunStatus, StepStatus, SpanLink } from '../../model/run.ts';
import { attemptTrace, type SpanParent } from './trace.ts';

/** An open span: an attempt or an item. */
interface OpenSpan {
  readonly parentRef: SpanParent;
  readonly startedAt: number;
  readonly attributes: SpanAttributes;
  readonly events: SpanEvent[];
}

type Ended = Extract<
  RunEvent,
  {
    type: 'step.finished' | 'step.retry_scheduled' | 'step.repeat_scheduled' | 'step.item_finished';
  }
>;

/** Creates spans from the events of a run: for the run, each attempt of a step, and each item. */
export class RunSpans {
  readonly #run: RunRecord;
  readonly #trace: RunTrace;
  readonly #add: (span: SpanRecord) => void;
  #startedAt: number | undefined;
  readonly #open = new Map<string, OpenSpan>();
  readonly #events: SpanEvent[] = [];

  /** @param add called with each ended span */
  constructor(run: RunRecord, trace: RunTrace, add: (span: SpanRecord) => void) {
    this.#run = run;
    this.#trace = trace;
    this.#add = add;
  }

  /** Processes an event, with masked secrets. */
  note(at: number, event: RunEvent): void {
    switch (event.type) {
      case 'run.started':
        this.#startedAt = at;
        return;
      case 'step.started':
        return this.#begin(at, event, nodeAttributes(this.#run, event));
      case 'step.item_started':
        return this.#begin(at, event, nodeAttributes(this.#run, event));
      case 'step.spawned':
        Object.assign(this.#find(event)?.attributes ?? {}, { 'process.pid': event.pid });
        return;
      case 'step.waiting':
        return;
      case 'step.dispatched':
        Object.assign(this.#find(event)?.attributes ?? {}, {
          'stepwright.worker': event.worker,
          'stepwright.worker.host': event.host,
        });
        return;
      case 'step.sub_run':
        return this.#recordSubRun(at, event);
      case 'step.item_finished':
      case 'step.finished':
      case 'step.retry_scheduled':
      case 'step.repeat_scheduled':
        return this.#end(at, event);
      case 'step.ended':
        return this.#recordOnRun(at, `step ${event.status}`, {
          'cicd.pipeline.task.name': event.node.name,
          'stepwright.reason': event.reason,
        });
      case 'run.message':
        return this.#recordOnRun(at, event.level, { 'stepwright.message': event.message });
      case 'run.finished':
        return this.#endRun(at, event);
      default:
        return;
    }
  }

  #begin(at: number, parentRef: SpanParent, attributes: SpanAttributes): void {
    this.#open.set(getKey(parentRef), { parentRef, startedAt: at, attributes, events: [] });
  }

  #find(parentRef: SpanParent): OpenSpan | undefined {
    return this.#open.get(getKey(parentRef));
  }

  /** Notes that the newest attempt or item of the node has started a sub-run. */
  #recordSubRun(at: number, event: Extract<RunEvent, { type: 'step.sub_run' }>): void {
    const { node, item, name, dagRunId } = event;
    const span = [...this.#open.values()].findLast(
      ({ parentRef }) => isSame(parentRef.node, node) && parentRef.item === item,
    );
    const attributes = { 'cicd.pipeline.name': name, 'cicd.pipeline.run.id': dagRunId };
    span?.events.push({ name: 'sub-run started', at, attributes });
  }

  #recordOnRun(at: number, name: string, attributes: SpanAttributes): void {
    this.#events.push({ name, at, attributes });
  }

  #end(at: number, event: Ended): void {
    const span = this.#find(event);
    if (span === undefined) return;
    this.#open.delete(getKey(event));
    const { parentRef, startedAt, attributes, events } = span;
    const end = toStepResult(event);
    if ('dueAt' in event) {
      const name = event.type === 'step.retry_scheduled' ? 'retry scheduled' : 'repetition scheduled';
      events.push({ name, at, attributes: { 'stepwright.due': new Date(event.dueAt).toISOString() } });
    }
    const { traceId, spanId, state } = attemptTrace(this.#trace, parentRef);
    const { node, attempt, item } = parentRef;
    const parent = item === undefined ? this.#trace : attemptTrace(this.#trace, { node, attempt });
    this.#add({
      traceId,
      spanId,
      state,
      parentSpanId: parent.spanId,
      name: item === undefined ? node.name : `${node.name} item ${item}`,
      kind: 'internal',
      startedAt,
      endedAt: at,
      attributes: { ...attributes, ...end.attributes },
      error: end.error,
      events,
      links: [],
    });
  }

  #endRun(at: number, event: Extract<RunEvent, { type: 'run.finished' }>): void {
    const { traceId, spanId, parentSpanId, state, links = [] } = this.#trace;
    const end = toRunResult(event);
    this.#add({
      traceId,
      spanId,
      parentSpanId,
      state,
      name: `RUN ${this.#run.name}`,
      kind: this.#run.parent === undefined ? 'server' : 'internal',
      startedAt: this.#startedAt ?? at,
      endedAt: at,
      attributes: { ...runAttributes(this.#run), ...end.attributes },
      error: end.error,
      events: this.#events,
      links,
    });
  }
}

const getKey = ({ node, attempt, item }: SpanParent): string =>
  JSON.stringify([node.section, node.name, attempt, item ?? 0]);

const isSame = (a: NodeId, b: NodeId): boolean => a.name === b.name && a.section === b.section;

/**
 * Returns span attributes of a run. Names starting with `cicd`, `process` and `error` are semantic conventions:
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/cicd/
 */
const runAttributes = ({ name, dagRunId, trigger }: RunRecord): SpanAttributes => ({
  'cicd.pipeline.name': name,
  'cicd.pipeline.run.id': dagRunId,
  'cicd.pipeline.action.name': 'RUN',
  'stepwright.run.trigger': trigger,
});

/** Returns the attributes of an attempt or item. */
const nodeAttributes = (
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
function toStepResult(
  event: Extract<
    RunEvent,
    { type: 'step.finished' | 'step.retry_scheduled' | 'step.repeat_scheduled' | 'step.item_finished' }
  >,
): SpanResult {
  const { exitCode, signal, error } = event;
  const status = 'status' in event ? event.status : getStatus(event);
  const attributes: SpanAttributes = {
    'cicd.pipeline.task.run.result': getResult(status),
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

const getStatus = (end: {
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
function toRunResult(event: Extract<RunEvent, { type: 'run.finished' }>): SpanResult {
  const { status, error, cause } = event;
  const attributes: SpanAttributes = {
    'cicd.pipeline.result':
      cause === 'timeout' ? 'timeout' : cause === 'engine' ? 'error' : getResult(status),
    'stepwright.run.status': status,
  };
  if (status !== 'failed') return { attributes };
  return { attributes: { ...attributes, 'error.type': cause ?? '_OTHER' }, error: error ?? 'failed' };
}

function getResult(status: StepStatus | RunStatus): string {
  if (status === 'succeeded' || status === 'partially_succeeded') return 'success';
  return status === 'aborted' ? 'cancellation' : 'failure';
}

type SpanAttributes = Record<string, string | number | boolean>;

/** An ended span, ready to send. Times in epoch milliseconds. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** `tracestate`. */
  readonly state?: string | undefined;
  readonly name: string;
  /** `server` for externally triggered work. */
  readonly kind: 'server' | 'internal';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** Error message; present if it failed. */
  readonly error?: string | undefined;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
}

/** An event within a span. */
interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: SpanAttributes;
}
