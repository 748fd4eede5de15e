import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { buildTar, pathsIn, writeTree, runArchive, type Outcome, type TarEntry } from './archive-harness.ts';

/** A directory with a sibling that the archive must not touch. */
function makePlace(): { folder: string; outside: string } {
  const root = makeTemporaryFolder();
  const folder = join(root, 'work');
  const outside = join(root, 'outside');
  mkdirSync(folder);
  writeTree(outside, { 'kept.txt': 'as it was' });
  return { folder, outside };
}

const isUntouched = (outside: string): boolean =>
  pathsIn(outside).join() === 'kept.txt' && readFileSync(join(outside, 'kept.txt'), 'utf8') === 'as it was';

async function extractTar(folder: string, entries: TarEntry[], config = {}): Promise<Outcome> {
  writeFileSync(join(folder, 'a.tar'), await buildTar(...entries));
  return runArchive('extract', { source: 'a.tar', destination: 'out', ...config }, folder);
}

async function buildZip(entries: Readonly<Record<string, string>>, options = {}): Promise<Buffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [name, content] of Object.entries(entries)) await writer.add(name, new TextReader(content));
  return Buffer.from(await writer.close());
}

async function extractZip(folder: string, archive: Buffer, config = {}): Promise<Outcome> {
  writeFileSync(join(folder, 'a.zip'), archive);
  return runArchive('extract', { source: 'a.zip', destination: 'out', ...config }, folder);
}

const hostileNames = [
  '../outside/evil.txt',
  'fine/../../outside/evil.txt',
  '/tmp/stepwright-evil.txt',
  'C:\\evil.txt',
  'c:/evil.txt',
  '..\\outside\\evil.txt',
  '\\\\host\\share\\evil.txt',
];

describe('names outside of the destination', () => {
  it.each(hostileNames)('are rejected in tar: %s', async (name) => {
    const { folder, outside } = makePlace();
    const { end, summary } = await extractTar(folder, [{ name, content: 'x' }]);
    expect(end).toMatchObject({ exitCode: 9, error: expect.stringContaining('and cannot be extracted') });
    expect(summary.errors[0]?.class).toBe('unsafe');
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
    expect(isUntouched(outside)).toBe(true);
    expect(existsSync('/tmp/stepwright-evil.txt')).toBe(false);
  });

  it.each(hostileNames)('are rejected in zip: %s', async (name) => {
    const { folder, outside } = makePlace();
    const { end } = await extractZip(folder, await buildZip({ [name]: 'x' }));
    expect(end.exitCode).toBe(9);
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
    expect(isUntouched(outside)).toBe(true);
  });

  it('do not affect other entries with continue on error', async () => {
    const { folder, outside } = makePlace();
    const entries = [
      { name: '../outside/evil.txt', content: 'x' },
      { name: 'good.txt', content: 'y' },
    ];
    const { end, summary } = await extractTar(folder, entries, { continueOnError: true });
    expect(end).toEqual({ exitCode: 0, partial: true });
    expect(summary).toMatchObject({
      filesExtracted: 1,
      failed: 1,
      errors: [{ file: '../outside/evil.txt' }],
    });
    expect(pathsIn(join(folder, 'out'))).toEqual(['good.txt']);
    expect(isUntouched(outside)).toBe(true);
  });
});

describe('links outside of the destination', () => {
  it.each([
    '../../outside',
    '/etc',
    'a/../../../outside',
    // Inside by its name, outside when "d" is a link to the destination itself.
    'd/../../outside',
    '..\\..\\outside',
  ])('are rejected in tar: %s', async (linkname) => {
    const { folder, outside } = makePlace();
    const entries: TarEntry[] = [
      { name: 'sub/link', type: 'symlink', linkname },
      { name: 'sub/link/evil.txt', content: 'x' },
    ];
    const { end } = await extractTar(folder, entries);
    expect(end.exitCode).toBe(9);
    expect(isUntouched(outside)).toBe(true);
    expect(pathsIn(folder).some((path) => path.includes('link'))).toBe(false);
  });

  it('are rejected in zip', async () => {
    const { folder, outside } = makePlace();
    const archive = await buildZip({ link: '../outside' }, { unixMode: 0o120777 });
    const { end } = await extractZip(folder, archive);
    expect(end.exitCode).toBe(9);
    expect(isUntouched(outside)).toBe(true);
  });

  it('are rejected as hard links', async () => {
    const { folder, outside } = makePlace();
    for (const linkname of ['../outside/kept.txt', join(outside, 'kept.txt')]) {
      const entries: TarEntry[] = [
        { name: 'link', type: 'link', linkname },
        { name: 'link', content: 'overwritten' },
      ];
      const { end } = await extractTar(folder, entries, { overwrite: true });
      expect(end.exitCode).toBe(9);
    }
    expect(isUntouched(outside)).toBe(true);
  });

  it('are not followed when they exist in the destination', async () => {
    const { folder, outside } = makePlace();
    mkdirSync(join(folder, 'out'));
    symlinkSync(outside, join(folder, 'out/sub'));
    for (const entries of [
      [{ name: 'sub/evil.txt', content: 'x' }],
      [{ name: 'sub/', type: 'directory' as const, mode: 0o700 }],
      [{ name: 'deep', type: 'link' as const, linkname: 'sub/kept.txt' }],
    ]) {
      const { end } = await extractTar(folder, entries, { overwrite: true });
      expect(end).toMatchObject({
        exitCode: 9,
        error: expect.stringContaining(
          'extract: "sub" in the destination is a symbolic link, and files are not extracted through links.',
        ),
      });
    }
    expect(isUntouched(outside)).toBe(true);
  });

  it('are replaced, not written through, by a file of that name', async () => {
    const { folder, outside } = makePlace();
    mkdirSync(join(folder, 'out'));
    symlinkSync(join(outside, 'kept.txt'), join(folder, 'out/file.txt'));
    const { end } = await extractTar(folder, [{ name: 'file.txt', content: 'new' }], { overwrite: true });
    expect(end).toEqual({ exitCode: 0 });
    expect(lstatSync(join(folder, 'out/file.txt')).isSymbolicLink()).toBe(false);
    expect(isUntouched(outside)).toBe(true);
  });

  it('cannot be used by the archive that contains them', async () => {
    const { folder } = makePlace();
    const entries: TarEntry[] = [
      { name: 'real/', type: 'directory' },
      { name: 'alias', type: 'symlink', linkname: 'real' },
      { name: 'alias/file.txt', content: 'x' },
    ];
    const { end } = await extractTar(folder, entries);
    expect(end.exitCode).toBe(4);
    expect(pathsIn(join(folder, 'out/real'))).toEqual([]);
  });
});

describe('bombs', () => {
  it('fail at the maximum ratio, and leave no partial file', async () => {
    const { folder } = makePlace();
    const archive = gzipSync(await buildTar({ name: 'zeros', content: Buffer.alloc(40 * 1024 * 1024) }));
    writeFileSync(join(folder, 'a.tgz'), archive);
    const config = { source: 'a.tgz', destination: 'out' };
    const { end } = await runArchive('extract', { ...config, maxRatio: 100 }, folder);
    expect(end).toMatchObject({ exitCode: 10, error: expect.stringContaining('config.maxRatio') });
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
    expect((await runArchive('extract', { ...config, maxRatio: 2000 }, folder)).end).toEqual({ exitCode: 0 });
  });

  it('fail at the maximum ratio in zip, whatever the central directory says', async () => {
    const { folder } = makePlace();
    const archive = await buildZip({ zeros: '0'.repeat(30 * 1024 * 1024) });
    const { end } = await extractZip(folder, archive, { maxRatio: 100 });
    expect(end.exitCode).toBe(10);
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
  });

  it('fail at the maximum number of entries, also when only listed', async () => {
    const { folder } = makePlace();
    const entries = Array.from({ length: 11 }, (_, index) => ({ name: `file-${index}` }));
    const { end } = await extractTar(folder, entries, { maxEntries: 10 });
    expect(end).toMatchObject({ exitCode: 10, error: expect.stringContaining('config.maxEntries') });
    const listed = await runArchive('list', { source: 'a.tar', maxEntries: 10 }, folder);
    expect(listed.end.exitCode).toBe(10);
  });
});

describe('damaged archives', () => {
  it('are rejected when they are truncated', async () => {
    const { folder } = makePlace();
    const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7919) % 251));
    const whole = await buildTar({ name: 'first', content: 'x' }, { name: 'big', content });
    const cuts: [string, Buffer][] = [
      ['a.tar', whole.subarray(0, 400_000)],
      ['a.tgz', gzipSync(whole).subarray(0, 2000)],
      ['empty.tgz', gzipSync(whole).subarray(0, 15)],
      ['a.zip', (await buildZip({ big: content.toString('latin1') })).subarray(0, 3000)],
    ];
    for (const [source, bytes] of cuts) {
      writeFileSync(join(folder, source), bytes);
      const { end } = await runArchive('extract', { source, destination: source.replace('.', '-') }, folder);
      expect([source, end.exitCode]).toEqual([source, 7]);
      const left = pathsIn(join(folder, source.replace('.', '-')));
      expect(left.filter((path) => path !== 'first')).toEqual([]);
    }
  });

  it('are rejected for a wrong checksum', async () => {
    const { folder } = makePlace();
    const archive = await buildZip({ 'a.txt': 'the content that is stored' }, { level: 0 });
    archive[archive.indexOf('content')] = 'X'.charCodeAt(0);
    const { end } = await extractZip(folder, archive);
    expect(end).toMatchObject({ exitCode: 7, error: expect.stringContaining('does not match its checksum') });
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
    const zipped = gzipSync(await buildTar({ name: 'a.txt', content: 'x' }));
    zipped[zipped.length - 6]! ^= 0xff;
    writeFileSync(join(folder, 'a.tgz'), zipped);
    const config = { source: 'a.tgz', destination: 'checked', verifyIntegrity: true };
    expect((await runArchive('extract', config, folder)).end.exitCode).toBe(7);
    expect(existsSync(join(folder, 'checked'))).toBe(false);
  });

  it('are distinguished from other formats', async () => {
    const { folder } = makePlace();
    writeTree(folder, {
      'a.zip': 'no archive at all',
      'a.tar': 'x'.repeat(2000),
      'a.txt': 'text',
      'none.zip': '',
    });
    const exitCodeOf = async (source: string): Promise<number | undefined> =>
      (await runArchive('list', { source }, folder)).end.exitCode;
    expect(await exitCodeOf('a.zip')).toBe(7);
    expect(await exitCodeOf('a.tar')).toBe(7);
    expect(await exitCodeOf('a.txt')).toBe(6);
    expect(await exitCodeOf('none.zip')).toBe(7);
    expect(await exitCodeOf('missing.zip')).toBe(3);
    expect(await exitCodeOf('.')).toBe(6);
  });

  it('without an end marker cause a warning, and are rejected when verification is on', async () => {
    const { folder } = makePlace();
    const whole = await buildTar({ name: 'a.txt', content: 'x' }, { name: 'b.txt', content: 'y' });
    writeFileSync(join(folder, 'a.tar'), whole.subarray(0, 1024));
    const told = await runArchive('extract', { source: 'a.tar', destination: 'out' }, folder);
    expect(told.end.exitCode).toBe(0);
    expect(told.stderr).toContain('warning: the archive has no end marker and may be truncated');
    const config = { source: 'a.tar', destination: 'checked', verifyIntegrity: true };
    expect((await runArchive('extract', config, folder)).end.exitCode).toBe(7);
  });
});

describe('special entries', () => {
  it.each(['fifo', 'character-device', 'block-device'] as const)('rejects %s', async (type) => {
    const { folder } = makePlace();
    const { end } = await extractTar(folder, [{ name: 'special', type }]);
    expect(end.exitCode).toBe(11);
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
  });

  it('lose set-user-id and set-group-id', async () => {
    const { folder } = makePlace();
    const entries: TarEntry[] = [
      { name: 'program', mode: 0o6755, content: 'x' },
      { name: 'shared/', type: 'directory', mode: 0o3777 },
    ];
    await extractTar(folder, entries);
    expect(lstatSync(join(folder, 'out/program')).mode & 0o7777).toBe(0o755);
    expect(lstatSync(join(folder, 'out/shared')).mode & 0o7777).toBe(0o777);
  });
});
