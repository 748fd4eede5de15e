import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Delivery, type Destination } from '../../../../core/run/telemetry/delivery.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { findClosedPort } from '../../../harness/servers/ports.ts';
import { TestEngine, type RunView } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { startReceiver } from './otlp-receiver.ts';

const specFor = (otel: string, steps = '[echo a]'): string =>
  `otel: {enabled: true, ${otel}}\nsteps: ${steps}\n`;

const getDestination = (url: string, timeoutMs: number): Destination => ({
  url: new URL(url),
  headers: {},
  format: 'protobuf',
  gzip: false,
  timeoutMs,
  tls: {},
});

/** Waits until a condition holds, while time passes. */
const eventually = (engine: TestEngine, holds: () => boolean): Promise<void> =>
  until(() => {
    engine.clock.advance(2);
    return holds();
  });

/** The engine's log of the run. */
const readRunLog = (view: RunView): string => readFileSync(join(view.logDir!, 'run.log'), 'utf8');

/** Sets variables of the engine until the test ends. */
function setVariables(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
}

describe('unavailable receiver', () => {
  it('costs spans and a warning in the log, but no run', async () => {
    const engine = new TestEngine();
    const port = await findClosedPort();
    const view = await engine.run(specFor(`endpoint: "http://user:pass@127.0.0.1:${port}?key=1"`));
    expect(view.status).toBe('succeeded');
    await eventually(engine, () => engine.reports.length > 0);
    const warning = `Cannot export traces to http://127.0.0.1:${port}/v1/traces: connection refused; 2 spans are lost`;
    expect(engine.reports).toEqual([warning]);
    expect(readRunLog(view)).toContain(`warning: ${warning}\n`);
  });

  it('times out soon when it never responds', async () => {
    const receiver = await startReceiver();
    let isAsked = false;
    receiver.server.removeAllListeners('request').on('request', () => (isAsked = true));
    const engine = new TestEngine();
    const view = await engine.run(specFor(`endpoint: "${receiver.url}"`));
    expect(view.status).toBe('succeeded');
    await until(() => isAsked);
    engine.clock.advance(4500);
    expect(engine.reports).toEqual([]);
    engine.clock.advance(1000);
    await until(() => engine.reports.length > 0);
    expect(engine.reports).toEqual([expect.stringContaining('timed out; 2 spans are lost')]);
  });

  it('is retried while the run continues, for as long as the workflow allows', async () => {
    const receiver = await startReceiver((count) => (count < 3 ? { status: 503 } : undefined));
    const clock = new FakeClock();
    const delivery = new Delivery(getDestination(receiver.url, 10_000), clock);
    onTestFinished(() => delivery.close());
    const sent = delivery.send(Buffer.from('spans'));
    await until(() => receiver.posts.length === 1);
    await until(() => {
      clock.advance(10);
      return receiver.posts.length === 3;
    });
    expect(await sent).toHaveLength(0);
    expect(clock.monotonic()).toBeGreaterThan(1000);
    expect(clock.monotonic()).toBeLessThan(10_000);
  });

  it('is retried no longer than the workflow allows, and once on shutdown', async () => {
    const receiver = await startReceiver(() => ({ status: 503 }));
    const delivery = new Delivery(getDestination(receiver.url, 500), new FakeClock());
    onTestFinished(() => delivery.close());
    await expect(delivery.send(Buffer.from('a'))).rejects.toThrow('responded with 503 Service Unavailable');
    expect(receiver.posts).toHaveLength(1);
    const hurried = new Delivery(getDestination(receiver.url, 10_000), new FakeClock());
    onTestFinished(() => hurried.close());
    const sent = hurried.send(Buffer.from('a'));
    await until(() => receiver.posts.length === 2);
    hurried.hurry();
    await expect(sent).rejects.toThrow('responded with 503 Service Unavailable');
    expect(receiver.posts.length).toBeLessThanOrEqual(3);
  });

  it('is reported with its status and reason', async () => {
    const receiver = await startReceiver(() => ({ status: 401 }));
    const engine = new TestEngine();
    await engine.run(specFor(`endpoint: "${receiver.url}/own/path?x=1"`));
    await eventually(engine, () => engine.reports.length > 0);
    expect(engine.reports[0]).toContain('responded with 401 Unauthorized; 2 spans are lost');
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/own/path?x=1']);
  });

  it('is reported when it accepts only a part', async () => {
    // ExportTraceServiceResponse: partial_success { rejected_spans: 1, error_message: "too many" }
    const body = Buffer.concat([Buffer.from([0x0a, 12, 0x08, 1, 0x12, 8]), Buffer.from('too many')]);
    const receiver = await startReceiver(() => ({ status: 200, body }));
    const engine = new TestEngine();
    await engine.run(specFor(`endpoint: "${receiver.url}"`));
    await eventually(engine, () => engine.reports.length > 0);
    expect(engine.reports[0]).toContain('rejected 1 spans: too many');
  });
});

describe('settings that lead nowhere', () => {
  it.each([
    ['endpoint: "localhost:4317"', 'Invalid otel.endpoint: port 4317 is OTLP over gRPC'],
    ['endpoint: "`exit 1`"', 'Command `exit 1` failed'],
    ['endpoint: "http://[::1"', 'otel.endpoint is not a URL such as '],
  ])('are an event of the run: %s', async (otel, warning) => {
    const engine = new TestEngine();
    const view = await engine.run(specFor(otel, '[sleep 0.3]'));
    expect(view.status).toBe('succeeded');
    expect(readRunLog(view)).toContain(`warning: Cannot export traces: ${warning}`);
    expect(engine.reports).toEqual([]);
  });
});

describe('without an endpoint of the workflow', () => {
  it('spans go to the endpoint in the standard variables', async () => {
    const receiver = await startReceiver();
    setVariables({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/base/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=all%20mine,other=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'other=2',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'of-the-machine',
      OTEL_RESOURCE_ATTRIBUTES: 'zone=eu,team=none',
    });
    const engine = new TestEngine();
    await engine.run(specFor('headers: {own: "3"}, resource: {team: data}'));
    await until(() => receiver.spans.length === 2);
    expect(receiver.posts).toMatchObject([
      {
        path: '/base/v1/traces',
        headers: { 'api-key': 'all mine', other: '2', own: '3', 'content-encoding': 'gzip' },
      },
    ]);
    expect(receiver.spans[0]!.resource).toMatchObject({
      'service.name': 'of-the-machine',
      zone: 'eu',
      team: 'data',
    });
  });

  it('the variable for traces is used unchanged, and JSON is sent on request', async () => {
    const receiver = await startReceiver();
    setVariables({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/traces-only`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    const engine = new TestEngine();
    const view = await engine.run(specFor(''));
    await until(() => receiver.posts.length === 1);
    const [{ path, headers, body }] = receiver.posts as [(typeof receiver.posts)[0]];
    expect([path, headers['content-type']]).toEqual(['/traces-only', 'application/json']);
    expect(JSON.parse(body.toString())).toMatchObject({
      resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: view.traceId }, { kind: 2 }] }] }],
    });
  });

  it('an endpoint of the workflow ignores the variables', async () => {
    const receiver = await startReceiver();
    setVariables({
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    const engine = new TestEngine();
    await engine.run(specFor(`endpoint: "${receiver.url}"`));
    await until(() => receiver.posts.length === 1);
    expect(receiver.posts[0]!.headers).not.toHaveProperty('api-key');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", but traces are sent'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'here' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a URL such as '],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 'OTEL_EXPORTER_OTLP_TIMEOUT is not a number of milliseconds'],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: '/none' }, 'cannot read the file of OTEL_EXPORTER_OTLP_CERTIFICATE'],
  ])('reports errors in a variable: %o', async (variables, warning) => {
    setVariables(variables);
    const engine = new TestEngine();
    const view = await engine.run(specFor('', '[sleep 0.3]'));
    expect(readRunLog(view)).toContain(`warning: Cannot export traces: ${warning}`);
  });

  it('OTEL_SDK_DISABLED turns tracing off', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    setVariables({ OTEL_SDK_DISABLED: 'true' });
    await engine.run(specFor(`endpoint: "${receiver.url}"`));
    delete process.env['OTEL_SDK_DISABLED'];
    const { traceId } = await engine.run(specFor(`endpoint: "${receiver.url}"`));
    await until(() => receiver.spans.length === 2);
    expect(receiver.spans[0]!.traceId).toBe(traceId);
  });
});
