import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import {
  buildTar,
  hasProgram,
  pathsIn,
  writeTree,
  runArchive,
  runProgram,
  startArchive,
  describeTree,
} from './archive-harness.ts';

const kinds = [
  ['tar.xz', 'xz', '-J'],
  ['tar.bz2', 'bzip2', '-j'],
] as const;

/** Live programs of a name that this process has started. */
const countChildren = (program: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.includes(`(${program})`) && new RegExp(`^[^Z] ${process.pid} `).test(stat.split(') ')[1]!);
    } catch {
      return false;
    }
  }).length;

describe.skipIf(!hasProgram('xz') || !hasProgram('bzip2'))('archives by external programs', () => {
  it.each(kinds)('%s: round trip of created archives, also with tar', async (format, program, option) => {
    const folder = makeTemporaryFolder();
    writeTree(join(folder, 'tree'), { 'a.txt': 'text', empty: '', 'deep/er/large': randomBytes(700_000) });
    const config = { destination: `a.${format}`, verifyIntegrity: true, compressionLevel: 0 };
    const created = await runArchive('create', { source: 'tree', ...config }, folder);
    expect(created.end).toEqual({ exitCode: 0 });
    expect(created.summary).toMatchObject({ filesAdded: 3, format });
    runProgram(folder, program, '--test', `a.${format}`);
    writeTree(folder, { 'theirs/': '' });
    runProgram(folder, 'tar', option, '-xf', `a.${format}`, '-C', 'theirs');
    expect(describeTree(join(folder, 'theirs/tree'))).toEqual(describeTree(join(folder, 'tree')));

    runProgram(folder, 'tar', option, '-cf', 'by-tar', 'tree');
    const out = { source: 'by-tar', destination: 'out', verifyIntegrity: true };
    expect((await runArchive('extract', out, folder)).end).toEqual({ exitCode: 0 });
    expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
    const listed = await runArchive('list', { source: 'by-tar' }, folder);
    expect(listed.summary).toMatchObject({ totalFiles: 3, format });
  });

  it.each(kinds)('%s: classifies damage', async (format, program) => {
    const folder = makeTemporaryFolder();
    const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7919) % 251));
    const tar = await buildTar({ name: 'big', content });
    const packed = execFileSync(program, ['--stdout'], { input: tar });
    const flipped = Buffer.from(packed);
    flipped[packed.length >> 1]! ^= 0xff;
    const files = {
      cut: packed.subarray(0, packed.length >> 1),
      flipped,
      other: Buffer.from('no archive at all'),
    };
    writeTree(folder, files);
    for (const source of Object.keys(files)) {
      const config = { source, format, destination: `out-${source}` };
      const { end } = await runArchive('extract', config, folder);
      expect([source, end.exitCode]).toEqual([source, 7]);
      // xz has one checksum for all, at the end.
      if (source !== 'flipped') expect(pathsIn(join(folder, `out-${source}`))).toEqual([]);
    }
    expect((await runArchive('list', { source: 'cut', format }, folder)).end.error).toContain(
      'list: the archive is truncated. Download or create it again',
    );
  });

  it.each(kinds)('%s: a bomb fails at the maximum ratio, and its program ends', async (format, program) => {
    const folder = makeTemporaryFolder();
    const tar = await buildTar({ name: 'zeros', content: Buffer.alloc(40 * 1024 * 1024) });
    writeFileSync(join(folder, 'a'), execFileSync(program, ['--stdout', '-1'], { input: tar }));
    const { end } = await runArchive('extract', { source: 'a', destination: 'out', maxRatio: 100 }, folder);
    expect([format, end.exitCode]).toEqual([format, 10]);
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
    await until(() => countChildren(program) === 0);
  });

  it('reject an archive that needs gigabytes of memory', async () => {
    const folder = makeTemporaryFolder();
    const tar = await buildTar({ name: 'a', content: 'x' });
    const options = ['--stdout', '--lzma2=preset=0,dict=768MiB'];
    writeFileSync(join(folder, 'a.tar.xz'), execFileSync('xz', options, { input: tar }));
    const { end } = await runArchive('extract', { source: 'a.tar.xz', destination: 'out' }, folder);
    expect(end).toMatchObject({ exitCode: 10, error: expect.stringContaining('512 MiB') });
  });

  it.each(kinds)('%s: a stop ends the program and leaves nothing behind', async (format, program) => {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'large'), randomBytes(32 * 1024 * 1024));
    const step = startArchive(
      'create',
      { source: 'large', destination: `a.${format}`, compressionLevel: 9 },
      folder,
    );
    await until(() => countChildren(program) === 1);
    step.stop();
    expect(await step.ended).toMatchObject({ exitCode: 14 });
    expect(pathsIn(folder)).toEqual(['large']);
    await until(() => countChildren(program) === 0);
  });
});

it('name the missing program', async () => {
  const folder = writeTree(makeTemporaryFolder(), { 'a.txt': 'x', 'a.tar.bz2': 'BZh9' });
  const path = process.env['PATH'];
  process.env['PATH'] = folder;
  onTestFinished(() => void (process.env['PATH'] = path));
  const created = await runArchive('create', { source: 'a.txt', destination: 'b.tar.xz' }, folder);
  expect(created.end).toMatchObject({
    exitCode: 6,
    error: expect.stringContaining(
      'create: the program "xz" was not found in PATH, which tar.xz requires. Install it, or use tar.zst or tar.gz',
    ),
  });
  const read = await runArchive('list', { source: 'a.tar.bz2' }, folder);
  expect(read.end).toMatchObject({ exitCode: 6, error: expect.stringContaining('"bzip2"') });
  expect(pathsIn(folder)).toEqual(['a.tar.bz2', 'a.txt']);
});
