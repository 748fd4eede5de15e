import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../core/base/errors.ts';
import { operationChannel } from '../../core/contract/transport.ts';
import type { EngineApi } from '../../core/index.ts';
import { registerOperations, type RequestedOperations } from '../../main/engine-ipc.ts';
import { isTrustedSender } from '../../main/desktop-ipc.ts';
import { frames } from './frames.ts';

type Handler = (event: Pick<IpcMainInvokeEvent, 'senderFrame'>, ...given: unknown[]) => Promise<unknown>;

function register(answer: () => unknown): { call: Handler; calls: unknown[][]; asked: RequestedOperations } {
  const calls: unknown[][] = [];
  let call: Handler | undefined;
  const ipcMain = {
    handle: (channel: string, handler: Handler) => {
      expect(channel).toBe(operationChannel);
      call = handler;
    },
  };
  const api = {
    call: async (...given: unknown[]) => {
      calls.push(given);
      return answer();
    },
  };
  const asked = registerOperations(ipcMain as unknown as IpcMain, api as unknown as EngineApi);
  return { call: call!, calls, asked };
}

describe('an operation', () => {
  test('is called as the desktop app, and its result is wrapped in an envelope', async () => {
    const { call, calls } = register(() => ({ dags: [] }));
    const reply = await call({ senderFrame: frames.own }, 'dags.list', {});
    expect(reply).toEqual({ ok: true, value: { dags: [] } });
    expect(calls).toEqual([['dags.list', {}, { via: 'ipc', name: 'window' }]]);
  });

  test('returns code, message and details of an error', async () => {
    const { call } = register(() => {
      throw new AppError('not_found', 'There is no such run', { details: { name: 'x' } });
    });
    expect(await call({ senderFrame: frames.own }, 'runs.get', {})).toEqual({
      ok: false,
      error: { code: 'not_found', message: 'There is no such run', details: { name: 'x' } },
    });
  });

  test('returns an internal error for a defect, and does not reject', async () => {
    const { call } = register(() => {
      throw new TypeError('x is undefined');
    });
    expect(await call({ senderFrame: frames.own }, 'runs.get', {})).toMatchObject({
      ok: false,
      error: { code: 'internal_error' },
    });
  });

  test.each(Object.entries(frames).filter(([name]) => name !== 'own'))(
    'is never called from a frame that is %s',
    async (_what, senderFrame) => {
      const { call, calls } = register(() => ({}));
      expect(await call({ senderFrame }, 'system.info', {})).toMatchObject({
        ok: false,
        error: { code: 'forbidden' },
      });
      expect(calls).toEqual([]);
    },
  );
});

test('pending calls can be awaited, even failed ones', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const { call, asked } = register(() => promise);
  await asked.settled();
  const order: string[] = [];
  const answered = call({ senderFrame: frames.own }, 'drafts.put', {}).then(() => order.push('answered'));
  const settled = asked.settled().then(() => order.push('settled'));
  resolve(Promise.reject(new AppError('conflict', 'Too late')));
  await Promise.all([answered, settled]);
  expect(order).toEqual(['answered', 'settled']);
});

test('successful calls are reported, failed ones are not', async () => {
  const done: string[] = [];
  let call: ((...given: unknown[]) => Promise<unknown>) | undefined;
  registerOperations(
    { handle: (_channel, handler) => void (call = handler as typeof call) },
    {
      call: (name: string) =>
        name === 'runs.get' ? Promise.reject(new AppError('not_found', 'gone')) : Promise.resolve({}),
    } as unknown as EngineApi,
    (name) => done.push(name),
  );
  for (const name of ['schedules.pause', 'runs.get']) await call!({ senderFrame: frames.own }, name, {});
  await call!({ senderFrame: null }, 'schedules.resume', {});
  expect(done).toEqual(['schedules.pause']);
});

test("only the top frame of the app's own page is trusted", () => {
  const trusted = Object.entries(frames).filter(([, senderFrame]) => isTrustedSender({ senderFrame }));
  expect(trusted.map(([name]) => name)).toEqual(['own']);
});
