import { describe, expect, it } from 'vitest';
import { testCaller, type TestEngine } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { ScheduledHome } from '../dispatch-harness.ts';

const every10s = 'schedule: "*/10 * * * * *"\nsteps: ["true"]\n';
const hourly = 'schedule: "0 * * * *"\nsteps: ["true"]\n';

const pause = (engine: TestEngine, end?: string) =>
  engine.host.api.call('schedules.pause', end === undefined ? {} : { until: end }, testCaller);
const resume = (engine: TestEngine) => engine.host.api.call('schedules.resume', {}, testCaller);
const readPause = async (engine: TestEngine) =>
  (await engine.host.api.call('services.scheduler', {}, testCaller)).pause;

describe('pause of all schedules', () => {
  it('prevents starts until it is ended, and names who requested it', async () => {
    const home = new ScheduledHome();
    home.write('ten', every10s);
    const engine = await home.serve();
    expect(await pause(engine)).toEqual({ pause: { since: '2026-03-10T10:00:00.000Z', by: 'the test' } });
    await home.pass(30);
    expect(home.story()).toEqual([]);
    expect(await readPause(engine)).toMatchObject({ by: 'the test' });
    expect(await resume(engine)).toEqual({ wasPaused: true });
    expect(await resume(engine)).toEqual({ wasPaused: false });
    await home.pass(1);
    await until(() => home.story().length > 0);
    expect(await readPause(engine)).toBeUndefined();
    const notes = home.notes().map(({ kind, message }) => `${kind}: ${message}`);
    expect(notes).toHaveLength(2);
    expect(notes).toContain('paused: All schedules paused until resumed by the test.');
    expect(notes).toContain('paused: All schedules resumed by the test.');
  });

  it('ends by itself at its time', async () => {
    const home = new ScheduledHome();
    home.write('ten', every10s);
    const engine = await home.serve();
    await pause(engine, '2026-03-10T11:00:05Z');
    await home.pass(60);
    home.clock.jumpTo(Date.parse('2026-03-10T11:00:03Z'));
    await home.pass(1);
    expect(home.story()).toEqual([]);
    await home.passUntil(() => home.story().length > 0);
    await until(() => home.notes().some(({ message }) => message.includes('has ended')));
  });

  it('applies to a scheduler that starts meanwhile, and each workflow catches up by its policy', async () => {
    const home = new ScheduledHome('2026-03-10T09:59:50Z');
    home.write('last', `catchup: last\n${hourly}`);
    home.write('left-out', hourly);
    const first = await home.serve();
    await pause(first);
    await home.pass(5);
    await home.close(first);
    home.clock.jumpTo(Date.parse('2026-03-10T13:05:10Z'));
    const second = await home.serve();
    await home.pass(5);
    expect(home.story()).toEqual([]);
    await resume(second);
    await home.pass(2);
    await until(() => home.story().length === 1);
    expect(home.story('last')).toEqual(['13:00:00 start started']);
    expect(home.notes().filter(({ kind }) => kind === 'missed')).toHaveLength(2);
  });

  it.each(['2026-03-10T09:00:00Z', '1773132000'])(
    'that would be over already (%s) is rejected',
    async (end) => {
      const engine = await new ScheduledHome().serve();
      await expect(pause(engine, end)).rejects.toMatchObject({ code: 'bad_request' });
    },
  );
});

it('a poke makes the scheduler check the clock at once', async () => {
  const home = new ScheduledHome('2026-03-10T09:59:50Z');
  home.write('hourly', `catchup: last\n${hourly}`);
  const engine = await home.serve();
  home.clock.jumpTo(Date.parse('2026-03-10T12:30:00Z'));
  engine.host.onClockChanged();
  await until(() => home.story().length === 1);
  expect(home.notes().map(({ kind }) => kind)).toEqual(['clock_moved', 'missed']);
  // Once: the ticks that follow find nothing more.
  await home.pass(5);
  expect(home.story()).toEqual(['12:00:00 start started']);
});
