import { expect, it } from 'vitest';
import { stdoutOf, statusesOf, TestEngine } from '../../../harness/engine.ts';
import { readAll, startProxy, startServer } from './http-harness.ts';

it('passes status, headers and body to later steps', async () => {
  const { url } = await startServer((request, response) => {
    void readAll(request).then((body) => {
      response.setHeader('content-type', 'application/json').setHeader('x-kind', 'echo');
      response.end(JSON.stringify({ user: { name: body.toString() } }));
    });
  });
  const engine = new TestEngine();
  const view = await engine.run(`
params: NAME=ann
steps:
  - name: ask
    type: http
    command: POST ${url}/users
    config: { body: "\${NAME}", json: true, timeout: 60 }
    output: ANSWER
  - name: tell
    command: echo "\${ANSWER.status_code} \${ANSWER.headers.x-kind} \${ANSWER.body.user.name}"
`);
  expect(view.error).toBeUndefined();
  expect(stdoutOf(view, 'tell')).toBe('200 echo ann\n');
});

it('fails, is retried, and masks secrets in its messages', async () => {
  let asked = 0;
  const { url } = await startServer((request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 503 : 401).end(`no entry with ${request.headers.authorization}`);
  });
  const engine = new TestEngine();
  const view = await engine.run(`
env: [{ SOURCE: s3cr3t-value }]
secrets: [{ name: TOKEN, provider: env, key: SOURCE }]
steps:
  - name: ask
    type: http
    command: GET ${url}/
    config: { headers: { Authorization: "Bearer \${TOKEN}" } }
    retryPolicy: { limit: 1, intervalSec: 0 }
`);
  const [step] = view.steps;
  expect(step).toMatchObject({ status: 'failed', exitCode: 1 });
  expect(step!.error).toContain('the server responded with 401 Unauthorized: no entry with Bearer *******');
  expect(stdoutOf(view, 'ask')).toContain('no entry with Bearer *******');
  expect(asked).toBe(2);
});

it('uses a proxy that the workflow declares', async () => {
  const proxy = await startProxy();
  const engine = new TestEngine();
  const view = await engine.run(`
env: [{ HTTP_PROXY: "${proxy.url}" }]
steps:
  - { name: ask, type: http, command: GET http://far.example/a, config: { silent: true } }
`);
  expect(stdoutOf(view, 'ask')).toBe('by proxy for /a of far.example');
});

it('is aborted with its run', async () => {
  const server = await startServer(() => {});
  const engine = new TestEngine();
  const run = await engine.start(`steps:\n  - { name: ask, type: http, command: "GET ${server.url}/" }\n`);
  await engine.untilRun(run, () => server.requests.length === 1);
  await engine.host.api.call('runs.stop', run, { via: 'cli', name: 'the test' });
  expect(statusesOf(await engine.end(run))).toEqual({ ask: 'aborted' });
  await server.quiet();
});
