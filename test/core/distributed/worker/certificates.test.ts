import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TestAuthority, type Issue, type IssuedCertificate } from '../../../rig/servers/authority.ts';
import { Papers } from '../coordinator/house.ts';
import { Site, type SiteWorker, commandStep, taskOf } from './site.ts';

const day = 86_400_000;
const past = { from: Date.now() - 3 * day, until: Date.now() - day };

/** A coordinator that asks for certificates, and a worker with one; what it is to be made with. */
async function meet(own: IssuedCertificate, papers: Papers, { ca = papers.authority.cert } = {}) {
  const site = await Site.open({ coordinators: 0 });
  const { url } = await site.startCoordinator(0, papers.files);
  const place = (name: string, text: string): string => {
    const file = path.join(site.folder, name);
    writeFileSync(file, text);
    return file;
  };
  const tls = { ca: place('ca.crt', ca), cert: place('own.crt', own.cert), key: place('own.key', own.key) };
  const worker = await site.startWorker({ coordinators: [url], tls });
  return { site, worker };
}

async function untilSaid(worker: SiteWorker, text: string): Promise<void> {
  await expect.poll(() => worker.lines.all.join('\n')).toContain(text);
}

test('with good certificates on both sides a worker does what it gets', async () => {
  const papers = new Papers();
  const { site, worker } = await meet(papers.authority.issue({ name: 'gpu-1' }), papers);
  await expect(worker.joined).resolves.toBe('gpu-1');
  const key = await site.offer(taskOf(commandStep('echo hello')));
  await expect(site.resultOf(key)).resolves.toMatchObject({ exitCode: 0 });
});

const servers: readonly (readonly [string, Partial<Issue>, string])[] = [
  ['that has expired', past, 'the certificate has expired'],
  ['for another name', { isElsewhere: true }, 'its certificate is for another name'],
];

test.each(servers)('a worker tells of a coordinator with a certificate %s', async (_what, issue, said) => {
  const papers = new Papers();
  const server = papers.authority.issue({ name: 'coordinator', ...issue });
  writeFileSync(papers.files.certFile, server.cert);
  writeFileSync(papers.files.keyFile, server.key);
  const { site, worker } = await meet(papers.authority.issue({ name: 'gpu-1' }), papers);
  await untilSaid(worker, said);
  expect(await site.store.listWorkers()).toEqual([]);
});

test('a worker tells of a coordinator whose authority it does not know', async () => {
  const papers = new Papers();
  const { site, worker } = await meet(papers.authority.issue({ name: 'gpu-1' }), papers, {
    ca: new TestAuthority('somebody else').cert,
  });
  await untilSaid(worker, 'signed by nobody this machine trusts');
  expect(await site.store.listWorkers()).toEqual([]);
});

test.each([
  ['has expired', (papers: Papers) => papers.authority.issue({ name: 'gpu-1', ...past })],
  ['was revoked', (papers: Papers) => revoke(papers, papers.authority.issue({ name: 'gpu-1' }))],
  ['was not made by an authority', () => new TestAuthority('another').issue({ name: 'gpu-1' })],
])('a worker whose own certificate %s ends and says so', async (said, make) => {
  const papers = new Papers({ withRevocations: true });
  const { worker } = await meet(make(papers), papers);
  await expect(worker.ended).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining(said),
  });
});

function revoke(papers: Papers, certificate: IssuedCertificate): IssuedCertificate {
  papers.writeRevoked([certificate]);
  return certificate;
}

test('a worker tells of a coordinator that speaks plain HTTP', async () => {
  const site = await Site.open();
  const coordinators = site.urls.map((url) => url.replace('http://', 'https://'));
  const { lines } = await site.startWorker({ coordinators });
  await expect.poll(() => lines.has('it speaks plain HTTP there; write http://')).toBe(true);
});
