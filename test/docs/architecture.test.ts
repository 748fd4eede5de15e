import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORE_LAYERS, OTHER_FOLDERS } from '../../scripts/layers.ts';
import { readCodeSpans, readPage, readTable, root, withoutCode } from './read-page.ts';

const page = readPage('ARCHITECTURE.md');
const listed = readTable(page, 'Folders').flatMap(([folder = '']) => readCodeSpans(folder));

const listFolders = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);

describe('ARCHITECTURE.md', () => {
  it('lists exactly the existing folders', () => {
    const inCore = listed.filter((folder) => folder.startsWith('core/'));
    expect([...inCore].sort()).toEqual(listFolders('core').sort());
    expect(listed.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });

  it('lists every folder of the import table', () => {
    const folders = [
      ...CORE_LAYERS.filter(({ isFlat }) => !isFlat).map(({ path }) => path),
      ...Object.keys(OTHER_FOLDERS),
    ];
    expect(folders.filter((folder) => !listed.includes(folder))).toEqual([]);
  });

  it('names only existing files and folders', () => {
    const paths = readCodeSpans(withoutCode(page)).filter((code) =>
      /^(core|main|preload|renderer|scripts|test)\/[\w./-]+$/.test(code),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
