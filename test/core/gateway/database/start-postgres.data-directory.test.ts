import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataDirectory } from '../../../../core/gateway/database/start-postgres.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** The first file that PostgreSQL writes. */
function begin(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'PG_VERSION'), '18\n');
}

// There is no prepared one next to the sources.
describe('a data directory without a prepared template', () => {
  it('gets its name when it is complete', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    mkdirSync(folder);
    await makeDataDirectory(folder, async (draft) => {
      begin(draft);
      expect(readdirSync(folder)).toEqual([]);
    });
    expect(readdirSync(folder)).toEqual(['PG_VERSION']);
    expect(existsSync(`${folder}.new`)).toBe(false);
  });

  it('is flushed to disk before it gets its name', async () => {
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

  it('gets no name while one of its files cannot be flushed', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    const make = async (draft: string): Promise<void> => {
      begin(draft);
      mkdirSync(join(draft, 'base'));
      symlinkSync('nowhere', join(draft, 'base/1'));
    };
    await expect(makeDataDirectory(folder, make)).rejects.toThrow(/ENOENT.*base\/1/);
    expect(existsSync(folder)).toBe(false);
  });

  it('is created again after an incomplete attempt', async () => {
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

  it('is created once', async () => {
    const folder = join(makeTemporaryFolder(), 'pgdata');
    await makeDataDirectory(folder, async (draft) => begin(draft));
    await makeDataDirectory(folder, () => Promise.reject(new Error('asked again')));
    expect(readdirSync(folder)).toEqual(['PG_VERSION']);
  });
});
