import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TestAuthority, type Issue, type IssuedCertificate } from '../../../harness/servers/certificates.ts';
import { TestCertificates } from '../../../harness/coordinator.ts';
import { Cluster, type HarnessWorker, commandStep, getTask } from '../../../harness/cluster.ts';

const day = 86_400_000;
const past = { from: Date.now() - 3 * day, until: Date.now() - day };

/** A coordinator that requires certificates, and a worker with one; how they are to be made. */
async function meet(
  own: IssuedCertificate,
  certificates: TestCertificates,
  { ca = certificates.authority.cert } = {},
) {
  const workers = await Cluster.open({ coordinators: 0 });
  const { url } = await workers.startCoordinator(0, certificates.files);
  const place = (name: string, text: string): string => {
    const file = path.join(workers.folder, name);
    writeFileSync(file, text);
    return file;
  };
  const tls = { ca: place('ca.crt', ca), cert: place('own.crt', own.cert), key: place('own.key', own.key) };
  const worker = await workers.startWorker({ coordinators: [url], tls });
  return { site: workers, worker };
}

async function untilSaid(worker: HarnessWorker, text: string): Promise<void> {
  await expect.poll(() => worker.lines.all.join('\n')).toContain(text);
}

test('a worker with valid certificates on both sides runs its tasks', async () => {
  const certificates = new TestCertificates();
  const { site: workers, worker } = await meet(certificates.authority.issue({ name: 'gpu-1' }), certificates);
  await expect(worker.joined).resolves.toBe('gpu-1');
  const key = await workers.offer(getTask(commandStep('echo hello')));
  await expect(workers.getResult(key)).resolves.toMatchObject({ exitCode: 0 });
});

const servers: readonly (readonly [string, Partial<Issue>, string])[] = [
  ['that has expired', past, 'the certificate has expired'],
  ['for another name', { isElsewhere: true }, 'the certificate is for another host name'],
];

test.each(servers)('a worker reports a coordinator with a certificate %s', async (_what, issue, said) => {
  const certificates = new TestCertificates();
  const server = certificates.authority.issue({ name: 'coordinator', ...issue });
  writeFileSync(certificates.files.certFile, server.cert);
  writeFileSync(certificates.files.keyFile, server.key);
  const { site: workers, worker } = await meet(certificates.authority.issue({ name: 'gpu-1' }), certificates);
  await untilSaid(worker, said);
  expect(await workers.store.listWorkers()).toEqual([]);
});

test('a worker reports a coordinator with an unknown authority', async () => {
  const certificates = new TestCertificates();
  const { site: workers, worker } = await meet(
    certificates.authority.issue({ name: 'gpu-1' }),
    certificates,
    {
      ca: new TestAuthority('somebody else').cert,
    },
  );
  await untilSaid(worker, 'untrusted certificate (');
  expect(await workers.store.listWorkers()).toEqual([]);
});

test.each([
  [
    'has expired',
    (certificates: TestCertificates) => certificates.authority.issue({ name: 'gpu-1', ...past }),
  ],
  [
    'has been revoked',
    (certificates: TestCertificates) => revoke(certificates, certificates.authority.issue({ name: 'gpu-1' })),
  ],
  [
    'was issued by an authority that this coordinator does not trust',
    () => new TestAuthority('another').issue({ name: 'gpu-1' }),
  ],
])('a worker whose own certificate %s ends and says so', async (said, make) => {
  const certificates = new TestCertificates({ withRevocations: true });
  const { worker } = await meet(make(certificates), certificates);
  await expect(worker.ended).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining(said),
  });
});

function revoke(certificates: TestCertificates, certificate: IssuedCertificate): IssuedCertificate {
  certificates.writeRevoked([certificate]);
  return certificate;
}

test('a worker reports a coordinator that speaks plain HTTP', async () => {
  const workers = await Cluster.open();
  const coordinators = workers.urls.map((url) => url.replace('http://', 'https://'));
  const { lines } = await workers.startWorker({ coordinators });
  await expect.poll(() => lines.has('the server uses plain HTTP; use http://')).toBe(true);
});
