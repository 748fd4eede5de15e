import type { NodeId, RunEvent } from '../../model/run/run-event.ts';
import type { RunTrace } from '../../model/run/run-trace.ts';
import type { RunRecord } from '../../model/run/run.ts';
import { attemptTrace, type SpanParent } from '../trace.ts';
import { describeEnd, describeRunEnd, nodeAttributes, runAttributes } from './attributes.ts';
import type { SpanAttributes, SpanEvent, SpanRecord } from './span-record.ts';

/** An open span: an attempt or an item. */
interface OpenSpan {
  readonly place: SpanParent;
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
    this.#open.set(keyOf(parentRef), { place: parentRef, startedAt: at, attributes, events: [] });
  }

  #find(parentRef: SpanParent): OpenSpan | undefined {
    return this.#open.get(keyOf(parentRef));
  }

  /** Notes that the newest attempt or item of the node has started a sub-run. */
  #recordSubRun(at: number, event: Extract<RunEvent, { type: 'step.sub_run' }>): void {
    const { node, item, name, dagRunId } = event;
    const span = [...this.#open.values()].findLast(
      ({ place: parentRef }) => isSame(parentRef.node, node) && parentRef.item === item,
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
    this.#open.delete(keyOf(event));
    const { place: parentRef, startedAt, attributes, events } = span;
    const end = describeEnd(event);
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
    const end = describeRunEnd(event);
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

const keyOf = ({ node, attempt, item }: SpanParent): string =>
  JSON.stringify([node.section, node.name, attempt, item ?? 0]);

const isSame = (left: NodeId, right: NodeId): boolean =>
  left.name === right.name && left.section === right.section;
