import { describe, expect, it, onTestFinished } from 'vitest';
import { readTraceContext } from '../../../../core/model/trace-context.ts';
import { stdoutOf, TestEngine } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { type ReceivedSpan, type Receiver, sampleTrace, startReceiver } from './otlp-receiver.ts';

const caller = readTraceContext(sampleTrace)!;

/** The spans, once so many have arrived. */
async function takeSpans(receiver: Receiver, count: number): Promise<Record<string, ReceivedSpan>> {
  await until(() => receiver.spans.length >= count);
  expect(receiver.spans).toHaveLength(count);
  return Object.fromEntries(receiver.spans.map((span) => [span.name, span]));
}

describe('spans', () => {
  it('are sent for the run and for each attempt, including handlers', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    const view = await engine.run(
      `
name: nightly
otel: {enabled: true, endpoint: "${receiver.url}", resource: {service.name: etl, team: data}}
steps:
  - {name: good, command: echo a}
  - {name: bad, command: exit 3}
  - {name: never, command: echo a}
handlerOn: {exit: {command: echo a}}
`,
      { trace: caller },
    );
    const { 'RUN nightly': run, good, bad, onExit, ...others } = await takeSpans(receiver, 4);
    expect(others).toEqual({});
    expect(run).toMatchObject({
      traceId: sampleTrace.traceId,
      parentSpanId: sampleTrace.spanId,
      state: sampleTrace.tracestate,
      kind: 2,
      code: 2,
      message: 'step "bad" failed: exit code 3',
      attributes: {
        'cicd.pipeline.name': 'nightly',
        'cicd.pipeline.run.id': view.dagRunId,
        'cicd.pipeline.result': 'failure',
        'error.type': 'steps',
        'stepwright.run.trigger': 'api',
        'stepwright.run.status': 'failed',
      },
      resource: { 'service.name': 'etl', team: 'data', 'service.version': 'test' },
    });
    expect(run!.events).toMatchObject([
      { name: 'step aborted', attributes: { 'cicd.pipeline.task.name': 'never' } },
    ]);
    for (const span of [good!, bad!, onExit!]) {
      expect(span).toMatchObject({ traceId: sampleTrace.traceId, parentSpanId: run!.spanId, kind: 1 });
      expect(span.startedAt).toBeGreaterThanOrEqual(run!.startedAt);
      expect(span.endedAt).toBeLessThanOrEqual(run!.endedAt);
    }
    expect(good).toMatchObject({
      code: 0,
      attributes: {
        'cicd.pipeline.task.name': 'good',
        'cicd.pipeline.task.run.result': 'success',
        'process.exit.code': 0,
        'process.pid': view.steps[0]!.attempts[0]!.pid,
        'stepwright.step.attempt': 1,
        'stepwright.step.section': 'step',
      },
    });
    expect(bad).toMatchObject({
      code: 2,
      message: 'exit code 3',
      attributes: { 'process.exit.code': 3, 'error.type': 'exit code 3' },
    });
    expect(onExit!.attributes['stepwright.step.section']).toBe('handler');
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/v1/traces']);
  });

  it('have the ids that the processes received', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    const view = await engine.run(
      `otel: {enabled: true, endpoint: "${receiver.url}"}\nsteps:\n  - {name: a, command: echo $TRACEPARENT}\n`,
    );
    const { a } = await takeSpans(receiver, 2);
    const context = readTraceContext({ traceparent: stdoutOf(view, 'a') });
    expect(context).toEqual({ traceId: a!.traceId, spanId: a!.spanId, sampled: true });
  });

  it('exist for each attempt of a retried step', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    await engine.run(`
otel: {enabled: true, endpoint: "${receiver.url}"}
workingDir: ${engine.home}/work
steps:
  - name: a
    command: echo >> tries && test "$(wc -l < tries)" = 2
    retryPolicy: {limit: 1, intervalSec: 0}
`);
    await takeSpans(receiver, 3);
    const [first, second] = receiver.spans.filter(({ name }) => name === 'a');
    expect(first).toMatchObject({
      code: 2,
      attributes: { 'stepwright.step.attempt': 1 },
      events: [{ name: 'retry scheduled', attributes: { 'stepwright.due': expect.any(String) } }],
    });
    expect(second).toMatchObject({ code: 0, attributes: { 'stepwright.step.attempt': 2 }, events: [] });
  });

  it('of items are below that of their attempt, and of sub-runs below what started them', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    const view = await engine.run(`
otel: {enabled: true, endpoint: "${receiver.url}"}
steps:
  - {name: all, run: inner, parallel: [x, y]}
---
name: inner
params: A
steps:
  - {name: a, command: echo a}
`);
    expect(view.status).toBe('succeeded');
    await takeSpans(receiver, 8);
    const named = (name: string) => receiver.spans.filter((span) => span.name === name);
    const [all] = named('all');
    const items = [...named('all item 1'), ...named('all item 2')];
    expect(items.map(({ parentSpanId }) => parentSpanId)).toEqual([all!.spanId, all!.spanId]);
    expect(items.map(({ attributes }) => attributes['stepwright.step.item'])).toEqual([1, 2]);
    expect(items[0]!.events).toMatchObject([
      { name: 'sub-run started', attributes: { 'cicd.pipeline.name': 'inner' } },
    ]);
    const runs = named('RUN inner');
    expect(new Set(runs.map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set(items.map(({ spanId }) => spanId)),
    );
    expect(new Set(named('a').map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set(runs.map(({ spanId }) => spanId)),
    );
    expect(runs.map(({ kind }) => kind)).toEqual([1, 1]);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([view.traceId]));
  });

  it('of a retried run stay in its trace and link to the first', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    const spec = `otel: {enabled: true, endpoint: "${receiver.url}"}\nsteps:\n  - {name: a, command: exit 1}\n`;
    const { name, dagRunId } = await engine.run(spec);
    await takeSpans(receiver, 2);
    await engine.host.api.call('runs.retry', { name, dagRunId }, { via: 'http', name: 'x', trace: caller });
    const view = await engine.end({ name, dagRunId });
    await until(() => receiver.spans.length === 4);
    const [first, second] = receiver.spans.filter((span) => span.name.startsWith('RUN'));
    expect(second).toMatchObject({
      traceId: view.traceId,
      parentSpanId: first!.spanId,
      links: [
        { traceId: view.traceId, spanId: first!.spanId },
        { traceId: sampleTrace.traceId, spanId: sampleTrace.spanId },
      ],
    });
    const again = await engine.host.startRun({ source: { run: view }, trigger: 'api' });
    expect((await engine.end(again)).traceId).not.toBe(view.traceId);
    await until(() => receiver.spans.length === 6);
    expect(receiver.spans.at(-1)!.links).toEqual([{ traceId: view.traceId, spanId: second!.spanId }]);
  });

  it('contain no secrets', async () => {
    process.env['TRACE_TEST_SECRET'] = 'hush-hush';
    onTestFinished(() => void delete process.env['TRACE_TEST_SECRET']);
    const receiver = await startReceiver();
    const engine = new TestEngine();
    await engine.run(`
secrets: [{name: KEY, provider: env, key: TRACE_TEST_SECRET}]
otel: {enabled: true, endpoint: "${receiver.url}", headers: {X-Key: "\${KEY}"}, resource: {tenant: "\${KEY}"}}
steps:
  - {name: a, command: ["nothing-\${KEY}"]}
  - {name: b, command: 'exit 1', parallel: ["\${KEY}"], depends: []}
type: graph
`);
    await takeSpans(receiver, 4);
    const [post] = receiver.posts;
    expect(post!.headers['x-key']).toBe('hush-hush');
    expect(post!.body.includes('hush-hush')).toBe(false);
    expect(receiver.spans[0]!.resource['tenant']).not.toContain('hush');
  });

  it('report a run whose values cannot be resolved', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    const view = await engine.run(
      `env: [A: "\`exit 1\`"]\notel: {enabled: true, endpoint: "${receiver.url}"}\nsteps: [echo a]\n`,
    );
    expect(view.status).toBe('failed');
    const { 'RUN dag': run } = await takeSpans(receiver, 1);
    expect(run).toMatchObject({ code: 2, attributes: { 'cicd.pipeline.result': 'error' } });
  });

  it('are not sent when the caller does not sample the trace', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    const spec = `otel: {enabled: true, endpoint: "${receiver.url}"}\nsteps: [echo a]\n`;
    const silent = await engine.run(spec, { trace: { ...caller, sampled: false } });
    expect(silent.traceId).toBe(sampleTrace.traceId);
    const loud = await engine.run(spec);
    await takeSpans(receiver, 2);
    expect(receiver.spans.map(({ traceId }) => traceId)).toEqual([loud.traceId, loud.traceId]);
  });
});
