import { Health } from '../../../core/base/health.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { BatchOutcome, EventBatch, RunStore } from '../../../core/store/types/runs.ts';
import { Recorder, RunLost } from '../../../core/run/recorder.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';

/** Errors that the store throws instead of writing these batches. */
type Failure = (batches: readonly EventBatch[]) => Error | undefined;

/** A recorder over a store that the test controls; commits are recorded by their events' messages. */
function setUp() {
  const clock = new FakeClock();
  const commits: string[][] = [];
  let refuse: Failure | undefined;
  let judge = (_batch: EventBatch): BatchOutcome => ({ outcome: 'written' });
  const append: RunStore['append'] = async (batches) => {
    const error = refuse?.(batches);
    if (error !== undefined) throw error;
    commits.push(
      batches.flatMap(({ events }) => events.map(({ event }) => ('message' in event ? event.message : ''))),
    );
    return { outcomes: batches.map((batch) => judge(batch)), events: [] };
  };
  const reports: string[] = [];
  const logger = { info() {}, warn() {}, error: (message: string) => void reports.push(message) };
  const health = new Health(clock);
  const recorder = new Recorder({
    store: { append } as RunStore,
    clock,
    logger,
    onWritten: () => {},
    health,
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    recorder,
    clock,
    health,
    commits,
    reports,
    turn,
    setFailure: (next: Failure | undefined): void => void (refuse = next),
    setJudge: (next: typeof judge): void => void (judge = next),
  };
}

const note = (message: string) => ({ type: 'run.message', level: 'info', message }) as const;

describe('recorder', () => {
  test('makes the start of a process wait for the next commit, but not for long', async () => {
    const { recorder, clock, commits, turn } = setUp();
    const writer = recorder.openWriter(1, 1);
    const node = { section: 'step', name: 'a' } as const;
    const spawned = { type: 'step.spawned', node, attempt: 1, pid: 1, pidStart: '' } as const;
    writer.write(spawned);
    await turn();
    expect(commits).toEqual([]);
    writer.write(note('b'));
    await turn();
    expect(commits).toEqual([['', 'b']]);
    writer.write(spawned);
    clock.advance(50);
    await turn();
    expect(commits).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test('reports which events of a failed commit may have been written', async () => {
    const { recorder, clock, turn, setFailure, setJudge } = setUp();
    const doubts: unknown[] = [];
    setJudge(({ events, inDoubt }) => {
      doubts.push([events.length, inDoubt]);
      return { outcome: 'written' };
    });
    setFailure(() => new AppError('unavailable', 'the connection was lost'));
    const writer = recorder.openWriter(1, 1);
    writer.write(note('a'));
    await turn();
    writer.write(note('b'));
    setFailure(undefined);
    clock.advance(1000);
    writer.write(note('c'));
    await turn();
    expect(doubts).toEqual([
      [2, 1],
      [1, undefined],
    ]);
  });

  test('commits everything of one tick at once, over all runs', async () => {
    const { recorder, commits } = setUp();
    const [first, second] = [recorder.openWriter(1, 1), recorder.openWriter(2, 1)];
    first.write(note('a'));
    second.write(note('b'));
    first.write(note('c'));
    await Promise.all([first.durable(), second.durable()]);
    expect(commits).toEqual([['a', 'c', 'b']]);
  });

  test.each([
    ['the disk is full', 'storage_full'],
    ['another process holds the database', 'unavailable'],
  ] as const)('waits while %s and writes everything in order afterwards', async (_why, code) => {
    const { recorder, clock, commits, reports, turn, setFailure } = setUp();
    const writer = recorder.openWriter(1, 1);
    setFailure(() => new AppError(code, 'not now'));
    writer.write(note('a'));
    let durable = false;
    const written = writer.durable().then(() => (durable = true));
    await turn();
    writer.write(note('b'));
    clock.advance(1000);
    await turn();
    expect({ durable, commits, reports: reports.length }).toEqual({
      durable: false,
      commits: [],
      reports: 1,
    });
    setFailure(undefined);
    clock.advance(1000);
    await written;
    expect(commits).toEqual([['a', 'b']]);
  });

  test('shows in the health of the host why it waits at the moment', async () => {
    const { recorder, clock, health, turn, setFailure } = setUp();
    const reasons = ['the connection was lost', 'the server is a standby'];
    const since = clock.now();
    setFailure(() => new AppError('unavailable', reasons.shift()!));
    recorder.openWriter(1, 1).write(note('a'));
    await turn();
    clock.advance(1000);
    await turn();
    expect(health.problems).toEqual([{ code: 'unavailable', message: 'the server is a standby', since }]);
    setFailure(() => new AppError('storage_full', 'the disk is full'));
    clock.advance(1000);
    await turn();
    expect(health.problems).toMatchObject([{ code: 'storage_full' }]);
    setFailure(undefined);
    clock.advance(1000);
    await turn();
    expect(health.problems).toEqual([]);
  });

  test('detaches from a run whose store fails otherwise, and reports it once', async () => {
    const { recorder, clock, commits, reports, setFailure } = setUp();
    const writer = recorder.openWriter(1, 1);
    const error = new AppError('database_corrupt', 'the file is damaged');
    setFailure(() => error);
    writer.write(note('a'));
    await expect(writer.durable()).rejects.toBe(error);
    setFailure(undefined);
    writer.write(note('b'));
    await expect(writer.durable()).rejects.toBe(error);
    expect({ timers: clock.pending, commits, reports: reports.length }).toEqual({
      timers: 0,
      commits: [],
      reports: 1,
    });
  });

  test('detaches only from the run whose events the store rejects', async () => {
    const { recorder, commits, setFailure } = setUp();
    const poison = new Error('a value that cannot be bound');
    setFailure((batches) => (batches.some(({ runKey }) => runKey === 2) ? poison : undefined));
    const writers = [1, 2, 3].map((runKey) => recorder.openWriter(runKey, 1));
    writers.forEach((writer, index) => writer.write(note(`run ${index + 1}`)));
    const outcomes = await Promise.allSettled(writers.map((writer) => writer.durable()));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(commits).toEqual([['run 1'], ['run 3']]);
  });

  test('writes nothing twice when the disk becomes full between two runs', async () => {
    const { recorder, clock, commits, setFailure } = setUp();
    const errors = [new Error('odd'), undefined, new AppError('storage_full', 'no room')];
    setFailure(() => errors.shift());
    const writers = [1, 2].map((runKey) => recorder.openWriter(runKey, 1));
    writers.forEach((writer, index) => writer.write(note(`run ${index + 1}`)));
    const written = Promise.all(writers.map((writer) => writer.durable()));
    await until(() => clock.pending > 0);
    clock.advance(1000);
    await written;
    expect(commits).toEqual([['run 1'], ['run 2']]);
  });

  test('detaches only from the run that another host owns now', async () => {
    const { recorder, setJudge } = setUp();
    setJudge(({ runKey }) =>
      runKey === 1 ? { outcome: 'stale', reason: 'owned by another' } : { outcome: 'written' },
    );
    const [lost, kept] = [recorder.openWriter(1, 1), recorder.openWriter(2, 1)];
    lost.write(note('a'));
    kept.write(note('b'));
    const ended = [lost.durable(), kept.durable()];
    await expect(ended[0]).rejects.toThrow(new RunLost('owned by another'));
    await expect(ended[1]).resolves.toBeUndefined();
  });

  test('remembers a lost run when no caller waited for that commit', async () => {
    const { recorder, turn, commits, setJudge } = setUp();
    setJudge(() => ({ outcome: 'stale', reason: 'owned by another' }));
    const writer = recorder.openWriter(1, 1);
    writer.write(note('a'));
    await turn();
    setJudge(() => ({ outcome: 'written' }));
    writer.write(note('b'));
    await expect(writer.durable()).rejects.toThrow(RunLost);
    expect(commits).toEqual([['a']]);
  });

  test('can commit at once', async () => {
    const { recorder, commits } = setUp();
    recorder.openWriter(1, 1).write(note('a'));
    await recorder.flush();
    expect(commits).toEqual([['a']]);
  });
});
