import { describe, expect, it } from 'vitest';
import { testCaller, type TestEngine } from '../../../harness/engine.ts';
import { ScheduledHome } from '../dispatch-harness.ts';

type Kind = 'start' | 'success' | 'fail';

async function openCheck(
  settings: object,
  start = '2026-03-28T10:00:00Z',
): Promise<{
  home: ScheduledHome;
  engine: TestEngine;
  ping: (kind: Kind) => Promise<unknown>;
  story: () => Promise<string[]>;
}> {
  const home = new ScheduledHome(start);
  const engine = await home.serve();
  await engine.host.api.call('pings.create', { name: 'nas', ...settings }, testCaller);
  const { id } = (await engine.host.pings.findCheck('nas'))!;
  const call = engine.host.api;
  return {
    home,
    engine,
    ping: (kind) => engine.host.pings.record(id, { at: home.clock.now(), kind }),
    story: async () => {
      const { checks } = await call.call('pings.list', {}, testCaller);
      const { pings } = await call.call('pings.history', { name: 'nas' }, testCaller);
      return [checks[0]!.status, ...pings.map(({ kind, at }) => `${kind} ${at.slice(5, 16)}`)];
    },
  };
}

describe('a missing ping', () => {
  it('is recorded once after period and grace, and over with the next ping', async () => {
    const { home, ping, story } = await openCheck({ periodSec: 3600, graceSec: 600 });
    home.clock.advance(10 * 3_600_000);
    await home.pass(6);
    expect(await story()).toEqual(['new']);
    await ping('success');
    home.clock.advance(3_601_000);
    expect(await story()).toEqual(['late', 'success 03-28T20:00']);
    home.clock.advance(600_000);
    await home.pass(20);
    expect(await story()).toEqual(['missing', 'missing 03-28T21:10', 'success 03-28T20:00']);
    await ping('success');
    expect((await story()).slice(0, 2)).toEqual(['ok', 'success 03-28T21:10']);
  });

  it('follows the schedule in its time zone, also over a change of the clock', async () => {
    const { home, ping, story } = await openCheck({
      schedule: '30 6 * * *',
      timezone: 'Europe/Berlin',
      graceSec: 1800,
    });
    await ping('success');
    home.clock.jumpTo(Date.parse('2026-03-29T04:59:00Z'));
    await home.pass(6);
    expect((await story())[0]).toBe('late');
    home.clock.jumpTo(Date.parse('2026-03-29T09:00:00Z'));
    await home.pass(6);
    // 06:30 in summer time, plus half an hour.
    expect((await story()).slice(0, 2)).toEqual(['missing', 'missing 03-29T05:00']);
  });

  it('is one whose job started and did not end in its grace time, and is decided once by two schedulers', async () => {
    const { home, ping, story } = await openCheck({ periodSec: 86_400, graceSec: 600 });
    await home.serve();
    await ping('start');
    expect((await story())[0]).toBe('running');
    home.clock.advance(601_000);
    await home.pass(20);
    expect(await story()).toEqual(['missing', 'missing 03-28T10:10', 'start 03-28T10:00']);
    await ping('fail');
    expect((await story())[0]).toBe('failed');
  });
});

describe('the history of a check', () => {
  it('keeps the last 100 pings', async () => {
    const { engine, ping } = await openCheck({ periodSec: 3600 });
    for (let count = 0; count < 105; count += 1) await ping('success');
    const history = await engine.host.api.call('pings.history', { name: 'nas', limit: 1000 }, testCaller);
    expect(history.pings).toHaveLength(100);
    expect(history.pings.at(-1)!.id).toBe('6');
  });
});
