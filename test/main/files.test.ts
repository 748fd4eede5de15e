import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserWindow, OpenDialogOptions, SaveDialogOptions } from 'electron';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DesktopMessage } from '../../core/contract/desktop-calls.ts';
import { AppError } from '../../core/base/errors.ts';
import type { EngineApi } from '../../core/index.ts';
import { Files } from '../../main/files.ts';
import type { RecentFiles } from '../../main/link-opener.ts';
import { makeTemporaryFolder, until } from '../harness/resources.ts';

let folder: string;
let answer: string;
let asked: { over: unknown; options: OpenDialogOptions | SaveDialogOptions }[];
let opened: string[];
let told: DesktopMessage[];
let shown: number;
let url: string | undefined;
let files: Files;

const run = { name: 'etl', dagRunId: '7' };
const log = () => path.join(folder, 'stdout.log');
const answers = (): Record<string, unknown> => ({
  'dags.get': { spec: 'steps: []  # mine\n' },
  'logs.bytes': {},
  'runs.artifactBytes': { size: 3, at: '', mark: 'one', offset: 0, data: 'Yf8K' },
  'runs.get': {
    ...run,
    status: 'failed',
    steps: [
      { name: 'load it', section: 'step', attempts: [{ attempt: 1, stdoutFile: log(), stderrFile: '' }] },
    ],
    handlers: [],
  },
});

beforeEach(() => {
  folder = makeTemporaryFolder();
  [answer, asked, opened, told, shown, url] = [path.join(folder, 'copy'), [], [], [], 0, undefined];
  const ask = (given: readonly unknown[]): void =>
    void asked.push({ over: given.length > 1 ? given[0] : undefined, options: given.at(-1) as object });
  const window = { webContents: { getURL: () => url! } } as unknown as BrowserWindow;
  files = new Files({
    dialog: {
      showOpenDialog: (...given: unknown[]) => {
        ask(given);
        return Promise.resolve({ canceled: answer === '', filePaths: answer === '' ? [] : [answer] });
      },
      showSaveDialog: (...given: unknown[]) => {
        ask(given);
        return Promise.resolve({ canceled: answer === '', filePath: answer });
      },
    },
    window: () => (url === undefined ? undefined : window),
    api: {
      call: (name: string) =>
        name in answers()
          ? Promise.resolve(answers()[name])
          : Promise.reject(new AppError('not_found', `no ${name}`)),
    } as unknown as EngineApi,
    app: { getPath: () => '/home/ada/Documents' },
    opener: {
      openFile: (file) => {
        opened.push(file);
        return Promise.resolve(true);
      },
    },
    recent: { paths: ['/srv/a.yaml'], list: () => [], clear: () => {} } as unknown as RecentFiles,
    show: () => void (shown += 1),
    notify: (message) => void told.push(message),
  });
});

describe('saving a copy', () => {
  it('writes the definition of a workflow byte for byte, and nothing else', async () => {
    const what = { kind: 'workflow', fileName: 'etl' } as const;
    expect(await files.handlers['files.export']({ what })).toEqual({ saved: answer });
    expect(readFileSync(answer, 'utf8')).toBe('steps: []  # mine\n');
    expect(asked).toMatchObject([
      { over: undefined, options: { defaultPath: path.join('/home/ada/Documents', 'etl.dag.yaml') } },
    ]);
  });

  it('writes a run as JSON, named after workflow and run', async () => {
    await files.handlers['files.export']({ what: { kind: 'run', name: 'etl', dagRunId: 'latest' } });
    expect(JSON.parse(readFileSync(answer, 'utf8'))).toMatchObject({ ...run, status: 'failed' });
    expect(asked[0]!.options.defaultPath).toMatch(/etl-7\.json$/);
  });

  it('copies the log of an attempt unchanged', async () => {
    writeFileSync(log(), new Uint8Array([0x61, 0xff, 0x0a]));
    const address = { ...run, step: 'load it', stream: 'stdout' } as const;
    await files.handlers['files.export']({ what: { kind: 'log', address } });
    expect([...readFileSync(answer)]).toEqual([0x61, 0xff, 0x0a]);
    expect(asked[0]!.options.defaultPath).toMatch(/load_it\.stdout\.log$/);
  });

  it('writes an artifact byte for byte, under the last part of its name', async () => {
    const what = { kind: 'artifact', ...run, artifact: 'plots/a.png' } as const;
    await files.handlers['files.export']({ what });
    expect([...readFileSync(answer)]).toEqual([0x61, 0xff, 0x0a]);
    expect(asked[0]!.options.defaultPath).toMatch(/Documents.a\.png$/);
  });

  it('writes nothing when the user cancels', async () => {
    answer = '';
    expect(await files.handlers['files.export']({ what: { kind: 'run', ...run } })).toEqual({});
  });

  it('reports where writing failed, and shows no dialog for a missing thing', async () => {
    answer = path.join(folder, 'missing', 'copy');
    const what = { kind: 'workflow', fileName: 'etl' } as const;
    await expect(files.handlers['files.export']({ what })).rejects.toThrow(
      `Could not write ${answer}: no such file or folder; check the path`,
    );
    const address = { ...run, step: 'other' };
    const none = files.handlers['files.export']({ what: { kind: 'log', address } });
    await expect(none).rejects.toMatchObject({ code: 'not_found' });
    expect(asked).toHaveLength(1);
  });
});

describe('choosing a path', () => {
  it('asks for a file or folder, starting at the current one', async () => {
    const choose = files.handlers['files.choose'];
    expect(await choose({ kind: 'file', title: 'Input', current: answer })).toEqual({ path: answer });
    expect(await choose({ kind: 'folder', title: 'Target', current: 'data/out' })).toEqual({ path: answer });
    expect(asked.map(({ options }) => options)).toEqual([
      { title: 'Input', properties: ['openFile'], defaultPath: answer },
      { title: 'Target', properties: ['openDirectory', 'createDirectory'] },
    ]);
    answer = '';
    expect(await choose({ kind: 'file', title: 'Input' })).toEqual({});
  });
});

describe('from the menu', () => {
  it('saves what the window shows, with a dialog on that window, and reports the path', async () => {
    url = 'app://stepwright/index.html#/runs/etl/7?step=load';
    files.exportByMenu();
    await until(() => told.length > 0);
    expect(told).toMatchObject([{ kind: 'notice', notice: { tone: 'info', text: `Saved as ${answer}` } }]);
    expect(asked[0]!.over).toBeDefined();
    expect(existsSync(answer)).toBe(true);
  });

  it.each([[undefined], ['app://stepwright/index.html#/queues']])('asks to open a page first at %s', (at) => {
    url = at;
    files.exportByMenu();
    expect(shown).toBe(1);
    expect(told).toMatchObject([{ notice: { text: expect.stringContaining('Open a workflow or run') } }]);
  });

  it('opens a file without a window, from the dialog or the list, and no other', async () => {
    files.openByMenu();
    files.openRecentByMenu('/srv/a.yaml');
    files.openRecentByMenu('/etc/passwd');
    await until(() => opened.length === 2);
    expect(opened.toSorted()).toEqual(['/srv/a.yaml', answer].toSorted());
    answer = '';
    expect(await files.handlers['files.open']({})).toEqual({ opened: false });
  });

  it('reports errors in the window', async () => {
    url = 'app://stepwright/index.html#/dags/etl';
    answer = path.join(folder, 'missing', 'copy');
    files.exportByMenu();
    await until(() => told.length > 0);
    expect([shown, told]).toMatchObject([1, [{ notice: { tone: 'error' } }]]);
  });
});
