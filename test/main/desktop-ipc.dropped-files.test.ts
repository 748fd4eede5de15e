import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IpcMain } from 'electron';
import { expect, test } from 'vitest';
import { registerDroppedFiles } from '../../main/desktop-ipc.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';
import { frames } from './frames.ts';

function register() {
  let listener: ((event: unknown, files: unknown) => void) | undefined;
  const ipcMain = { on: (_: string, given: typeof listener) => (listener = given) } as unknown as IpcMain;
  const paths: string[] = [];
  registerDroppedFiles(ipcMain, { paths, add: (file) => void paths.unshift(file) });
  const folder = makeTemporaryFolder();
  const file = (name: string): string => {
    writeFileSync(path.join(folder, name), 'steps: []\n');
    return path.join(folder, name);
  };
  const notify = (files: unknown, senderFrame: unknown = frames.own): void =>
    listener!({ senderFrame }, files);
  return { paths, folder, file, notify };
}

test('dropped workflow files are added to the recent files, in order', () => {
  const { paths, file, notify } = register();
  const [one, two] = [file('one.dag.yaml'), file('two.yml')];
  notify([one, two]);
  expect(paths).toEqual([one, two]);
  notify([one]);
  expect(paths).toEqual([one, two]);
});

test('other files, and files not on disk, are not', () => {
  const { paths, folder, file, notify } = register();
  mkdirSync(path.join(folder, 'folder.yaml'));
  notify([
    '',
    'other.yaml',
    file('load.sh'),
    path.join(folder, 'gone.yaml'),
    path.join(folder, 'folder.yaml'),
    1,
  ]);
  notify('one.yaml');
  notify([file('mine.yaml')], frames['a web page']);
  notify(Array.from({ length: 30 }, (_, index) => file(`${index}.yaml`)));
  expect(paths).toHaveLength(10);
});
