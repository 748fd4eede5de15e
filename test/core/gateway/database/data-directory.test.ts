import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataDirectory } from '../../../../core/gateway/database/embedded/data-directory.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';

/** What PostgreSQL writes first of all. */
function begin(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'PG_VERSION'), '18\n');
}

// Beside the sources lies no prepared one.
describe('a data directory where none was prepared', () => {
  it('gets its name when it is whole', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    mkdirSync(folder);
    await makeDataDirectory(folder, async (draft) => {
      begin(draft);
      expect(readdirSync(folder)).toEqual([]);
    });
    expect(readdirSync(folder)).toEqual(['PG_VERSION']);
    expect(existsSync(`${folder}.new`)).toBe(false);
  });

  it('is on the disk before it gets its name', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    const settled: string[] = [];
    await makeDataDirectory(
      folder,
      async (draft) => begin(draft),
      async (draft) => {
        settled.push(draft, ...readdirSync(draft));
        expect(existsSync(folder)).toBe(false);
      },
    );
    expect(settled).toEqual([`${folder}.new`, 'PG_VERSION']);
  });

  it('gets none while a file of it cannot be written to the disk', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    const make = async (draft: string): Promise<void> => {
      begin(draft);
      mkdirSync(join(draft, 'base'));
      symlinkSync('nowhere', join(draft, 'base/1'));
    };
    await expect(makeDataDirectory(folder, make)).rejects.toThrow(/ENOENT.*base\/1/);
    expect(existsSync(folder)).toBe(false);
  });

  it('is made anew after one that was begun and never ended', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    const fail = async (draft: string): Promise<void> => {
      begin(draft);
      throw new Error('the disk is full');
    };
    await expect(makeDataDirectory(folder, fail)).rejects.toThrow('the disk is full');
    expect(existsSync(folder)).toBe(false);
    await makeDataDirectory(folder, async (draft) => mkdirSync(draft));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is made once', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    await makeDataDirectory(folder, async (draft) => begin(draft));
    await makeDataDirectory(folder, () => Promise.reject(new Error('asked again')));
    expect(readdirSync(folder)).toEqual(['PG_VERSION']);
  });
});
