import { describe, expect, it } from 'vitest';
import { readTraceContext } from '../../../../core/model/trace-context.ts';
import { attemptTrace, beginTrace, continueTrace } from '../../../../core/run/telemetry/trace.ts';
import { sampleTrace } from './otlp-receiver.ts';

const caller = readTraceContext(sampleTrace)!;
const node = { section: 'step', name: 'a' } as const;

describe('trace of a run', () => {
  it('is a new one without a caller', () => {
    const trace = beginTrace(undefined);
    expect(trace).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      sampled: true,
    });
    expect(beginTrace(undefined).traceId).not.toBe(trace.traceId);
  });

  it('is that of its caller, including flags and state', () => {
    const trace = beginTrace({ ...caller, sampled: false });
    expect(trace).toMatchObject({
      traceId: sampleTrace.traceId,
      parentSpanId: sampleTrace.spanId,
      sampled: false,
      state: sampleTrace.tracestate,
    });
    expect(trace.spanId).not.toBe(sampleTrace.spanId);
  });

  it('stays the same when the run is retried, with a new span below the first caller', () => {
    const first = beginTrace(caller);
    const second = continueTrace(first, undefined);
    expect(second).toMatchObject({ traceId: first.traceId, parentSpanId: sampleTrace.spanId });
    expect(second.links).toEqual([{ traceId: first.traceId, spanId: first.spanId }]);
  });

  it('has the first span as root when there was no caller', () => {
    const first = beginTrace(undefined);
    const third = continueTrace(continueTrace(first, undefined), undefined);
    expect(third.parentSpanId).toBe(first.spanId);
  });

  it('continues below a caller of the same trace, and only links to one of another', () => {
    const first = beginTrace(caller);
    const again = { ...caller, spanId: '1111111111111111' };
    expect(continueTrace(first, again)).toMatchObject({
      parentSpanId: again.spanId,
      links: [{ traceId: first.traceId, spanId: first.spanId }],
    });
    const other = beginTrace(undefined);
    expect(continueTrace(first, other)).toMatchObject({
      traceId: first.traceId,
      parentSpanId: sampleTrace.spanId,
      links: [
        { traceId: first.traceId, spanId: first.spanId },
        { traceId: other.traceId, spanId: other.spanId },
      ],
    });
  });

  it('starts late in a run that had none', () => {
    expect(continueTrace(undefined, caller)).toMatchObject({ parentSpanId: sampleTrace.spanId });
  });
});

describe('span of an attempt', () => {
  it('is derived from the run and differs for each node, attempt and item', () => {
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
    expect(attemptTrace(run, places[0])).toMatchObject({
      traceId: sampleTrace.traceId,
      state: sampleTrace.tracestate,
    });
  });
});
