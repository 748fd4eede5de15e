import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTraceContext } from '../../../../core/model/trace-context.ts';
import { listenOnLoopback } from '../../../harness/servers/ports.ts';
import { stdoutOf, TestEngine, type RunView } from '../../../harness/engine.ts';
import { sampleTrace } from './otlp-receiver.ts';

const caller = readTraceContext(sampleTrace)!;
const show = 'echo "$TRACEPARENT $TRACESTATE"';

/** The context that a step of {@link show} received. */
const contextOf = (view: RunView, name: string) => {
  const [traceparent, tracestate] = stdoutOf(view, name).trim().split(' ');
  return readTraceContext({ traceparent, tracestate })!;
};

describe('trace context in the environment of steps', () => {
  it('passes from the caller of the run to its processes, with a span for each attempt', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      `steps:\n  - {name: a, command: ${show}}\n  - {name: b, script: ${show}}\nhandlerOn: {exit: {command: ${show}}}\n`,
      { trace: caller },
    );
    const contexts = ['a', 'b', 'onExit'].map((name) => contextOf(view, name));
    for (const context of contexts) {
      expect(context).toMatchObject({
        traceId: sampleTrace.traceId,
        sampled: true,
        state: sampleTrace.tracestate,
      });
    }
    expect(new Set([sampleTrace.spanId, ...contexts.map(({ spanId }) => spanId)]).size).toBe(4);
    expect(view.traceId).toBe(sampleTrace.traceId);
  });

  it('is a new one for each run without a caller', async () => {
    const engine = new TestEngine();
    const spec = `steps:\n  - {name: a, command: ${show}}\n`;
    const [first, second] = [await engine.run(spec), await engine.run(spec)];
    expect(contextOf(first, 'a')).toMatchObject({ traceId: first.traceId, sampled: true });
    expect(contextOf(first, 'a').state).toBeUndefined();
    expect(first.traceId).not.toBe(second.traceId);
  });

  it('is not copied from the environment of the engine, to which it belongs', async () => {
    process.env['TRACEPARENT'] = sampleTrace.traceparent;
    onTestFinished(() => void delete process.env['TRACEPARENT']);
    const engine = new TestEngine();
    const view = await engine.run(`steps:\n  - {name: a, command: ${show}}\n`);
    expect(view.traceId).not.toBe(sampleTrace.traceId);
    expect(contextOf(view, 'a').traceId).toBe(view.traceId);
  });

  it('is overridden by the step itself', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      `steps:\n  - {name: a, command: ${show}, env: [TRACEPARENT: own, TRACESTATE: "x=1"]}\n`,
    );
    expect(stdoutOf(view, 'a')).toBe('own x=1\n');
  });

  it('has a span for each attempt and for each item', async () => {
    const engine = new TestEngine();
    const view = await engine.run(`
steps:
  - name: tries
    command: echo "$TRACEPARENT" >> tries && test "$(wc -l < tries)" = 2
    retryPolicy: {limit: 1, intervalSec: 0}
  - {name: shown, command: cat tries}
  - {name: items, command: 'echo "$TRACEPARENT" >> items', parallel: [x, y]}
  - {name: listed, command: cat items}
workingDir: ${engine.home}/work
`);
    expect(view.status).toBe('succeeded');
    const shown = ['shown', 'listed'].flatMap((name) => stdoutOf(view, name).trim().split('\n'));
    const contexts = shown.map((traceparent) => readTraceContext({ traceparent })!);
    expect(contexts.map(({ traceId }) => traceId)).toEqual(Array(4).fill(view.traceId));
    expect(new Set(contexts.map(({ spanId }) => spanId)).size).toBe(4);
  });

  it('reaches runs of steps and servers that steps call', async () => {
    const asked: (string | string[] | undefined)[][] = [];
    const server = createServer(({ headers }, response) => {
      asked.push([headers['traceparent'], headers['tracestate']]);
      response.end();
    });
    const port = await listenOnLoopback(server);
    onTestFinished(() => void server.close());
    const engine = new TestEngine();
    const view = await engine.run(
      `
steps:
  - {name: child, run: inner}
---
name: inner
steps:
  - {name: a, command: ${show}}
  - {name: ask, type: http, command: GET http://127.0.0.1:${port}/}
`,
      { trace: caller },
    );
    const child = await engine.get(view.steps[0]!.subRuns[0]!);
    expect([view.traceId, child.traceId]).toEqual([sampleTrace.traceId, sampleTrace.traceId]);
    expect(contextOf(child, 'a').state).toBe(sampleTrace.tracestate);
    const [[traceparent, tracestate]] = asked as [[string, string]];
    const context = readTraceContext({ traceparent })!;
    expect(context.traceId).toBe(sampleTrace.traceId);
    expect(context.spanId).not.toBe(contextOf(child, 'a').spanId);
    expect(tracestate).toBe(sampleTrace.tracestate);
  });
});
