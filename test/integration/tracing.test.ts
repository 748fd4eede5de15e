import { expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
} from '../harness/home-and-command.ts';
import { sampleTrace, startReceiver } from '../core/run/telemetry/otlp-receiver.ts';
import { waitUntilPasses } from '../harness/resources.ts';

it('a trace spans the command line, run, sub-run and HTTP step up to the server and its run', async () => {
  const receiver = await startReceiver();
  const place = makeTestHome();
  const server = startEngine(place, ['server', '--port', '0']);
  await waitForText(server.stdout, /\n/);
  const api = `${/http:\S+/.exec(server.stdout())![0]}/api/v2`;
  const otel = `otel: {enabled: true, endpoint: "${receiver.url}"}`;
  const remote = JSON.stringify({ spec: `name: remote\n${otel}\nsteps: [{name: last, command: echo a}]\n` });
  saveDag(
    place,
    'tree',
    `${otel}
steps:
  - {name: child, run: inner}
---
name: inner
steps:
  - name: ask
    type: http
    command: POST ${api}/dag-runs
    config:
      headers: {Content-Type: application/json}
      body: ${JSON.stringify(remote)}
`,
  );
  const environment = { TRACEPARENT: sampleTrace.traceparent, TRACESTATE: sampleTrace.tracestate };
  const { code, stdout } = await runEngine(place, ['start', 'tree'], environment);
  expect(code).toBe(0);
  expect(stdout).toContain(`Trace     ${sampleTrace.traceId}`);
  await waitUntilPasses(() => expect(receiver.spans).toHaveLength(6));
  const spans = new Map(receiver.spans.map((span) => [span.name, span]));
  const way = ['RUN tree', 'child', 'RUN inner', 'ask', 'RUN remote', 'last'];
  let parent: string = sampleTrace.spanId;
  for (const name of way) {
    const span = spans.get(name)!;
    expect(span).toMatchObject({
      traceId: sampleTrace.traceId,
      parentSpanId: parent,
      state: sampleTrace.tracestate,
    });
    parent = span.spanId;
  }
});

it('a trace covers enqueued runs and runs through a server', async () => {
  const place = makeTestHome();
  saveDag(place, 'a', 'steps: [echo a]\n');
  const server = startEngine(place, ['server', '--port', '0']);
  await waitForText(server.stdout, /\n/);
  const there = ['--server', /http:\S+/.exec(server.stdout())![0]];
  const environment = { TRACEPARENT: sampleTrace.traceparent, TRACESTATE: sampleTrace.tracestate };
  const commands = [
    ['start', 'a', '--run-id', 'started', ...there],
    ['enqueue', 'a', '--run-id', 'enqueued'],
    ['enqueue', 'a', '--run-id', 'enqueued-there', ...there],
    ['exec', '--name', 'a', '--queue', 'q', '--run-id', 'commanded', ...there, '--', 'echo', 'a'],
  ];
  for (const command of commands) expect((await runEngine(place, command, environment)).code).toBe(0);
  for (const id of ['started', 'enqueued', 'enqueued-there', 'commanded']) {
    const { json } = await runForJson(place, ['status', 'a', '--run-id', id]);
    expect(json).toMatchObject({ dagRunId: id, traceId: sampleTrace.traceId });
  }
});

it('invalid trace variables of the command are ignored', async () => {
  const place = makeTestHome();
  saveDag(place, 'a', 'steps: [echo a]\n');
  const { stdout } = await runEngine(place, ['start', 'a'], { TRACEPARENT: '00-0-0-00' });
  const [, traceId] = /Trace +([0-9a-f]{32})\n/.exec(stdout)!;
  const { json } = await runForJson(place, ['status', 'a']);
  expect(json.traceId).toBe(traceId);
});

it('an unreachable collector does not delay the command, and is reported on stderr', async () => {
  const place = makeTestHome();
  saveDag(place, 'a', 'otel: {enabled: true, endpoint: "http://127.0.0.1:1"}\nsteps: [echo a]\n');
  const { code, stderr } = await runEngine(place, ['start', 'a', '--quiet']);
  expect(code).toBe(0);
  expect(stderr).toContain('engine: warning: Cannot export traces to http://127.0.0.1:1/v1/traces: ');
});
