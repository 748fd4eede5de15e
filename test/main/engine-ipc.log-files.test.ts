import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { expect, test } from 'vitest';
import type { EngineApi } from '../../core/index.ts';
import { registerLogFiles } from '../../main/engine-ipc.ts';
import { frames } from './frames.ts';

type Handler = (event: Pick<IpcMainInvokeEvent, 'senderFrame'>, ...given: unknown[]) => Promise<unknown>;

const attempts = [1, 2].map((attempt) => ({
  attempt,
  stdoutFile: `/home/load.${attempt}/stdout.log`,
  stderrFile: `/home/load.${attempt}/stderr.log`,
}));
const items = [{ item: 1, stdoutFile: '/home/load.2/item-1/stdout.log', stderrFile: '' }];
const answers: Record<string, unknown> = {
  'logs.bytes': {},
  'runs.get': { steps: [{ name: 'load', section: 'step', attempts }], handlers: [] },
  'runs.items': { attempt: 2, items },
};

function register(problem = '') {
  const shown: string[][] = [];
  let call: Handler | undefined;
  const ipcMain = { handle: (_: string, handler: Handler) => (call = handler) };
  const api = { call: async (name: string) => answers[name] };
  registerLogFiles(ipcMain as unknown as IpcMain, api as unknown as EngineApi, {
    openPath: async (file) => {
      shown.push(['open', file]);
      return problem;
    },
    showItemInFolder: (file) => void shown.push(['folder', file]),
  });
  return { call: call!, shown };
}

const address = { name: 'etl', dagRunId: 'r1', step: 'load' };

test('opens the log file of the attempt reported by the engine, or shows it in its folder', async () => {
  const { call, shown } = register();
  const event = { senderFrame: frames.own };
  expect(await call(event, address, 'editor')).toEqual({ ok: true, value: null });
  await call(event, { ...address, attempt: 1, stream: 'stderr' }, 'folder');
  await call(event, { ...address, item: 1 }, 'editor');
  expect(shown).toEqual([
    ['open', '/home/load.2/stdout.log'],
    ['folder', '/home/load.1/stderr.log'],
    ['open', '/home/load.2/item-1/stdout.log'],
  ]);
});

test('rejects a missing file, a failure to open it, and foreign frames', async () => {
  const { call, shown } = register('no program for it');
  const event = { senderFrame: frames.own };
  expect(await call(event, { ...address, step: '../../etc/passwd' }, 'editor')).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
  expect(await call({ senderFrame: frames['a web page'] }, address, 'editor')).toMatchObject({
    ok: false,
    error: { code: 'forbidden' },
  });
  expect(shown).toEqual([]);
  expect(await call(event, address, 'editor')).toMatchObject({
    error: { message: expect.stringContaining('no program for it') },
  });
});
