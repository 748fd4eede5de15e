import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { House, taskPath } from './house.ts';

test('a worker joins by a token, claims, confirms, logs, beats and settles', async () => {
  await using house = await House.open();
  const worker = await house.worker();
  const [task] = await house.offer();
  const { body: claimed } = await worker.claim();
  expect(claimed).toEqual({
    tasks: [{ key: task!.key, fence: 1, payload: task!.payload }],
    cancel: [],
    isDraining: false,
  });
  const hold = { key: task!.key, fence: 1 };
  expect((await worker.post('/begin', { holds: [hold] })).body).toEqual({ own: [task!.key] });
  const log = await worker.send(`${taskPath(hold)}/logs/stdout?offset=0`, {
    method: 'PUT',
    body: Buffer.from('hello\n'),
  });
  expect(log.body).toEqual({ size: 6 });
  expect(readFileSync(path.join(task!.place, 'stdout.log'), 'utf8')).toBe('hello\n');
  const beat = await worker.post('/beat', { running: [hold], load: 0.5, freeBytes: 1e9 });
  expect(beat.body).toEqual({ isUnknown: false, lost: [], cancel: [], isDraining: false });
  const result = JSON.stringify({ exitCode: 0 });
  const settled = await worker.post('/settle', { results: [{ ...hold, result }] });
  expect(settled.body).toEqual({ outcomes: ['settled'] });
  const again = await worker.post('/settle', { results: [{ ...hold, result }] });
  expect(again.body).toEqual({ outcomes: ['again'] });
  expect(await house.store.find([task!.key])).toMatchObject([{ state: 'settled', result }]);
  expect((await worker.post('/leave')).status).toBe(204);
});
