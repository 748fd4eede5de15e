import {
  chmodSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  lstatSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { hasProgram, writeTree, runArchive, runProgram, describeTree } from './archive-harness.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const longName = 'long-'.repeat(30);

/** A tree with everything that must survive: permissions, times, links, empty and large files, names of all sorts. */
function plantTree(folder: string): string {
  writeTree(folder, {
    'a.txt': 'text',
    empty: '',
    'empty-folder/': '',
    program: '#!/bin/sh\n',
    'grün/日本 – ünï.txt': 'names',
    [`${longName}/${longName}/${longName}.txt`]: 'deep',
    'large.bin': Buffer.from(Array.from({ length: 900_000 }, (_, index) => (index * 31) % 253)),
    'closed/inside.txt': 'in a folder that is not for writing',
  });
  symlinkSync('../a.txt', join(folder, 'closed/link'));
  symlinkSync('a.txt', join(folder, 'link'));
  chmodSync(join(folder, 'program'), 0o750);
  chmodSync(join(folder, 'a.txt'), 0o600);
  // Zip stores times from 1980 on; directories come last, because adding to one changes its time.
  age(folder);
  chmodSync(join(folder, 'closed'), 0o555);
  return folder;
}

function age(path: string): void {
  const stat = lstatSync(path);
  if (stat.isDirectory()) for (const name of readdirSync(path)) age(join(path, name));
  (stat.isSymbolicLink() ? lutimesSync : utimesSync)(path, 1_600_000_000, 1_600_000_001);
}

const formats = ['tar', 'tgz', 'tar.zst', 'zip'];

describe('round trip of created archives', () => {
  it.each(formats)('as %s', async (ending) => {
    const folder = makeTemporaryFolder();
    plantTree(join(folder, 'tree'));
    const config = { destination: `a.${ending}`, verifyIntegrity: true };
    const created = await runArchive('create', { source: 'tree', ...config }, folder);
    expect(created.end).toEqual({ exitCode: 0 });
    expect(created.summary).toMatchObject({ filesAdded: 9, folders: 6, failed: 0, errors: [] });
    const out = { source: `a.${ending}`, destination: 'out', verifyIntegrity: true };
    const { end, summary } = await runArchive('extract', out, folder);
    expect(end).toEqual({ exitCode: 0 });
    expect(summary).toMatchObject({ filesExtracted: 9, folders: 6, totalSize: created.summary['totalSize'] });
    expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
    chmodSync(join(folder, 'tree/closed'), 0o755);
    chmodSync(join(folder, 'out/tree/closed'), 0o755);
  });

  it.each(['tar.gz', 'zip'])('for any tree, as %s', async (ending) => {
    const name = fc.stringMatching(/^[a-zA-Z0-9 _.äß-]{1,12}$/).filter((text) => !/^\.+$/.test(text));
    const file = fc.record({
      path: fc.array(name, { minLength: 1, maxLength: 4 }),
      content: fc.uint8Array({ maxLength: 600 }),
      times: fc.nat({ max: 1000 }),
      mode: fc.constantFrom(0o600, 0o644, 0o755, 0o777),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 12 }), async (files) => {
        const folder = makeTemporaryFolder();
        mkdirSync(join(folder, 'tree'));
        for (const { path, content, times, mode } of files)
          writeEntry(join(folder, 'tree'), { path, content, times, mode });
        age(join(folder, 'tree'));
        const archive = `a.${ending}`;
        await runArchive('create', { source: 'tree', destination: archive }, folder);
        const { end } = await runArchive('extract', { source: archive, destination: 'out' }, folder);
        expect(end).toEqual({ exitCode: 0 });
        expect(describeTree(join(folder, 'out'))).toEqual(surveyOf(folder));
      }),
      { seed: 20_261_121, numRuns: propertyRuns(25) },
    );
  });
});

const surveyOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(describeTree(folder)).filter(([path]) => path === 'tree' || path.startsWith('tree/')),
  );

interface Planted {
  readonly path: readonly string[];
  readonly content: Uint8Array;
  readonly times: number;
  readonly mode: number;
}

/** A file whose path is in use, or lies in a file, is omitted. */
function writeEntry(root: string, { path, content, times, mode }: Planted): void {
  try {
    mkdirSync(join(root, ...path.slice(0, -1)), { recursive: true });
    writeFileSync(join(root, ...path), Buffer.concat(Array.from({ length: times }, () => content)), {
      flag: 'wx',
    });
    chmodSync(join(root, ...path), mode);
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code!)) throw error;
  }
}

const compressions: [string, string][] = [
  ['tar', '-cf'],
  ['tar.gz', '-czf'],
];
if (hasProgram('zstd')) compressions.push(['tar.zst', '-cf']);

describe.skipIf(!hasProgram('tar'))('with the tar of this machine', () => {
  it.each(compressions)('extracts its %s archives', async (ending, option) => {
    const folder = makeTemporaryFolder();
    plantTree(join(folder, 'tree'));
    linkSync(join(folder, 'tree/a.txt'), join(folder, 'tree/b.txt'));
    utimesSync(join(folder, 'tree'), 1_600_000_000, 1_600_000_001);
    runProgram(folder, 'tar', ...(ending === 'tar.zst' ? ['--zstd'] : []), option, 'archive', 'tree');
    // Without a telling extension: the format is detected by content.
    const { end, summary } = await runArchive('extract', { source: 'archive', destination: 'out' }, folder);
    expect(end).toEqual({ exitCode: 0 });
    expect(summary['format']).toBe(ending);
    expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
    expect(lstatSync(join(folder, 'out/tree/b.txt')).nlink).toBe(2);
    for (const tree of ['tree', 'out/tree']) chmodSync(join(folder, tree, 'closed'), 0o755);
  });

  it.each(compressions)('that tar extracts our %s', async (ending) => {
    const folder = makeTemporaryFolder();
    plantTree(join(folder, 'tree'));
    await runArchive('create', { source: 'tree', destination: `a.${ending}` }, folder);
    mkdirSync(join(folder, 'out'));
    runProgram(join(folder, 'out'), 'tar', '-xpf', `../a.${ending}`);
    expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
    for (const tree of ['tree', 'out/tree']) chmodSync(join(folder, tree, 'closed'), 0o755);
  });
});

describe.skipIf(!hasProgram('zip') || !hasProgram('unzip'))('with the zip of this machine', () => {
  it('extracts its archives', async () => {
    const folder = makeTemporaryFolder();
    plantTree(join(folder, 'tree'));
    runProgram(folder, 'zip', '-qry', 'a.zip', 'tree');
    const { end } = await runArchive('extract', { source: 'a.zip', destination: 'out' }, folder);
    expect(end).toEqual({ exitCode: 0 });
    expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
    for (const tree of ['tree', 'out/tree']) chmodSync(join(folder, tree, 'closed'), 0o755);
  });

  it('that zip extracts our archives', async () => {
    const folder = makeTemporaryFolder();
    plantTree(join(folder, 'tree'));
    await runArchive('create', { source: 'tree', destination: 'a.zip', compressionLevel: 9 }, folder);
    runProgram(folder, 'unzip', '-q', 'a.zip', '-d', 'out');
    expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
    for (const tree of ['tree', 'out/tree']) chmodSync(join(folder, tree, 'closed'), 0o755);
  });

  it('supports its passwords (ZipCrypto)', async () => {
    const folder = makeTemporaryFolder();
    writeTree(folder, { 'a.txt': 'secret '.repeat(1000) });
    runProgram(folder, 'zip', '-q', '-P', 'open sesame', 'a.zip', 'a.txt');
    const extract = { source: 'a.zip', destination: 'out' };
    expect((await runArchive('extract', extract, folder)).end.exitCode).toBe(8);
    const wrong = await runArchive('extract', { ...extract, password: 'wrong' }, folder);
    // One wrong password in 256 passes the format's own check, and then the content fails.
    expect([7, 8]).toContain(wrong.end.exitCode);
    const { end } = await runArchive('extract', { ...extract, password: 'open sesame' }, folder);
    expect(end).toEqual({ exitCode: 0 });
    expect(describeTree(join(folder, 'out'))['a.txt']).toBe(describeTree(folder)['a.txt']);
  });
});

it('encrypts zip entries with a password (AES)', async () => {
  const folder = makeTemporaryFolder();
  plantTree(join(folder, 'tree'));
  const options = { password: 'käse', verifyIntegrity: true };
  const created = await runArchive('create', { source: 'tree', destination: 'a.zip', ...options }, folder);
  expect(created.end).toEqual({ exitCode: 0 });
  const listed = await runArchive('list', { source: 'a.zip' }, folder);
  expect(listed.summary['files']).toContainEqual(
    expect.objectContaining({ name: 'tree/a.txt', encrypted: true }),
  );
  const extract = { source: 'a.zip', destination: 'out' };
  const { end } = await runArchive('extract', { ...extract, password: 'wrong' }, folder);
  expect(end).toMatchObject({ exitCode: 8, error: expect.stringContaining('password') });
  expect(
    (await runArchive('extract', { ...extract, password: 'käse', overwrite: true }, folder)).end,
  ).toEqual({ exitCode: 0 });
  expect(describeTree(join(folder, 'out/tree'))).toEqual(describeTree(join(folder, 'tree')));
  for (const tree of ['tree', 'out/tree']) chmodSync(join(folder, tree, 'closed'), 0o755);
});
