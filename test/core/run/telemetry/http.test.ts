import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../../../core/http/server.ts';
import type { RunRef } from '../../../../core/model/run.ts';
import { TestEngine } from '../../../harness/engine.ts';
import { sampleTrace } from './otlp-receiver.ts';
import { silentLogger } from '../../../harness/fakes.ts';

type Headers = Record<string, string | string[]>;

/** The API of an engine, over HTTP. */
async function serve(engine: TestEngine) {
  const { url, close } = await startServer({
    api: engine.host.api,
    clock: engine.clock,
    host: '127.0.0.1',
    port: 0,
    version: 'test',
    logger: silentLogger,
  });
  onTestFinished(close);
  /** Posts, and returns the trace id of the run in the response, once it has ended. */
  const traceIdAfter = async (path: string, body: object, headers: Headers): Promise<string | undefined> => {
    const run = await post<RunRef>(`${url}/api/v2${path}`, body, headers);
    return (await engine.end(run)).traceId;
  };
  /** Posts, and returns the trace id of the run, whether or not it has started. */
  const traceIdOf = async (path: string, body: object): Promise<string | undefined> =>
    (await engine.get(await post<RunRef>(`${url}/api/v2${path}`, body, headers))).traceId;
  return { traceIdAfter, traceIdOf };
}

/** `fetch` would join headers of one name. */
function post<Answer>(url: string, body: object, headers: Headers): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(JSON.parse(text) as Answer));
      },
    );
    asked.on('error', reject).end(JSON.stringify(body));
  });
}

const spec = 'name: traced\nsteps:\n  - {name: a, command: exit 1}\n';
const headers = { traceparent: sampleTrace.traceparent, tracestate: sampleTrace.tracestate };

describe('a run started over HTTP', () => {
  it('is part of the trace of the request', async () => {
    const engine = new TestEngine();
    const { traceIdAfter } = await serve(engine);
    expect(await traceIdAfter('/dag-runs', { spec }, headers)).toBe(sampleTrace.traceId);
  });

  it('also when it is created from an earlier run, and a retry stays in its own', async () => {
    const engine = new TestEngine();
    const { traceIdAfter } = await serve(engine);
    const first = await engine.run(spec);
    const place = `/dag-runs/traced/${first.dagRunId}`;
    expect(await traceIdAfter(`${place}/reschedule`, {}, headers)).toBe(sampleTrace.traceId);
    expect(await traceIdAfter(`${place}/retry`, {}, headers)).toBe(first.traceId);
  });

  it('also when it is queued', async () => {
    const engine = new TestEngine();
    const { traceIdOf } = await serve(engine);
    await engine.host.api.call('dags.create', { name: 'kept', spec }, { via: 'http', name: 'test' });
    expect(await traceIdOf('/dags/kept/enqueue', {})).toBe(sampleTrace.traceId);
    expect(await traceIdOf('/dag-runs/enqueue', { spec })).toBe(sampleTrace.traceId);
  });

  it.each<[string, Headers]>([
    ['missing', {}],
    ['malformed', { traceparent: `${sampleTrace.traceparent}-x` }],
    ['duplicated', { traceparent: [sampleTrace.traceparent, sampleTrace.traceparent] }],
    ['of the forbidden version', { traceparent: sampleTrace.traceparent.replace(/^00/, 'ff') }],
  ])('has a trace of its own when the header is %s', async (_, sent) => {
    const engine = new TestEngine();
    const { traceIdAfter } = await serve(engine);
    const traceId = await traceIdAfter('/dag-runs', { spec }, sent);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe(sampleTrace.traceId);
  });

  it('has the state of all headers together, or none when that is malformed', async () => {
    const engine = new TestEngine();
    const { traceIdAfter } = await serve(engine);
    const shown = `name: shown\nsteps:\n  - {name: a, command: 'test "$TRACESTATE" = a=1,b=2'}\n`;
    await traceIdAfter('/dag-runs', { spec: shown }, { ...headers, tracestate: ['a=1', 'b=2'] });
    await traceIdAfter('/dag-runs', { spec: shown }, { ...headers, tracestate: 'a=1,b=2,a=3' });
    const { dagRuns } = await engine.host.api.call('runs.list', {}, { via: 'http', name: 'test' });
    expect(dagRuns.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });
});
