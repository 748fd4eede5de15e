import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { protocolRoot } from '../../../../core/distributed/protocol.ts';
import { renewalIntervalMs } from '../../../../core/http/tls.ts';
import { TestAuthority } from '../../../harness/servers/certificates.ts';
import { until } from '../../../harness/resources.ts';
import {
  ask,
  Caller,
  CoordinatorHarness,
  TestCertificates,
  type Answer,
} from '../../../harness/coordinator.ts';

const day = 86_400_000;

async function join(
  harness: CoordinatorHarness & { first: { url: string } },
  certificates: TestCertificates,
  certificate?: { cert: string; key: string },
  id = 'gpu-1',
): Promise<Answer> {
  return await new Caller(harness.first.url, id, certificates.agent(certificate)).join();
}

const error = (status: number, code: string, message: string): object => ({
  status,
  body: { code, message: expect.stringContaining(message) },
});

test('identifies a worker by its certificate: the common name is its id', async () => {
  const certificates = new TestCertificates();
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  const caller = new Caller(
    harness.first.url,
    'gpu-1',
    certificates.agent(certificates.authority.issue({ name: 'gpu-1' })),
  );
  const { body } = await caller.join();
  expect(body).toMatchObject({ id: 'gpu-1', epoch: expect.any(Number) });
  expect(body).not.toHaveProperty('key');
  await harness.offer();
  const hold = await caller.take();
  const settled = await caller.post('/settle', { results: [{ ...hold, result: '{}' }] });
  expect(settled.body.outcomes).toEqual(['settled']);
  // The id need not be sent in addition.
  const headers = { 'x-worker-epoch': String(caller.epoch) };
  const beat = await ask(`${harness.first.url}${protocolRoot}/beat`, {
    body: { running: [] },
    agent: caller.agent,
    headers,
  });
  expect(beat.body).toMatchObject({ isUnknown: false });
});

test('prefers a URI among the alternative names over the common name', async () => {
  const certificates = new TestCertificates();
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  const certificate = certificates.authority.issue({ name: 'Acme Inc.', uri: 'urn:stepwright:worker:gpu-1' });
  expect((await join(harness, certificates, certificate)).body).toMatchObject({ id: 'gpu-1' });
  const odd = certificates.authority.issue({ name: 'Acme Inc. & Co' });
  expect(await join(harness, certificates, odd)).toMatchObject(
    error(400, 'bad_request', 'The common name of the certificate must be a worker ID'),
  );
});

test('errors state what is wrong with a certificate', async () => {
  const certificates = new TestCertificates({ withRevocations: true });
  const issue = certificates.authority.issue.bind(certificates.authority);
  const revoked = issue({ name: 'gpu-1' });
  certificates.writeRevoked([revoked]);
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  expect(await join(harness, certificates)).toMatchObject(
    error(401, 'unauthorized', 'This coordinator requires a client certificate'),
  );
  const foreign = new TestAuthority('somebody else').issue({ name: 'gpu-1' });
  expect(await join(harness, certificates, foreign)).toMatchObject(
    error(401, 'unauthorized', 'was issued by an authority that this coordinator does not trust'),
  );
  const old = issue({ name: 'gpu-1', from: Date.now() - 3 * day, until: Date.now() - day });
  expect(await join(harness, certificates, old)).toMatchObject(
    error(401, 'unauthorized', 'The certificate of the worker has expired. Renew it.'),
  );
  const early = issue({ name: 'gpu-1', from: Date.now() + day, until: Date.now() + 2 * day });
  expect(await join(harness, certificates, early)).toMatchObject(
    error(401, 'unauthorized', 'is not valid yet'),
  );
  expect(await join(harness, certificates, revoked)).toMatchObject(
    error(401, 'unauthorized', 'has been revoked. Issue a new certificate'),
  );
  expect(await join(harness, certificates, issue({ name: 'gpu-2' }))).toMatchObject(
    error(403, 'forbidden', 'The certificate is for worker gpu-2, but the worker has the ID gpu-1'),
  );
  expect((await join(harness, certificates, issue({ name: 'gpu-1' }))).status).toBe(200);
  expect(await harness.store.listWorkers()).toHaveLength(1);
});

test('rejects tokens where certificates are required', async () => {
  const certificates = new TestCertificates();
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  const secret = await harness.token();
  const caller = new Caller(harness.first.url, 'w1', certificates.agent());
  expect(await caller.join({}, secret)).toMatchObject(
    error(401, 'unauthorized', 'requires a client certificate'),
  );
});

test('without a client authority, workers join by tokens over TLS', async () => {
  const certificates = new TestCertificates({ withClients: false });
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  expect(harness.first.url).toMatch(/^https:/);
  const caller = new Caller(harness.first.url, 'w1', certificates.agent());
  expect((await caller.join({}, await harness.token())).body).toMatchObject({ key: expect.any(String) });
});

test('closes an open connection when its certificate expires', async () => {
  const certificates = new TestCertificates();
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  const ending = Date.now() + 3600_000;
  const caller = new Caller(
    harness.first.url,
    'gpu-1',
    certificates.agent(certificates.authority.issue({ name: 'gpu-1', until: ending })),
  );
  await caller.join();
  harness.clock.jumpTo(ending + 1000);
  expect(await caller.post('/beat', { running: [] })).toMatchObject(
    error(401, 'unauthorized', 'has expired. Renew it'),
  );
});

/** The common name of the certificate that a new connection receives. */
function nameOf(url: string, certificates: TestCertificates): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/health`, { agent: false, ca: certificates.authority.cert }, (incoming) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      void text(incoming).then(() => resolve(String(subject.CN)), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

function renew(harness: CoordinatorHarness): void {
  harness.clock.advance(renewalIntervalMs);
  harness.clock.advance(renewalIntervalMs);
}

test('picks up a new coordinator certificate without a restart', async () => {
  const certificates = new TestCertificates();
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  expect(await nameOf(harness.first.url, certificates)).toBe('coordinator');
  certificates.writeServer('renewed');
  renew(harness);
  expect(await nameOf(harness.first.url, certificates)).toBe('renewed');
  writeFileSync(certificates.files.certFile, 'no certificate');
  renew(harness);
  expect(await nameOf(harness.first.url, certificates)).toBe('renewed');
  expect(harness.lines.all.at(-1)).toContain('keeping the current certificates');
});

test('rejects the next request of a worker whose certificate is revoked, even on an open connection', async () => {
  const certificates = new TestCertificates({ withRevocations: true });
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  const [bad, good] = ['bad', 'good'].map((name) => certificates.authority.issue({ name }));
  const [out, stays] = [
    new Caller(harness.first.url, 'bad', certificates.agent(bad)),
    new Caller(harness.first.url, 'good', certificates.agent(good)),
  ];
  await out.join();
  await stays.join();
  const poll = out.claim(1, 30_000);
  await until(() => harness.running[0]!.waiting() === 1);
  certificates.writeRevoked([bad!]);
  renew(harness);
  // Waiting workers are sent away, so that they present their certificate again.
  expect((await poll).body.tasks).toEqual([]);
  const answers: Answer[] = [];
  for (let attempt = 0; attempt < 2; attempt += 1) answers.push(await out.post('/beat', { running: [] }));
  expect(answers.at(-1)).toMatchObject(error(401, 'unauthorized', 'has been revoked'));
  for (let attempt = 0; attempt < 2; attempt += 1) answers.push(await stays.post('/beat', { running: [] }));
  expect(answers.at(-1)).toMatchObject({ status: 200 });
});

test('picks up a new client authority without a restart', async () => {
  const certificates = new TestCertificates();
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  const next = new TestAuthority('next year');
  const certificate = next.issue({ name: 'gpu-1' });
  expect((await join(harness, certificates, certificate)).status).toBe(401);
  writeFileSync(certificates.files.clientCaFile!, certificates.authority.cert + next.cert);
  renew(harness);
  expect((await join(harness, certificates, certificate)).status).toBe(200);
});

test('an expired revocation list rejects everyone, and says why', async () => {
  const certificates = new TestCertificates({ withRevocations: true });
  certificates.writeRevoked([], { from: Date.now() - 3 * day, until: Date.now() - day });
  await using harness = await CoordinatorHarness.open({ tls: certificates.files });
  expect(await join(harness, certificates, certificates.authority.issue({ name: 'gpu-1' }))).toMatchObject(
    error(401, 'unauthorized', 'the revocation list has expired'),
  );
});

test.each([
  ['certFile', 'Cannot read certificate '],
  ['keyFile', 'Cannot read key '],
  ['clientCaFile', 'Cannot read worker CA '],
  ['crlFile', 'Cannot read revocation list '],
] as const)('reports a coordinator without its %s', async (name, message) => {
  const certificates = new TestCertificates({ withRevocations: true });
  rmSync(certificates.files[name]!);
  await expect(CoordinatorHarness.open({ tls: certificates.files })).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(new RegExp(`^${message}.*ENOENT.*coordinator.tls`)),
  });
});

test('allows plain HTTP on loopback only', async () => {
  await expect(CoordinatorHarness.open({ host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('Refusing to serve 0.0.0.0 without TLS'),
  });
});
