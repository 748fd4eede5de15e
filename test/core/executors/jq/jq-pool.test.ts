import { describe, expect, it } from 'vitest';
import { JqPool } from '../../../../core/executors/jq/jq-pool.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { until } from '../../../harness/resources.ts';
import { jqJob } from '../step-harness.ts';

function openPool(size: number) {
  const pool = new JqPool(size);
  const clock = new FakeClock();
  const run = (query: string, signal = new AbortController().signal) => {
    let printed = '';
    const sink = { stdout: (text: string) => void (printed += text), stderr: () => {} };
    return pool.run({ job: jqJob(query, '1'), sink, signal, clock }).then((end) => ({ ...end, printed }));
  };
  return { pool, clock, run };
}

describe('jq threads', () => {
  it('are reused for the next query, and stopped when idle', async () => {
    const { pool, clock, run } = openPool(2);
    expect(await run('. + 1')).toEqual({ exitCode: 0, printed: '2\n' });
    expect(pool.threads).toBe(1);
    clock.advance(29_000);
    expect(await run('. + 2')).toEqual({ exitCode: 0, printed: '3\n' });
    clock.advance(29_000);
    expect(pool.threads).toBe(1);
    clock.advance(1000);
    expect(pool.threads).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('never exceed the limit', async () => {
    const { pool, clock, run } = openPool(2);
    const ends = Promise.all(Array.from({ length: 7 }, (_, index) => run(`. + ${index}`)));
    expect(pool.threads).toBe(2);
    expect((await ends).map(({ printed }) => printed.trim())).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(pool.threads).toBe(2);
    clock.advance(30_000);
  });

  it('end with an aborted query, and free their slot', async () => {
    const { pool, clock, run } = openPool(1);
    await run('.');
    const [running, waiting] = [new AbortController(), new AbortController()];
    const endless = run('def f: f; f', running.signal);
    const next = run('.', waiting.signal);
    const last = run('. + 1');
    waiting.abort(new Error('no longer needed'));
    await expect(next).rejects.toThrow('no longer needed');
    running.abort(new Error('stopped'));
    await expect(endless).rejects.toThrow('stopped');
    expect(await last).toMatchObject({ printed: '2\n' });
    await until(() => pool.threads === 1);
    clock.advance(30_000);
    expect(pool.threads).toBe(0);
  });
});
