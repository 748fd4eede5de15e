import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { stdoutOf, TestEngine } from '../../../harness/engine.ts';
import { pathsIn, writeTree, runArchive, startArchive } from './archive-harness.ts';

/** Bytes that take a while to pack and unpack. */
const large = randomBytes(16 * 1024 * 1024);

const openFiles = (): number => readdirSync('/proc/self/fd').length;
const findPart = (folder: string): string | undefined =>
  readdirSync(folder).find((name) => name.endsWith('.part'));
const findsPart = (folder: string): boolean => findPart(folder) !== undefined;

/** Bytes written so far; -1 while there is nothing. */
function sizeOfPart(folder: string): number {
  const part = findPart(folder);
  return part === undefined ? -1 : statSync(join(folder, part)).size;
}

const moments = ['tar.gz', 'zip'].flatMap((ending) => [
  { ending, moment: 'as it begins', written: 0 },
  { ending, moment: 'in the middle', written: 1 },
]);

it.each(moments)(
  'a stop $moment ends the creation of $ending and leaves nothing behind',
  async ({ ending, written }) => {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'large'), large);
    const step = startArchive(
      'create',
      { source: 'large', destination: `a.${ending}`, compressionLevel: 9 },
      folder,
    );
    await until(() => sizeOfPart(folder) >= written);
    step.stop();
    expect(await step.ended).toMatchObject({ exitCode: 14 });
    expect(pathsIn(folder)).toEqual(['large']);
  },
);

it.each(['tar.gz', 'zip'])(
  'a stop ends the extraction of %s at once and leaves no partial file',
  async (ending) => {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'large'), large);
    const archive = `a.${ending}`;
    await runArchive('create', { source: 'large', destination: archive, compressionLevel: 1 }, folder);
    writeTree(folder, { 'out/': '' });
    const before = process.platform === 'linux' ? openFiles() : 0;
    const step = startArchive('extract', { source: archive, destination: 'out' }, folder);
    await until(() => findsPart(join(folder, 'out')));
    step.stop();
    expect(await step.ended).toMatchObject({ exitCode: 14 });
    expect(pathsIn(join(folder, 'out'))).toEqual([]);
    if (process.platform === 'linux') expect(openFiles()).toBeLessThanOrEqual(before);
  },
);

it('runs as a step of a workflow, with variables and with its summary as output', async () => {
  const folder = writeTree(makeTemporaryFolder(), { 'data/a.txt': 'hello', 'data/b.log': 'noise' });
  const engine = new TestEngine();
  const view = await engine.run(`
workingDir: ${folder}
env: [NAME: packed]
steps:
  - { name: pack, type: archive, command: create, config: { source: data, destination: "\${NAME}.tgz", exclude: "*.log" } }
  - { name: look, type: archive, command: list, config: { source: packed.tgz }, output: LISTED }
  - { name: unpack, type: archive, command: extract, config: { source: packed.tgz, destination: out, strip_components: 1 } }
  - { name: tell, command: 'echo "\${LISTED.totalFiles} file, \${LISTED.totalSize} bytes"' }
  - { name: missing, type: archive, command: extract, config: { source: none.zip }, continueOn: { exitCode: [3], markSuccess: true } }
`);
  expect(view.status).toBe('succeeded');
  expect(stdoutOf(view, 'tell')).toBe('1 file, 5 bytes\n');
  expect(pathsIn(join(folder, 'out'))).toEqual(['a.txt']);
  expect(JSON.parse(stdoutOf(view, 'missing'))).toMatchObject({ errors: [{ class: 'missing', code: 3 }] });
});
