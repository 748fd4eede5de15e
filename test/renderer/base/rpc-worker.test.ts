import { expect, test } from 'vitest';
import { RpcWorker, RestartingRpcWorker } from '../../../renderer/base/rpc-worker.ts';
import { FakeClock } from '../../harness/fakes.ts';

/** A fake Worker; its program is the test. */
class Program extends EventTarget {
  readonly told: { readonly id: number }[] = [];
  isEnded = false;

  postMessage(message: { id: number }): void {
    this.told.push(message);
  }

  terminate(): void {
    this.isEnded = true;
  }

  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  fail(message: string): void {
    this.dispatchEvent(new ErrorEvent('error', { message }));
  }
}

function setUp() {
  const clock = new FakeClock();
  const programs: Program[] = [];
  const start = (): Worker => {
    const program = new Program();
    programs.push(program);
    return program as unknown as Worker;
  };
  const worker = new RpcWorker<{ question: string }, string>(new RestartingRpcWorker(start, clock));
  return { clock, programs, worker, last: () => programs.at(-1)! };
}

test('a worker whose script failed to load is restarted, and gets its pending requests again', async () => {
  const { clock, programs, worker, last } = setUp();
  const answer = worker.ask({ question: 'why?' });
  last().fail('');
  expect(programs).toHaveLength(1);
  clock.advance(250);
  expect(programs.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  expect(last().told).toEqual([{ id: 1, question: 'why?' }]);
  last().say({ id: 1, result: 'because' });
  expect(await answer).toBe('because');
});

test('callers get an error when it cannot be started, and can call again', async () => {
  const { clock, programs, worker, last } = setUp();
  const answer = worker.ask({ question: 'why?' }).catch(String);
  for (const wait of [250, 1000, 3000, 0]) {
    last().fail('');
    clock.advance(wait);
  }
  expect(await answer).toBe('Error: A background worker failed to load.');
  expect(programs).toHaveLength(4);
  const later = worker.ask({ question: 'and now?' });
  expect(last().told).toEqual([{ id: 2, question: 'and now?' }]);
  last().say({ id: 2, result: 'yes' });
  expect(await later).toBe('yes');
});

test('an error of a script that has responded is reported, without a restart', async () => {
  const { clock, programs, worker, last } = setUp();
  const first = worker.ask({ question: 'why?' });
  last().say({ id: 1, failure: 'no idea' });
  await expect(first).rejects.toThrow('no idea');
  const second = worker.ask({ question: 'how?' });
  last().fail('out of memory');
  await expect(second).rejects.toThrow('out of memory');
  clock.advance(10_000);
  expect(programs).toHaveLength(1);
});

test('a terminated worker is not restarted', () => {
  const { clock, programs, worker, last } = setUp();
  last().fail('');
  worker.dispose();
  clock.advance(10_000);
  expect(programs).toHaveLength(1);
});

test('pending requests get an error when it is stopped', async () => {
  const { worker, last } = setUp();
  const answer = worker.ask({ question: 'why?' }).catch(String);
  worker.dispose();
  expect(await answer).toBe('Error: The background worker was stopped.');
  expect(last().isEnded).toBe(true);
});
