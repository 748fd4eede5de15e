import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DesktopMessage } from '../../core/contract/desktop-calls.ts';
import { defaultSettings } from '../../main/settings.ts';
import { readLaunchArgs } from '../../main/launch-args.ts';
import { LinkOpener, RecentFiles } from '../../main/link-opener.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

let folder: string;
let dags: string;
let shown: (string | undefined)[];
let told: DesktopMessage[];
let documents: string[];
let opener: LinkOpener;
let recent: RecentFiles;

beforeEach(() => {
  folder = makeTemporaryFolder();
  dags = path.join(folder, 'home', 'dags');
  mkdirSync(dags, { recursive: true });
  [shown, told, documents] = [[], [], []];
  const settings = {
    current: defaultSettings,
    change({ files }: { files?: { recent?: string[] } }) {
      this.current = { ...this.current, files: { recent: files?.recent ?? [] } };
    },
  };
  recent = new RecentFiles(
    settings,
    {
      addRecentDocument: (file) => void documents.push(file),
      clearRecentDocuments: () => void (documents = []),
    },
    () => {},
  );
  opener = new LinkOpener(
    (address) => shown.push(address),
    (message) => told.push(message),
    recent,
    dags,
  );
});

const write = (file: string, content: string | Uint8Array = 'steps: []\n'): string => {
  writeFileSync(file, content);
  return file;
};

describe('opening a file', () => {
  it('opens a workflow of the home in the editor', async () => {
    await opener.openFile(write(path.join(dags, 'etl.dag.yaml')));
    expect(shown).toEqual(['#/dags/etl.dag/edit']);
    expect(told).toEqual([]);
  });

  it('resolves the real folder of the home', async () => {
    symlinkSync(dags, path.join(folder, 'link'));
    write(path.join(dags, 'etl.yaml'));
    await opener.openFile(path.join(folder, 'link', 'etl.yaml'));
    expect(shown).toEqual(['#/dags/etl/edit']);
  });

  it('passes the content of another file to the page, and adds it to the recent files', async () => {
    const file = write(path.join(folder, 'other.dag.yaml'), 'steps:\n  - command: rm -rf /\n');
    await opener.openFile(file);
    expect(told).toEqual([
      { kind: 'file', fileName: 'other.dag.yaml', text: 'steps:\n  - command: rm -rf /\n' },
    ]);
    expect(recent.paths).toEqual([file]);
    expect(documents).toEqual([file]);
  });

  it.each([
    ['a missing file', () => path.join(folder, 'none.yaml'), 'file not found'],
    ['a file of another type', () => write(path.join(folder, 'a.txt')), 'not a workflow file'],
    [
      'a file that is not text',
      () => write(path.join(folder, 'a.yaml'), new Uint8Array([0xff, 0xfe])),
      'UTF-8',
    ],
    [
      'a file that is too large',
      () => write(path.join(folder, 'a.yaml'), 'x'.repeat(2 * 1_048_576 + 1)),
      'too large',
    ],
    ['a folder', () => (mkdirSync(path.join(folder, 'd.yaml')), path.join(folder, 'd.yaml')), 'not a file'],
  ])('reports %s', async (_, make, reason) => {
    expect(await opener.openFile(make())).toBe(false);
    expect(told).toEqual([
      { kind: 'notice', notice: { tone: 'error', text: expect.stringContaining(reason) as string } },
    ]);
    expect(recent.paths).toEqual([]);
  });
});

it('a broken link opens the app and shows an error on one line', () => {
  opener.openLink(`stepwright://start/\n${'x'.repeat(300)}`);
  expect(shown).toEqual([undefined]);
  const [message] = told;
  const text = message?.kind === 'notice' ? message.notice.text : '';
  expect(text).toContain('Could not open the link');
  expect(text).not.toContain('\n');
  expect(text.length).toBeLessThan(250);
});

describe('command-line arguments', () => {
  it('are searched for links and workflow files', () => {
    const words = [
      '--no-sandbox',
      '--engine-home',
      'odd.yaml',
      'a.yaml',
      '/b/c.yml',
      'stepwright://dag/x',
      'd.txt',
    ];
    expect(readLaunchArgs(words, '/srv')).toEqual({
      links: ['stepwright://dag/x'],
      files: ['/srv/a.yaml', '/b/c.yml'],
    });
  });

  it('report whether anything was opened', () => {
    expect(opener.openArgs(['--hidden', '--flag=x.yaml'], '/')).toBe(false);
    expect(opener.openArgs(['stepwright://dag/x'], '/')).toBe(true);
    expect(shown).toEqual(['#/dags/x']);
  });
});

describe('recent files', () => {
  it('are listed newest first, without duplicates, at most ten', () => {
    for (let index = 0; index < 12; index += 1) recent.add(`/d/${index}.yaml`);
    recent.add('/d/5.yaml');
    expect(recent.paths).toHaveLength(10);
    expect(recent.paths[0]).toBe('/d/5.yaml');
    expect(recent.paths.filter((file) => file === '/d/5.yaml')).toHaveLength(1);
  });

  it('with the same name show their folder', () => {
    recent.add('/a/etl.yaml');
    recent.add('/b/etl.yaml');
    recent.add('/b/x.yaml');
    expect(recent.list().map(({ name }) => name)).toEqual(['x.yaml', 'b/etl.yaml', 'a/etl.yaml']);
  });

  it('can be cleared', () => {
    recent.add('/a/etl.yaml');
    recent.clear();
    expect([recent.paths, documents]).toEqual([[], []]);
  });
});
