import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TestEngine } from '../../../harness/engine.ts';
import { makeTemporaryFolder, onTestCleanup } from '../../../harness/resources.ts';
import { type ServedApi, serve } from '../../../harness/server.ts';

const large = 5 * 1_048_576 + 17;

/** A run with artifacts, behind a real server. */
async function openRun(): Promise<{
  readonly served: ServedApi;
  readonly at: string;
  readonly folder: string;
}> {
  const engine = new TestEngine();
  const run = await engine.run(`
workingDir: ${makeTemporaryFolder()}
steps:
  - name: make
    command: |
      mkdir out
      printf 0123456789 > 'out/größe & co.csv'
      head -c ${large} /dev/zero | tr '\\0' x > large.bin
      : > empty
    outputFiles: [large.bin, empty, 'out/*']
`);
  expect(run.status).toBe('succeeded');
  const served = await serve({ api: engine.host.api });
  onTestCleanup(() => served[Symbol.asyncDispose]());
  const at = `/api/v2/dag-runs/${run.name}/${run.dagRunId}/artifacts`;
  return { served, at, folder: path.join(run.logDir!, 'artifacts') };
}

test('sends a file of any size unchanged, as a download, with its length', async () => {
  const { served, at } = await openRun();
  const reply = await served.fetch(`${at}/large.bin`);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(large),
    'content-disposition': `attachment; filename="large.bin"; filename*=UTF-8''large.bin`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'last-modified': expect.stringMatching(/GMT$/),
    etag: expect.stringMatching(/^".+"$/),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
  expect(hash(bytes)).toBe(hash(Buffer.alloc(large, 'x')));
  const empty = await served.fetch(`${at}/empty`);
  expect([empty.status, empty.headers.get('content-length'), await empty.text()]).toEqual([200, '0', '']);
});

test('supports names with slashes and any letters; HEAD omits the bytes', async () => {
  const { served, at } = await openRun();
  const name = encodeURIComponent('größe & co.csv');
  const reply = await served.fetch(`${at}/out/${name}`);
  expect(await reply.text()).toBe('0123456789');
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="gr__e _ co.csv"; filename*=UTF-8''${name}`,
  );
  const head = await served.fetch(`${at}/out%2F${name}`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
});

test('sends ranges; a client that has the file gets 304', async () => {
  const { served, at } = await openRun();
  const url = `${at}/out/${encodeURIComponent('größe & co.csv')}`;
  const read = async (headers: Record<string, string>) => {
    const reply = await served.fetch(url, { headers });
    return [reply.status, reply.headers.get('content-range'), await reply.text()];
  };
  expect(await read({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await read({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await read({ range: 'bytes=-2' })).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await read({ range: 'bytes=0-0,5-6' })).toEqual([200, null, '0123456789']);
  const [status, range, error] = await read({ range: 'bytes=10-' });
  expect([status, range]).toEqual([416, 'bytes */10']);
  expect(JSON.parse(error as string)).toMatchObject({ code: 'bad_request' });
  const etag = (await served.fetch(url)).headers.get('etag')!;
  expect(await read({ 'if-none-match': etag })).toEqual([304, null, '']);
  expect(await read({ 'if-range': etag, range: 'bytes=9-' })).toEqual([206, 'bytes 9-9/10', '9']);
  expect(await read({ 'if-range': '"another"', range: 'bytes=9-' })).toEqual([200, null, '0123456789']);
});

test('rejects missing files, and links that lead elsewhere', async () => {
  const { served, at, folder } = await openRun();
  const read = async (name: string) => {
    const reply = await served.fetch(`${at}/${name}`);
    return [reply.status, ((await reply.json()) as { message: string }).message];
  };
  expect(await read('none.txt')).toEqual([404, expect.stringContaining('has no artifact "none.txt"')]);
  writeFileSync(path.join(folder, '../secret.txt'), 'secret');
  expect(await read('..%2Fsecret.txt')).toEqual([
    400,
    expect.stringContaining('Invalid artifact name "../secret.txt".'),
  ]);
  expect(await read('%2Fetc%2Fpasswd')).toEqual([
    400,
    expect.stringContaining('Invalid artifact name "/etc/passwd".'),
  ]);
  const nobody = await served.fetch(`/api/v2/dag-runs/nobody/none/artifacts/large.bin`);
  expect(nobody.status).toBe(404);
});

test('a file deleted while it is sent leaves the response incomplete', async () => {
  const { served, at, folder } = await openRun();
  const reply = await served.fetch(`${at}/large.bin`);
  const reader = reply.body!.getReader();
  await reader.read();
  rmSync(path.join(folder, 'large.bin'));
  const readOn = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  await expect(readOn()).rejects.toThrow('terminated');
});
