import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ScheduledHome } from '../dispatch-harness.ts';

const everySecond = 'schedule: "* * * * * *"\noverlap: allow\nmaxActiveRuns: -1\nsteps: ["true"]\n';

/** A host that serves, with a run that lasts until the file `go` is there. */
async function serveWithRun() {
  const home = new ScheduledHome();
  home.write('tick', everySecond);
  const engine = await home.serve();
  const file = (name: string): string => path.join(home.home, name);
  const run = await engine.start(
    `name: long\nsteps: ["touch ${file('begun')}; while [ ! -e ${file('go')} ]; do sleep 0.01; done"]`,
  );
  await home.passUntil(() => existsSync(file('begun')));
  return { home, engine, run, detach: () => writeFileSync(file('go'), '') };
}

it('a host that pauses its services starts no due or queued runs; its active runs finish', async () => {
  const { home, engine, run, detach } = await serveWithRun();
  await home.passUntil(() => home.fireTimes().length > 1);
  const left = engine.host.pauseServices();
  const before = home.fireTimes();
  await left;
  const waiting = await engine.host.enqueueRun({
    source: { spec: 'name: later\nsteps: ["true"]' },
    trigger: 'api',
  });
  await home.pass(20);
  expect(home.fireTimes()).toEqual(before);
  expect(await engine.get(waiting)).toMatchObject({ status: 'queued', wait: { kind: 'no_host' } });
  detach();
  expect((await engine.end(run)).status).toBe('succeeded');
});

it('another host continues at once', async () => {
  const { home, engine, detach } = await serveWithRun();
  await engine.host.pauseServices();
  const last = home.fireTimes().at(-1)?.at ?? 0;
  await home.serve();
  await home.pass(10);
  await home.passUntil(() => home.fireTimes().some(({ at }) => at > last + 4000));
  const times = home.fireTimes().map(({ at }) => at);
  expect(times).toEqual(times.map((_, index) => times[0]! + 1000 * index));
  detach();
});

it('a host can serve again afterwards', async () => {
  const { home, engine, detach } = await serveWithRun();
  void engine.host.pauseServices();
  engine.host.processQueues();
  await engine.host.startScheduling();
  const before = home.fireTimes().length;
  await home.pass(5);
  await home.passUntil(() => home.fireTimes().length > before + 3);
  const waiting = await engine.host.enqueueRun({
    source: { spec: 'name: later\nsteps: ["true"]' },
    trigger: 'api',
  });
  expect((await engine.end(waiting)).status).toBe('succeeded');
  detach();
});

it('a host that closes while many times are due leaves the others to the next one', async () => {
  const home = new ScheduledHome('2026-03-10T10:04:59Z');
  const count = 40;
  for (let index = 0; index < count; index += 1)
    home.write(`tick${index}`, 'schedule: "*/5 * * * *"\noverlap: allow\nsteps: ["true"]\n');
  const first = await home.serve();
  await home.passUntil(() => home.fireTimes().length > 0);
  await home.close(first);
  const { at } = home.fireTimes()[0]!;
  await home.serve();
  await home.passUntil(() => home.fireTimes().filter((row) => row.at === at).length === count);
  expect(home.fireTimes().every(({ outcome }) => outcome === 'started')).toBe(true);
  expect(home.runs()).toHaveLength(home.fireTimes().length);
});
