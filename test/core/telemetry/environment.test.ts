import { describe, expect, it } from 'vitest';
import { readTraceContext } from '../../../core/model/trace-context.ts';
import { TestEngine, stdoutOf } from '../../rig/test-engine.ts';
import { given } from './trace-rig.ts';

const caller = readTraceContext(given)!;
const show = (name: string): string => `  - name: ${name}\n    command: echo "$TRACEPARENT $TRACESTATE"\n`;

describe('the trace in the environment of steps', () => {
  it('goes from the caller of the run to its processes, with a span for each attempt', async () => {
    const engine = new TestEngine();
    const view = await engine.run(`steps:\n${show('a')}${show('b')}`, { trace: caller });
    const [a, b] = ['a', 'b'].map((name) => stdoutOf(view, name).trim().split(' '));
    for (const [traceparent, tracestate] of [a!, b!]) {
      const context = readTraceContext({ traceparent })!;
      expect(context).toMatchObject({ traceId: given.traceId, sampled: true });
      expect(context.spanId).not.toBe(given.spanId);
      expect(tracestate).toBe(given.tracestate);
    }
    expect(a![0]).not.toBe(b![0]);
  });
});
