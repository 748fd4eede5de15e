import { describe, expect, it } from 'vitest';
import { readTraceContext } from '../../../core/model/workflow/trace-context.ts';
import { attemptTrace, beginTrace, continueTrace } from '../../../core/telemetry/trace.ts';
import { given } from './otlp-receiver.ts';

const caller = readTraceContext(given)!;
const node = { section: 'step', name: 'a' } as const;

describe('the trace of a run', () => {
  it('is a new one when nobody has caused it', () => {
    const trace = beginTrace(undefined);
    expect(trace).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      sampled: true,
    });
    expect(beginTrace(undefined).traceId).not.toBe(trace.traceId);
  });

  it('is that of its caller, flags and state included', () => {
    const trace = beginTrace({ ...caller, sampled: false });
    expect(trace).toMatchObject({
      traceId: given.traceId,
      parentSpanId: given.spanId,
      sampled: false,
      state: given.tracestate,
    });
    expect(trace.spanId).not.toBe(given.spanId);
  });

  it('stays the same when the run goes on, with a new span below what caused the first', () => {
    const first = beginTrace(caller);
    const second = continueTrace(first, undefined);
    expect(second).toMatchObject({ traceId: first.traceId, parentSpanId: given.spanId });
    expect(second.links).toEqual([{ traceId: first.traceId, spanId: first.spanId }]);
  });

  it('has the first span above all others when nothing caused that', () => {
    const first = beginTrace(undefined);
    const third = continueTrace(continueTrace(first, undefined), undefined);
    expect(third.parentSpanId).toBe(first.spanId);
  });

  it('goes on below a caller of the same trace, and only links to one of another', () => {
    const first = beginTrace(caller);
    const again = { ...caller, spanId: '1111111111111111' };
    expect(continueTrace(first, again)).toMatchObject({
      parentSpanId: again.spanId,
      links: [{ traceId: first.traceId, spanId: first.spanId }],
    });
    const other = beginTrace(undefined);
    expect(continueTrace(first, other)).toMatchObject({
      traceId: first.traceId,
      parentSpanId: given.spanId,
      links: [
        { traceId: first.traceId, spanId: first.spanId },
        { traceId: other.traceId, spanId: other.spanId },
      ],
    });
  });

  it('begins late in a run that had none', () => {
    expect(continueTrace(undefined, caller)).toMatchObject({ parentSpanId: given.spanId });
  });
});

describe('the span of an attempt', () => {
  it('follows from the run and differs for each node, attempt and item', () => {
    const run = beginTrace(caller);
    const places = [
      { node, attempt: 1 },
      { node, attempt: 2 },
      { node, attempt: 1, item: 1 },
      { node: { section: 'handler', name: 'a' }, attempt: 1 },
      { node: { section: 'step', name: 'b' }, attempt: 1 },
    ] as const;
    const ids = places.map((place) => attemptTrace(run, place).spanId);
    expect(new Set(ids).size).toBe(places.length);
    expect(places.map((place) => attemptTrace(run, place).spanId)).toEqual(ids);
    expect(attemptTrace(beginTrace(caller), places[0]).spanId).not.toBe(ids[0]);
    expect(attemptTrace(run, places[0])).toMatchObject({ traceId: given.traceId, state: given.tracestate });
  });
});
