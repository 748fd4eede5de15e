import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { DeadlineThreads } from '../../../../core/process/threads/deadline-threads.ts';
import type { SampleRequest } from './sample-program.ts';

const opened: DeadlineThreads<SampleRequest, string>[] = [];
afterEach(() => Promise.all(opened.splice(0).map((threads) => threads.close())));

function openThreads({ size = 1, maxWaiting = 8, timeoutMs = 200 } = {}) {
  const threads = new DeadlineThreads<SampleRequest, string>({
    task: 'Checking the sample',
    remedy: 'Make it smaller.',
    program: new URL('./sample-program.ts', import.meta.url),
    clock: systemClock,
    timeoutMs,
    heapLimitMb: 32,
    size,
    maxWaiting,
  });
  opened.push(threads);
  return threads;
}

describe('a thread with a deadline', () => {
  test('answers one request after the other', async () => {
    const threads = openThreads();
    const answers = Promise.all([threads.run('echo'), threads.run('echo'), threads.run('echo')]);
    await expect(answers).resolves.toEqual(['echo', 'echo', 'echo']);
  });

  test('is terminated when a request takes too long, and the next request is served', async () => {
    const threads = openThreads();
    const endless = threads.run('loop');
    const next = threads.run('echo');
    await expect(endless).rejects.toThrow(
      'Checking the sample took longer than 0.2 seconds. Make it smaller.',
    );
    await expect(next).resolves.toBe('echo');
  });

  test('is terminated when a request needs too much memory', async () => {
    const threads = openThreads({ timeoutMs: 30_000 });
    await expect(threads.run('fill memory')).rejects.toMatchObject({
      code: 'bad_request',
      message: 'Checking the sample needed more than 32 MB of memory. Make it smaller.',
    });
    await expect(threads.run('echo')).resolves.toBe('echo');
  });

  test('passes on what its program throws', async () => {
    const threads = openThreads();
    await expect(threads.run('refuse')).rejects.toMatchObject({
      code: 'invalid_spec',
      message: 'The file is empty.',
    });
    await expect(threads.run('fail')).rejects.toMatchObject({
      code: 'internal_error',
      message: 'not a function',
    });
    await expect(threads.run('echo')).resolves.toBe('echo');
  });

  test('rejects requests beyond the queue limit', async () => {
    const threads = openThreads({ maxWaiting: 1 });
    const answers = [threads.run('echo'), threads.run('echo')];
    await expect(threads.run('echo')).rejects.toMatchObject({ code: 'too_many_requests' });
    await expect(Promise.all(answers)).resolves.toEqual(['echo', 'echo']);
  });

  test('rejects requests in progress, queued or sent after it was closed', async () => {
    const threads = openThreads({ timeoutMs: 30_000 });
    const all = [threads.run('loop'), threads.run('echo')].map((run) => run.catch((error: unknown) => error));
    await threads.close();
    for (const error of await Promise.all(all)) expect(error).toMatchObject({ code: 'unavailable' });
    await expect(threads.run('echo')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
