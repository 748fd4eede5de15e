import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { buildTar, pathsIn, writeTree, runArchive } from './archive-harness.ts';

const tree = {
  'src/main.ts': 'main',
  'src/deep/part.ts': 'part',
  'src/deep/notes.md': 'notes',
  'node_modules/lib/index.js': 'lib',
  'README.md': 'read me',
};
const files = Object.keys(tree);

/** A directory with the tree, packed as `a.tar` from within. */
async function packTree(): Promise<string> {
  const folder = makeTemporaryFolder();
  writeTree(folder, tree);
  const source = ['src', 'node_modules', 'README.md'];
  await runArchive('create', { source, destination: 'a.tar' }, folder);
  return folder;
}

/** The files that an extraction writes. */
async function extractFiles(folder: string, config: object): Promise<string[]> {
  const destination = 'out';
  const { end } = await runArchive('extract', { source: 'a.tar', destination, ...config }, folder);
  expect(end).toEqual({ exitCode: 0 });
  return pathsIn(join(folder, destination)).filter((path) => path.includes('.'));
}

describe('extracting', () => {
  it('applies include and exclude', async () => {
    const expectFiles = async (config: object, expected: string[]): Promise<void> => {
      expect(await extractFiles(await packTree(), config)).toEqual([...expected].sort());
    };
    await expectFiles({ include: '*.md' }, ['README.md', 'src/deep/notes.md']);
    await expectFiles(
      { include: 'src' },
      files.filter((name) => name.startsWith('src')),
    );
    await expectFiles({ include: ['src/*.ts', './README.md'] }, ['src/main.ts', 'README.md']);
    await expectFiles({ include: '**/deep/*' }, ['src/deep/part.ts', 'src/deep/notes.md']);
    await expectFiles({ exclude: ['node_modules/', '*.md'] }, ['src/main.ts', 'src/deep/part.ts']);
    await expectFiles({ include: 'src', exclude: 'src/deep' }, ['src/main.ts']);
  });

  it('strips leading directories, and skips entries without more', async () => {
    const folder = await packTree();
    expect(await extractFiles(folder, { stripComponents: 1 })).toEqual(
      ['main.ts', 'deep/part.ts', 'deep/notes.md', 'lib/index.js'].sort(),
    );
  });

  it('flattens paths', async () => {
    const folder = await packTree();
    expect(await extractFiles(folder, { preservePaths: false })).toEqual(
      ['main.ts', 'part.ts', 'notes.md', 'index.js', 'README.md'].sort(),
    );
    expect(pathsIn(join(folder, 'out'))).toHaveLength(5);
  });

  it('does not overwrite a file unless configured', async () => {
    const folder = await packTree();
    writeTree(folder, { 'out/README.md': 'mine' });
    const config = { source: 'a.tar', destination: 'out' };
    const { end } = await runArchive('extract', config, folder);
    expect(end).toMatchObject({ exitCode: 4, error: expect.stringContaining('"overwrite: true"') });
    expect(readFileSync(join(folder, 'out/README.md'), 'utf8')).toBe('mine');
    const goingOn = await runArchive(
      'extract',
      { ...config, destination: 'out', continueOnError: true },
      folder,
    );
    expect(goingOn.end).toEqual({ exitCode: 0, partial: true });
    expect((await runArchive('extract', { ...config, overwrite: true }, folder)).end).toEqual({
      exitCode: 0,
    });
    expect(readFileSync(join(folder, 'out/README.md'), 'utf8')).toBe('read me');
  });

  it('lets the last of several entries of one name win', async () => {
    const folder = makeTemporaryFolder();
    const entries = Array.from({ length: 50 }, (_, index) => ({
      name: 'a.txt',
      content: `version ${index}`,
    }));
    writeFileSync(join(folder, 'a.tar'), await buildTar(...entries));
    const config = { source: 'a.tar', destination: 'out', overwrite: true };
    await runArchive('extract', config, folder);
    expect(readFileSync(join(folder, 'out/a.txt'), 'utf8')).toBe('version 49');
    expect(pathsIn(join(folder, 'out'))).toEqual(['a.txt']);
  });

  it('only reports what it would do in a dry run', async () => {
    const folder = await packTree();
    const config = { source: 'a.tar', destination: 'out', dryRun: true };
    const { end, summary } = await runArchive('extract', config, folder);
    expect(end).toEqual({ exitCode: 0 });
    expect(summary).toMatchObject({ dryRun: true, filesExtracted: 5, totalSize: 23 });
    expect(summary['files']).toContainEqual(
      expect.objectContaining({ name: 'src/main.ts', type: 'file', size: 4 }),
    );
    expect(pathsIn(folder)).not.toContain('out');
    writeTree(folder, { 'out/README.md': 'mine' });
    expect((await runArchive('extract', config, folder)).end.exitCode).toBe(4);
  });

  it('lists each name in verbose mode', async () => {
    const folder = await packTree();
    const { stderr } = await runArchive(
      'extract',
      { source: 'a.tar', destination: 'out', verbose: true },
      folder,
    );
    expect(stderr.trimEnd().split('\n')).toEqual(expect.arrayContaining(files));
  });
});

describe('creating', () => {
  const listNames = async (folder: string, source: string): Promise<string[]> => {
    const { summary } = await runArchive('list', { source }, folder);
    return (summary['files'] as { name: string; type: string }[]).map(({ name }) => name);
  };

  it('names files relative to the working directory', async () => {
    const folder = await packTree();
    expect(await listNames(folder, 'a.tar')).toEqual(expect.arrayContaining(files));
    const outside = writeTree(makeTemporaryFolder(), { 'far/away.txt': 'x' });
    await runArchive('create', { source: [join(outside, 'far')], destination: 'b.zip' }, folder);
    expect(await listNames(folder, 'b.zip')).toEqual(['far/', 'far/away.txt']);
    await runArchive(
      'create',
      { source: '.', destination: 'c.tar.zst', exclude: ['*.zip', '*.tar'] },
      folder,
    );
    expect((await listNames(folder, 'c.tar.zst')).filter((name) => !name.endsWith('/'))).toEqual(
      [...files].sort(),
    );
  });

  it('omits excluded directories without reading them', async () => {
    const folder = await packTree();
    const config = { source: '.', destination: 'b.tar', exclude: ['node_modules', '*.tar'], include: '*.md' };
    const { summary } = await runArchive('create', config, folder);
    expect(summary['filesAdded']).toBe(2);
    expect(await listNames(folder, 'b.tar')).toEqual(['README.md', 'src/deep/notes.md']);
  });

  it('stores links, or packs their targets', async () => {
    const folder = writeTree(makeTemporaryFolder(), { 'real/a.txt': 'x' });
    symlinkSync('real', join(folder, 'alias'));
    await runArchive('create', { source: 'alias', destination: 'links.tar' }, folder);
    expect(await listNames(folder, 'links.tar')).toEqual(['alias']);
    await runArchive('create', { source: 'alias', destination: 'files.tar', followSymlinks: true }, folder);
    expect(await listNames(folder, 'files.tar')).toEqual(['alias/', 'alias/a.txt']);
    symlinkSync('..', join(folder, 'real/up'));
    const config = { source: 'real', destination: 'loop.tar', followSymlinks: true };
    const { end } = await runArchive('create', config, folder);
    expect(end).toMatchObject({ exitCode: 11, error: expect.stringContaining('followSymlinks') });
    expect(pathsIn(folder).some((path) => /loop|\.part$/.test(path))).toBe(false);
  });

  it('does not overwrite an archive unless configured, and can continue past missing files', async () => {
    const folder = writeTree(makeTemporaryFolder(), { 'a.txt': 'x', 'a.zip': 'mine' });
    const config = { source: ['missing', 'a.txt'], destination: 'a.zip' };
    expect((await runArchive('create', config, folder)).end.exitCode).toBe(4);
    const failed = await runArchive('create', { ...config, overwrite: true }, folder);
    expect(failed.end).toMatchObject({ exitCode: 3, error: expect.stringContaining('missing') });
    expect(readFileSync(join(folder, 'a.zip'), 'utf8')).toBe('mine');
    const { end } = await runArchive('create', { ...config, overwrite: true, continueOnError: true }, folder);
    expect(end).toEqual({ exitCode: 0, partial: true });
    expect(await listNames(folder, 'a.zip')).toEqual(['a.txt']);
  });

  it('flattens paths, and rejects duplicate names', async () => {
    const folder = writeTree(makeTemporaryFolder(), { 'x/a.txt': '1', 'y/a.txt': '2', 'y/b.txt': '3' });
    const config = { preservePaths: false };
    await runArchive('create', { source: 'y', destination: 'good.zip', ...config }, folder);
    expect(await listNames(folder, 'good.zip')).toEqual(['a.txt', 'b.txt']);
    const { end } = await runArchive(
      'create',
      { source: ['x', 'y'], destination: 'bad.zip', ...config },
      folder,
    );
    expect(end.exitCode).toBe(4);
  });

  it('only reports what it would do in a dry run', async () => {
    const folder = writeTree(makeTemporaryFolder(), tree);
    const { summary } = await runArchive(
      'create',
      { source: 'src', destination: 'new/a.zip', dryRun: true },
      folder,
    );
    expect(summary).toMatchObject({ filesAdded: 3, dryRun: true, format: 'zip' });
    expect(pathsIn(folder)).not.toContain('new');
  });

  it.each([
    [{ destination: 'a.bin' }, 2],
    [{ destination: 'a.tar.gz', compressionLevel: 12 }, 2],
    [{ destination: 'a.tar', password: 'x' }, 2],
    [{ destination: 'a.tar.xz', compressionLevel: 10 }, 2],
    [{ destination: 'folder', format: 'tar' }, 4],
  ])('rejects %o with exit code %i', async (config, exitCode) => {
    const folder = writeTree(makeTemporaryFolder(), { 'a.txt': 'x', 'folder/': '' });
    const { end } = await runArchive('create', { source: 'a.txt', ...config }, folder);
    expect(end.exitCode).toBe(exitCode);
    expect(pathsIn(folder)).toEqual(['a.txt', 'folder']);
  });
});

describe('listing', () => {
  it('lists at most 1,000 files, and counts all', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'many'));
    for (let index = 0; index < 1200; index += 1) writeFileSync(join(folder, 'many', `${index}`), 'x');
    await runArchive('create', { source: 'many', destination: 'a.tar' }, folder);
    const { summary } = await runArchive('list', { source: 'a.tar' }, folder);
    expect(summary).toMatchObject({ totalFiles: 1200, totalSize: 1200, filesOmitted: 201 });
    expect(summary['files']).toHaveLength(1000);
  });
});
