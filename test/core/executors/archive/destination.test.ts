import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Destination } from '../../../../core/executors/archive/destination.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { pathsIn, writeTree } from './archive-harness.ts';

// Only Linux can refer to open directories, so only there the race between check and use can be closed.
if (process.platform === 'linux') {
  it('is not misled by a directory that is replaced by a link while a file is written', async () => {
    const root = makeTemporaryFolder();
    const outside = writeTree(join(root, 'outside'), { 'kept.txt': 'as it was' });
    mkdirSync(join(root, 'out'));
    const destination = await Destination.open(join(root, 'out'), { overwrite: true, dryRun: false });
    const marks = { mode: 0o644, modified: 1_700_000_000 };
    async function* content(): AsyncGenerator<Buffer> {
      renameSync(join(root, 'out/sub'), join(root, 'moved'));
      symlinkSync(outside, join(root, 'out/sub'));
      yield Buffer.from('from the archive');
    }
    await destination.writeFile(['sub', 'kept.txt'], marks, content());
    expect(readFileSync(join(root, 'moved/kept.txt'), 'utf8')).toBe('from the archive');
    await destination.close();

    const again = await Destination.open(join(root, 'out'), { overwrite: true, dryRun: false });
    await expect(again.writeFile(['sub', 'kept.txt'], marks, Buffer.from('x'))).rejects.toMatchObject({
      class: 'unsafe',
    });
    await again.close();
    expect(pathsIn(outside)).toEqual(['kept.txt']);
    expect(readFileSync(join(outside, 'kept.txt'), 'utf8')).toBe('as it was');
  });
}

it('writes to more directories than are kept open', async () => {
  const root = makeTemporaryFolder();
  const destination = await Destination.open(root, { overwrite: false, dryRun: false });
  const names = Array.from({ length: 200 }, (_, index) => `folder-${index}`);
  const marks = { mode: undefined, modified: undefined };
  await Promise.all(
    names.map((name) => destination.writeFile([name, 'deep', 'file'], marks, Buffer.from(name))),
  );
  await destination.close();
  expect(names.every((name) => readFileSync(join(root, name, 'deep/file'), 'utf8') === name)).toBe(true);
});
