import { expect, test } from 'vitest';
import { protocolRoot } from '../../../../core/distributed/protocol.ts';
import { ask, Caller, hello, CoordinatorHarness } from '../../../harness/coordinator.ts';

const refused = (code: string, message: string): object => ({
  body: { code, message: expect.stringContaining(message) },
});

test('token labels override worker labels, also when the worker joins again', async () => {
  await using harness = await CoordinatorHarness.open();
  const secret = await harness.token('t', { labels: { region: 'eu', gpu: 'false' } });
  const caller = new Caller(harness.first.url, 'w1');
  const { body } = await caller.join({ labels: { gpu: 'true', disk: 'ssd' } }, secret);
  const labels = { gpu: 'false', disk: 'ssd', region: 'eu' };
  expect(body).toMatchObject({ id: 'w1', labels, key: expect.stringMatching(/^swk_/) });
  expect(await harness.store.listWorkers()).toMatchObject([{ id: 'w1', labels }]);
  const again = await caller.join({ labels: { gpu: 'true' } });
  expect(again.body.labels).toEqual({ gpu: 'false', region: 'eu' });
  expect(again.body).not.toHaveProperty('key');
});

test('rejects a worker with a missing, wrong or expired token', async () => {
  await using harness = await CoordinatorHarness.open();
  const caller = new Caller(harness.first.url, 'w1');
  expect(await caller.join({}, undefined)).toMatchObject({
    status: 401,
    ...refused('unauthorized', 'No credentials.'),
  });
  expect(await caller.join({}, 'swj_guess')).toMatchObject({
    status: 401,
    ...refused('unauthorized', 'Invalid, revoked or expired join token'),
  });
  const secret = await harness.token('short', { expiresAt: harness.clock.now() + 60_000 });
  await harness.pass(61);
  expect(await caller.join({}, secret)).toMatchObject({ status: 401, ...refused('unauthorized', 'expired') });
  expect(await harness.store.listWorkers()).toEqual([]);
});

test('a worker continues after its token expired or was removed', async () => {
  await using harness = await CoordinatorHarness.open();
  const secret = await harness.token('short', { expiresAt: harness.clock.now() + 5000 });
  const caller = new Caller(harness.first.url, 'w1');
  await caller.join({}, secret);
  await harness.pass(6);
  await harness.store.removeJoinToken('short');
  expect((await caller.post('/beat', { running: [] })).status).toBe(200);
  expect((await caller.join()).status).toBe(200);
});

test('a key is valid for its worker only, at every coordinator', async () => {
  await using harness = await CoordinatorHarness.open();
  const [one, other] = [await harness.worker('one'), await harness.worker('other')];
  other.key = one.key;
  expect(await other.post('/beat', { running: [] })).toMatchObject({
    status: 401,
    ...refused('unauthorized', 'The worker key of other is no longer valid'),
  });
  one.url = (await harness.start()).url;
  expect((await one.post('/beat', { running: [] })).status).toBe(200);
});

test('rejects a removed worker within seconds, and ignores its reports', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  await harness.offer();
  const hold = await worker.take();
  await harness.store.removeWorker('w1');
  const { body } = await worker.post('/settle', { results: [{ ...hold, result: '{}' }] });
  expect(body.outcomes).toEqual(['stale']);
  await harness.pass(6);
  expect(await worker.post('/beat', { running: [] })).toMatchObject({ status: 401 });
  expect(await worker.join()).toMatchObject({ status: 401 });
});

test('another token cannot take over a live worker', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker('w1');
  const thief = new Caller(harness.first.url, 'w1');
  const secret = await harness.token('of-thief');
  expect(await thief.join({}, secret)).toMatchObject({
    status: 403,
    ...refused('forbidden', 'Worker ID w1 is in use by a worker that joined with another token'),
  });
  expect((await worker.post('/beat', { running: [] })).body.isUnknown).toBe(false);
  await worker.post('/leave');
  expect((await thief.join({}, secret)).status).toBe(200);
  // The same token is the same operator: a worker that has lost its key.
  expect((await new Caller(harness.first.url, 'w1').join({}, secret)).status).toBe(200);
});

test('does not look up credentials for each request', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const before = harness.calls.get('findCredential') ?? 0;
  for (let beat = 0; beat < 10; beat += 1) await worker.post('/beat', { running: [] });
  expect((harness.calls.get('findCredential') ?? 0) - before).toBe(1);
});

test.each([
  ['no body', undefined, 'The body must be an object'],
  ['no id', { ...hello, id: '' }, '"id" must be a worker ID'],
  ['an id with a path in it', { ...hello, id: '../x' }, '"id" must be a worker ID'],
  ['labels that are not strings', { ...hello, labels: { gpu: true } }, '"labels.gpu" must be a string'],
  ['a list as labels', { ...hello, labels: [] }, '"labels" must be an object'],
  ['no slots', { ...hello, slots: 0 }, '"slots" must be a whole number from 1'],
  ['a newer protocol', { ...hello, protocol: 2 }, 'Update the coordinators first'],
  ['tasks without fence', { ...hello, keeps: [{ key: 'a' }] }, '"keeps[0].fence"'],
  ['a host of another kind', { ...hello, host: 7 }, '"host" must be a string'],
])('rejects joining with %s', async (_, body, message) => {
  await using harness = await CoordinatorHarness.open();
  const headers = { authorization: `Bearer ${await harness.token()}`, 'content-type': 'application/json' };
  const answer = await ask(`${harness.first.url}${protocolRoot}/join`, { body, headers });
  expect(answer).toMatchObject({ status: 400, ...refused('bad_request', message) });
});

test.each([
  ['/claim', { free: -1, waitMs: 0 }, '"free"'],
  ['/claim', { free: 1, waitMs: 60_000 }, '"waitMs" must be a whole number from 0 to 30000'],
  ['/begin', {}, '"holds" must be a list'],
  ['/begin', { holds: [{ key: '', fence: 1 }] }, '"holds[0].key"'],
  ['/beat', { running: [], load: 'high' }, '"load" must be a number'],
  ['/settle', { results: [{ key: 'a', fence: 1 }] }, '"results[0].result" must be a string'],
  ['/settle', { results: Array(10_001).fill(0) }, '"results" must have at most 10000 entries'],
])('rejects %s with %j', async (path, body, message) => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  expect(await worker.post(path, body)).toMatchObject({ status: 400, ...refused('bad_request', message) });
});

test('reports missing or malformed headers', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const beat = (headers: Record<string, string>): ReturnType<Caller['post']> =>
    ask(`${worker.url}${protocolRoot}/beat`, {
      body: { running: [] },
      headers: { authorization: `Bearer ${worker.key}`, ...headers },
    });
  expect(await beat({})).toMatchObject({
    status: 400,
    ...refused('bad_request', 'Missing header X-Worker-Id'),
  });
  expect(await beat({ 'x-worker-id': 'w1' })).toMatchObject({
    status: 400,
    ...refused('bad_request', 'Missing header X-Worker-Epoch'),
  });
  expect(await beat({ 'x-worker-id': 'w1', 'x-worker-epoch': 'new' })).toMatchObject({
    status: 400,
    ...refused('bad_request', 'must be a whole number'),
  });
});

test('explains invalid JSON, oversized bodies and unknown paths', async () => {
  await using harness = await CoordinatorHarness.open();
  const worker = await harness.worker();
  const broken = await worker.send('/beat', {
    body: Buffer.from('{"running":'),
    headers: { 'content-type': 'application/json' },
  });
  expect(broken).toMatchObject({
    status: 400,
    ...refused('bad_request', 'Invalid JSON in the request body: line 1, column 12'),
  });
  const large = await worker.post('/settle', {
    results: [{ key: 'a', fence: 1, result: 'x'.repeat(9 * 1024 * 1024) }],
  });
  expect(large).toMatchObject({ status: 413, ...refused('payload_too_large', 'exceeds the limit of') });
  expect(await ask(`${harness.first.url}/api/v2/dags`, { method: 'GET' })).toMatchObject({
    status: 404,
    ...refused('not_found', 'Not found on this coordinator: GET /api/v2/dags'),
  });
});
