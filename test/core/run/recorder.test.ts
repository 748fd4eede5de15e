import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { BatchOutcome, EventBatch, RunStore } from '../../../core/run/ports.ts';
import { Recorder, RunLost } from '../../../core/run/recorder.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

/** A recorder over a store that does what the test says; commits are noted by their events' messages. */
function setUp() {
  const clock = new FakeClock();
  const commits: string[][] = [];
  let refuse: AppError | undefined;
  let judge = (_batch: EventBatch): BatchOutcome => ({ outcome: 'written' });
  const append: RunStore['append'] = (batches) => {
    if (refuse !== undefined) throw refuse;
    commits.push(
      batches.flatMap(({ events }) => events.map(({ event }) => ('message' in event ? event.message : ''))),
    );
    return batches.map((batch) => judge(batch));
  };
  const reports: string[] = [];
  const logger = { info() {}, warn() {}, error: (message: string) => void reports.push(message) };
  const recorder = new Recorder({ store: { append } as RunStore, clock, logger, onWritten: () => {} });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    recorder,
    clock,
    commits,
    reports,
    turn,
    setRefusal: (error: AppError | undefined): void => void (refuse = error),
    setJudge: (next: typeof judge): void => void (judge = next),
  };
}

const note = (message: string) => ({ type: 'run.note', level: 'info', message }) as const;

describe('recorder', () => {
  test('commits everything of one turn at once, over all runs', async () => {
    const { recorder, commits } = setUp();
    const [first, second] = [recorder.openWriter(1, 1), recorder.openWriter(2, 1)];
    first.write(note('a'));
    second.write(note('b'));
    first.write(note('c'));
    await Promise.all([first.durable(), second.durable()]);
    expect(commits).toEqual([['a', 'c', 'b']]);
  });

  test('waits while the disk is full and writes everything in order once there is room', async () => {
    const { recorder, clock, commits, reports, turn, setRefusal } = setUp();
    const writer = recorder.openWriter(1, 1);
    setRefusal(new AppError('storage_full', 'no room'));
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
      reports: 2,
    });
    setRefusal(undefined);
    clock.advance(1000);
    await written;
    expect(commits).toEqual([['a', 'b']]);
  });

  test('lets go of a run whose store fails otherwise', async () => {
    const { recorder, clock, commits, setRefusal } = setUp();
    const writer = recorder.openWriter(1, 1);
    setRefusal(new AppError('database_corrupt', 'the file is damaged'));
    writer.write(note('a'));
    await expect(writer.durable()).rejects.toThrow(new RunLost('the file is damaged'));
    expect(clock.pending).toBe(0);
    expect(commits).toEqual([]);
  });

  test('lets go of the one run that another host owns now', async () => {
    const { recorder, setJudge } = setUp();
    setJudge(({ runKey }) =>
      runKey === 1 ? { outcome: 'stale', reason: 'owned by another' } : { outcome: 'written' },
    );
    const [lost, kept] = [recorder.openWriter(1, 1), recorder.openWriter(2, 1)];
    lost.write(note('a'));
    kept.write(note('b'));
    await expect(lost.durable()).rejects.toThrow(RunLost);
  });
});
