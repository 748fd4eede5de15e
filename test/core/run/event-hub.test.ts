import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { RecordedEvent } from '../../../core/model/run-event.ts';
import { EventHub } from '../../../core/run/event-hub.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { createOwnedRun, makeDatabasePath } from '../store/store-harness.ts';
import { FakeClock } from '../../harness/fakes.ts';

const note = (message: string) => ({ type: 'run.message', level: 'info', message }) as const;

function openHub(file: string) {
  const store = openStore({ file });
  const clock = new FakeClock();
  const errors: string[] = [];
  const warnings: string[] = [];
  const logger = {
    info() {},
    warn: (message: string) => void warnings.push(message),
    error: (message: string) => void errors.push(message),
  };
  const hub = new EventHub(store, clock, logger);
  onTestFinished(() => {
    hub.close();
    store.close();
  });
  return { store, clock, hub, errors, warnings };
}

const textOf = ({ event }: RecordedEvent): string => ('message' in event ? event.message : event.type);

describe('event hub', () => {
  test('delivers our own commits at once and those of another process by polling, in order, each once', async () => {
    const file = makeDatabasePath();
    const ours = openHub(file);
    const theirs = openHub(file);
    const run = await createOwnedRun(ours.store);
    const other = await createOwnedRun(theirs.store);
    const heard: string[] = [];
    ours.hub.subscribe((event) => heard.push(textOf(event)));
    await run.write([note('ours 1')]);
    ours.hub.pump();
    await tick();
    expect(heard).toEqual(['ours 1']);
    await other.write([note('theirs 1'), note('theirs 2')]);
    await run.write([note('ours 2')]);
    expect(heard).toEqual(['ours 1']);
    ours.clock.advance(75);
    await tick();
    expect(heard).toEqual(['ours 1', 'theirs 1', 'theirs 2', 'ours 2']);
    await other.write([note('theirs 3')]);
    ours.hub.pump();
    await tick();
    ours.clock.advance(1000);
    await tick();
    expect(heard.slice(4)).toEqual(['theirs 3']);
  });

  test('misses nothing that another process commits while it starts to listen', async () => {
    const file = makeDatabasePath();
    const ours = openHub(file);
    const other = await createOwnedRun(openHub(file).store);
    const { lastEventId } = ours.store;
    vi.spyOn(ours.store, 'lastEventId').mockImplementationOnce(() => {
      const last = lastEventId.call(ours.store);
      void other.write([note('meanwhile')]);
      return last;
    });
    const heard: string[] = [];
    ours.hub.subscribe((event) => heard.push(textOf(event)));
    ours.clock.advance(75);
    await tick();
    expect(heard).toEqual(['meanwhile']);
  });

  test('polls at the shortest interval of its listeners, and delivers the same to all', async () => {
    const file = makeDatabasePath();
    const ours = openHub(file);
    const other = await createOwnedRun(openHub(file).store);
    const looks = vi.spyOn(ours.store, 'dataVersion');
    const heard: string[] = [];
    const hear = (event: RecordedEvent) => heard.push(textOf(event));
    const leave = ours.hub.subscribe(hear, {}, 'patient');
    await ours.hub.ready();
    looks.mockClear();
    ours.clock.advance(3000);
    await tick();
    expect(looks).toHaveBeenCalledTimes(12);
    await other.write([note('1')]);
    ours.clock.advance(100);
    await tick();
    expect(heard).toEqual([]);
    const leavePrompt = ours.hub.subscribe((event) => hear(event));
    ours.clock.advance(75);
    await tick();
    expect(heard).toEqual(['1', '1']);
    leavePrompt();
    leavePrompt();
    await other.write([note('2')]);
    ours.clock.advance(249);
    await tick();
    expect(heard).toHaveLength(2);
    ours.clock.advance(1);
    await tick();
    expect(heard.slice(2)).toEqual(['2']);
    leave();
    expect(ours.clock.pending).toBe(0);
  });

  test('pages through more than it reads at once', async () => {
    const { store, hub } = openHub(makeDatabasePath());
    const run = await createOwnedRun(store);
    const heard: string[] = [];
    hub.subscribe((event) => heard.push(textOf(event)));
    const texts = Array.from({ length: 1201 }, (_, index) => `n${index}`);
    await run.write(texts.map(note));
    hub.pump();
    await tick();
    expect(heard).toEqual(texts);
  });

  test('delivers each event once when a listener triggers a poll, and continues when one fails', async () => {
    const { store, hub, errors } = openHub(makeDatabasePath());
    const run = await createOwnedRun(store);
    const heard: string[] = [];
    hub.subscribe(() => {
      throw new Error('no');
    });
    hub.subscribe((event) => {
      heard.push(textOf(event));
      if (heard.length === 1) hub.pump();
    });
    await run.write(['a', 'b', 'c'].map(note));
    hub.pump();
    await tick();
    expect(heard).toEqual(['a', 'b', 'c']);
    expect(errors).toHaveLength(3);
  });

  test('delivers later what cannot be read during a database outage, and reports it once', async () => {
    const { store, clock, hub, warnings } = openHub(makeDatabasePath());
    const run = await createOwnedRun(store);
    const heard: string[] = [];
    hub.subscribe((event) => heard.push(textOf(event)));
    const reading = vi
      .spyOn(store, 'listEvents')
      .mockRejectedValue(new AppError('unavailable', 'the database is away'));
    await run.write([note('a')]);
    hub.pump();
    await tick();
    clock.advance(300);
    await tick();
    expect(heard).toEqual([]);
    expect(warnings).toEqual(['Events are delayed']);
    reading.mockRestore();
    clock.advance(75);
    await tick();
    expect(heard).toEqual(['a']);
  });

  test('neither polls nor keeps a timer without listeners', async () => {
    const { store, clock, hub } = openHub(makeDatabasePath());
    const run = await createOwnedRun(store);
    expect(clock.pending).toBe(0);
    const heard: string[] = [];
    hub.subscribe((event) => heard.push(textOf(event)))();
    expect(clock.pending).toBe(0);
    await run.write([note('missed')]);
    hub.subscribe((event) => heard.push(textOf(event)));
    await run.write([note('heard')]);
    hub.pump();
    await tick();
    expect(heard).toEqual(['heard']);
  });

  test('calls a listener of a topic only for its own events, and reads the store once for all', async () => {
    const { store, hub, clock } = openHub(makeDatabasePath());
    const [one, two] = [
      await createOwnedRun(store, { name: 'x' }),
      await createOwnedRun(store, { name: 'x' }),
    ];
    const other = await createOwnedRun(store, { name: 'y' });
    const heard: string[] = [];
    const leave = [
      hub.subscribe((event) => heard.push(`all ${textOf(event)}`)),
      hub.subscribe((event) => heard.push(`x ${textOf(event)}`), { name: 'x' }),
      hub.subscribe((event) => heard.push(`two ${textOf(event)}`), { name: 'x', dagRunId: two.run.dagRunId }),
      hub.subscribe((event) => heard.push(`id ${textOf(event)}`), { dagRunId: other.run.dagRunId }),
    ];
    const many = Array.from({ length: 200 }, () =>
      hub.subscribe(() => expect.unreachable(), { name: 'nobody' }),
    );
    await one.write([note('1')]);
    await two.write([note('2')]);
    await other.write([note('3')]);
    const read = vi.spyOn(store, 'listEvents');
    hub.pump();
    await tick();
    expect(read).toHaveBeenCalledOnce();
    expect(heard).toEqual(['all 1', 'x 1', 'all 2', 'x 2', 'two 2', 'all 3', 'id 3']);
    for (const dispose of [...leave, ...many]) dispose();
    expect(clock.pending).toBe(0);
    hub.subscribe((event) => heard.push(`again ${textOf(event)}`), { name: 'x' });
    await one.write([note('4')]);
    hub.pump();
    await tick();
    expect(heard.slice(7)).toEqual(['again 4']);
  });
});
