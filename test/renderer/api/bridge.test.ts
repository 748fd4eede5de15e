import { expect, test } from 'vitest';
import type { PreloadApi, StreamMessage } from '../../../core/contract/transport.ts';
import { createPreloadBridge } from '../../../renderer/api/bridge.ts';

const failure = { code: 'not_found', message: 'no such run' } as const;

test('unwraps an envelope into a value or an error', async () => {
  const replies = [
    { ok: true, value: { dags: [] } },
    { ok: false, error: failure },
  ];
  const bridge = createPreloadBridge({
    call: async () => replies.shift(),
    follow: () => () => undefined,
  } as never);
  await expect(bridge.call('dags.list', {})).resolves.toEqual({ dags: [] });
  await expect(bridge.call('dags.list', {})).rejects.toMatchObject(failure);
});

test('messages of a stream reach the observer as items and an end', () => {
  let send: (message: StreamMessage<never>) => void = () => undefined;
  const api = {
    follow: (_name: string, _input: unknown, onMessage: typeof send) => ((send = onMessage), () => undefined),
  };
  const told: unknown[] = [];
  createPreloadBridge(api as unknown as PreloadApi).follow(
    'events.follow',
    {},
    {
      item: (item) => told.push(item),
      end: (error) => told.push(error),
    },
  );
  send({ kind: 'item', item: 'one' as never });
  send({ kind: 'end', error: failure });
  expect(told).toEqual(['one', failure]);
});
