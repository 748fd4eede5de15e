import { describe, expect, test } from 'vitest';
import { openApiHarness } from '../../harness/server.ts';

describe('version 1 of the API', () => {
  test('lists and shows workflows as version 2 does, and links to it', async () => {
    const harness = await openApiHarness();
    harness.write('job', 'tags: [x]\nsteps: ["true"]');
    const list = await harness.get('/api/v1/dags?limit=1');
    expect(list).toMatchObject({ status: 200, body: { dags: [{ fileName: 'job' }], total: 1 } });
    expect(list.headers.get('deprecation')).toBe('@1767225600');
    const described = '</api/v2/openapi.json>; rel="deprecation"; type="application/json"';
    expect(list.headers.get('link')).toBe(`</api/v2/dags>; rel="successor-version", ${described}`);
    expect(list.headers.get('sunset')).toBeNull();
    const { body } = await harness.get('/api/v2/openapi.json');
    expect(body).toMatchObject({
      info: { description: expect.stringContaining('deprecated since 2026-01-01') },
    });
    const detail = await harness.get('/api/v1/dags/job');
    expect(detail).toMatchObject({ status: 200, body: { name: 'job', workflow: { steps: [{}] } } });
    expect(detail.headers.get('link')).toBe(`</api/v2/dags/job>; rel="successor-version", ${described}`);
    const missing = await harness.get('/api/v1/dags/nobody');
    expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(missing.headers.get('deprecation')).toBe('@1767225600');
    expect(await harness.get('/api/v1/dags/%2E%2E%2Fx')).toMatchObject({ status: 400 });
    expect(await harness.get('/api/v1/dags?perPage=1')).toMatchObject({ status: 400 });
  });

  test('reports health as version 2 does', async () => {
    const harness = await openApiHarness();
    const { status, body } = await harness.get('/api/v1/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'healthy', version: expect.any(String) as string });
    expect(await harness.get('/api/v3/health')).toMatchObject({ status: 200, body: { status: 'healthy' } });
    expect(await harness.get('/api/vx/health')).toMatchObject({ status: 404 });
    expect(await harness.get('/api/v1/health?x=1')).toMatchObject({ status: 400 });
    expect(await harness.send('POST', '/api/v1/health', {})).toMatchObject({ status: 405 });
  });

  test('starts, stops, retries and suspends', async () => {
    const harness = await openApiHarness();
    const { engine } = harness;
    harness.write('job', 'params: P=1\nsteps: [{ name: s, command: "test $P = 1 || sleep 1000" }]');
    const act = (body: object) => harness.send('POST', '/api/v1/dags/job', body);
    const started = await act({ action: 'start', requestId: 'one' });
    expect(started).toMatchObject({ status: 200, body: { name: 'job', dagRunId: 'one' } });
    expect(started.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(await engine.end({ name: 'job', dagRunId: 'one' })).toMatchObject({
      status: 'succeeded',
      trigger: 'api',
    });
    expect(await act({ action: 'retry', requestId: 'one', step: 's', value: '' })).toMatchObject({
      status: 200,
    });
    await engine.end({ name: 'job', dagRunId: 'one' });
    expect(await act({ action: 'stop' })).toMatchObject({ status: 400, body: { code: 'not_running' } });
    await act({ action: 'start', requestId: 'two', params: 'P=2' });
    expect(await act({ action: 'stop' })).toMatchObject({ body: { stopped: 1 } });
    expect(await engine.end({ name: 'job', dagRunId: 'two' })).toMatchObject({ status: 'aborted' });
    await act({ action: 'start', requestId: 'three', params: 'P=2' });
    expect(await act({ action: 'stop', requestId: 'three' })).toMatchObject({ body: { dagRunId: 'three' } });
    await engine.end({ name: 'job', dagRunId: 'three' });
    expect(await act({ action: 'suspend', value: 'true' })).toMatchObject({ body: { suspended: true } });
    expect(await act({ action: 'suspend', value: false })).toMatchObject({ body: { suspended: false } });
  });

  test.each([
    [{}, 'action'],
    [{ action: 'save' }, 'action'],
    [{ action: 'start', spec: 'x' }, 'spec'],
    [{ action: 'start', params: 1 }, 'params'],
    [{ action: 'start', requestId: 'a b' }, 'dagRunId'],
  ])('rejects %j', async (body, field) => {
    const harness = await openApiHarness();
    harness.write('job', 'steps: ["true"]');
    expect(await harness.send('POST', '/api/v1/dags/job', body)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', details: { field } },
    });
    expect(await harness.send('POST', '/api/v1/dags/job')).toMatchObject({ status: 400 });
  });
});
