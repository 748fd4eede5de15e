import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { protocolRoot } from '../../../../core/distributed/protocol.ts';
import { renewalIntervalMs } from '../../../../core/http/tls/watch-files.ts';
import { TestAuthority } from '../../../rig/servers/authority.ts';
import { until } from '../../../rig/until.ts';
import { ask, Caller, House, Papers, type Answer } from './house.ts';

const day = 86_400_000;

async function join(
  house: House & { first: { url: string } },
  papers: Papers,
  certificate?: { cert: string; key: string },
  id = 'gpu-1',
): Promise<Answer> {
  return await new Caller(house.first.url, id, papers.agent(certificate)).join();
}

const refusal = (status: number, code: string, message: string): object => ({
  status,
  body: { code, message: expect.stringContaining(message) },
});

test('a worker is who its certificate says: the common name is its id', async () => {
  const papers = new Papers();
  await using house = await House.open({ tls: papers.files });
  const caller = new Caller(
    house.first.url,
    'gpu-1',
    papers.agent(papers.authority.issue({ name: 'gpu-1' })),
  );
  const { body } = await caller.join();
  expect(body).toMatchObject({ id: 'gpu-1', epoch: expect.any(Number) });
  expect(body).not.toHaveProperty('key');
  await house.offer();
  const hold = await caller.take();
  const settled = await caller.post('/settle', { results: [{ ...hold, result: '{}' }] });
  expect(settled.body.outcomes).toEqual(['settled']);
  // Nobody has to say what the certificate says.
  const headers = { 'x-worker-epoch': String(caller.epoch) };
  const beat = await ask(`${house.first.url}${protocolRoot}/beat`, {
    body: { running: [] },
    agent: caller.agent,
    headers,
  });
  expect(beat.body).toMatchObject({ isUnknown: false });
});

test('a URI among the alternative names is the id before the common name', async () => {
  const papers = new Papers();
  await using house = await House.open({ tls: papers.files });
  const certificate = papers.authority.issue({ name: 'Acme Inc.', uri: 'urn:stepwright:worker:gpu-1' });
  expect((await join(house, papers, certificate)).body).toMatchObject({ id: 'gpu-1' });
  const odd = papers.authority.issue({ name: 'Acme Inc. & Co' });
  expect(await join(house, papers, odd)).toMatchObject(
    refusal(400, 'bad_request', 'The common name of the certificate must be the id of a worker'),
  );
});

test('refusals say what is wrong with a certificate', async () => {
  const papers = new Papers({ withRevocations: true });
  const issue = papers.authority.issue.bind(papers.authority);
  const revoked = issue({ name: 'gpu-1' });
  papers.writeRevoked([revoked]);
  await using house = await House.open({ tls: papers.files });
  expect(await join(house, papers)).toMatchObject(
    refusal(401, 'unauthorized', 'The worker has shown no certificate'),
  );
  const foreign = new TestAuthority('somebody else').issue({ name: 'gpu-1' });
  expect(await join(house, papers, foreign)).toMatchObject(
    refusal(
      401,
      'unauthorized',
      'was not made by an authority that this coordinator takes certificates from',
    ),
  );
  const old = issue({ name: 'gpu-1', from: Date.now() - 3 * day, until: Date.now() - day });
  expect(await join(house, papers, old)).toMatchObject(
    refusal(401, 'unauthorized', 'The certificate of the worker has expired; renew it.'),
  );
  const early = issue({ name: 'gpu-1', from: Date.now() + day, until: Date.now() + 2 * day });
  expect(await join(house, papers, early)).toMatchObject(refusal(401, 'unauthorized', 'is not valid yet'));
  expect(await join(house, papers, revoked)).toMatchObject(
    refusal(401, 'unauthorized', 'has been revoked. Issue a new certificate'),
  );
  expect(await join(house, papers, issue({ name: 'gpu-2' }))).toMatchObject(
    refusal(
      403,
      'forbidden',
      'The certificate is that of the worker gpu-2, but the worker says that it is gpu-1',
    ),
  );
  expect((await join(house, papers, issue({ name: 'gpu-1' }))).status).toBe(200);
  expect(await house.store.listWorkers()).toHaveLength(1);
});

test('a token is no way in where certificates are asked for', async () => {
  const papers = new Papers();
  await using house = await House.open({ tls: papers.files });
  const secret = await house.token();
  const caller = new Caller(house.first.url, 'w1', papers.agent());
  expect(await caller.join({}, secret)).toMatchObject(refusal(401, 'unauthorized', 'no certificate'));
});

test('without an authority for clients workers join by tokens over TLS', async () => {
  const papers = new Papers({ withClients: false });
  await using house = await House.open({ tls: papers.files });
  expect(house.first.url).toMatch(/^https:/);
  const caller = new Caller(house.first.url, 'w1', papers.agent());
  expect((await caller.join({}, await house.token())).body).toMatchObject({ key: expect.any(String) });
});

test('a certificate that ends while a connection is open ends it for the worker, too', async () => {
  const papers = new Papers();
  await using house = await House.open({ tls: papers.files });
  const ending = Date.now() + 3600_000;
  const caller = new Caller(
    house.first.url,
    'gpu-1',
    papers.agent(papers.authority.issue({ name: 'gpu-1', until: ending })),
  );
  await caller.join();
  house.clock.jumpTo(ending + 1000);
  expect(await caller.post('/beat', { running: [] })).toMatchObject(
    refusal(401, 'unauthorized', 'has expired. Renew it'),
  );
});

/** The common name of the certificate that a new connection is shown. */
function nameOf(url: string, papers: Papers): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/health`, { agent: false, ca: papers.authority.cert }, (incoming) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      void text(incoming).then(() => resolve(String(subject.CN)), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

function renew(house: House): void {
  house.clock.advance(renewalIntervalMs);
  house.clock.advance(renewalIntervalMs);
}

test('a new certificate of the coordinator is taken without a restart', async () => {
  const papers = new Papers();
  await using house = await House.open({ tls: papers.files });
  expect(await nameOf(house.first.url, papers)).toBe('coordinator');
  papers.writeServer('renewed');
  renew(house);
  expect(await nameOf(house.first.url, papers)).toBe('renewed');
  writeFileSync(papers.files.certFile, 'no certificate');
  renew(house);
  expect(await nameOf(house.first.url, papers)).toBe('renewed');
  expect(house.lines.all.at(-1)).toContain('keeping the certificates in use');
});

test('a worker whose certificate is taken back is out by its next request, though it is connected', async () => {
  const papers = new Papers({ withRevocations: true });
  await using house = await House.open({ tls: papers.files });
  const [bad, good] = ['bad', 'good'].map((name) => papers.authority.issue({ name }));
  const [out, stays] = [
    new Caller(house.first.url, 'bad', papers.agent(bad)),
    new Caller(house.first.url, 'good', papers.agent(good)),
  ];
  await out.join();
  await stays.join();
  const poll = out.claim(1, 30_000);
  await until(() => house.running[0]!.waiting() === 1);
  papers.writeRevoked([bad!]);
  renew(house);
  // Who waits is sent away, so that it shows its certificate again.
  expect((await poll).body.tasks).toEqual([]);
  const answers: Answer[] = [];
  for (let attempt = 0; attempt < 2; attempt += 1) answers.push(await out.post('/beat', { running: [] }));
  expect(answers.at(-1)).toMatchObject(refusal(401, 'unauthorized', 'was revoked'));
  for (let attempt = 0; attempt < 2; attempt += 1) answers.push(await stays.post('/beat', { running: [] }));
  expect(answers.at(-1)).toMatchObject({ status: 200 });
});

test('a new authority for clients is taken without a restart', async () => {
  const papers = new Papers();
  await using house = await House.open({ tls: papers.files });
  const next = new TestAuthority('next year');
  const certificate = next.issue({ name: 'gpu-1' });
  expect((await join(house, papers, certificate)).status).toBe(401);
  writeFileSync(papers.files.clientCaFile!, papers.authority.cert + next.cert);
  renew(house);
  expect((await join(house, papers, certificate)).status).toBe(200);
});

test('a list of revocations that has ended lets nobody in, and says why', async () => {
  const papers = new Papers({ withRevocations: true });
  papers.writeRevoked([], { from: Date.now() - 3 * day, until: Date.now() - day });
  await using house = await House.open({ tls: papers.files });
  expect(await join(house, papers, papers.authority.issue({ name: 'gpu-1' }))).toMatchObject(
    refusal(401, 'unauthorized', 'the revocation list has expired'),
  );
});

test.each([
  ['certFile', 'The certificate '],
  ['keyFile', 'The key '],
  ['clientCaFile', 'The worker CA '],
  ['crlFile', 'The revocation list '],
] as const)('a coordinator without its %s says so', async (name, message) => {
  const papers = new Papers({ withRevocations: true });
  rmSync(papers.files[name]!);
  await expect(House.open({ tls: papers.files })).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(new RegExp(`^${message}.*ENOENT.*coordinator.tls`)),
  });
});

test('plain HTTP is for this machine alone', async () => {
  await expect(House.open({ host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('Refusing to serve 0.0.0.0 without TLS'),
  });
});
