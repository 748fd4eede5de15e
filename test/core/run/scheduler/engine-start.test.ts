import { expect, it } from 'vitest';
import { ScheduledHome, suspend } from '../dispatch-harness.ts';

const atStart = 'schedule: "@reboot"\nsteps: ["true"]\n';

it('a workflow with @reboot starts once for each start of the scheduling service', async () => {
  const home = new ScheduledHome();
  home.write('agent', atStart);
  home.write('both', 'schedule: ["@reboot", "0 12 * * *"]\nsteps: ["true"]\n');
  const first = await home.serve();
  await home.passUntil(() => home.runs().filter(({ status }) => status === 'succeeded').length === 2);
  home.write('agent', `# changed\n${atStart}`);
  home.write('late', atStart);
  await home.pass(40);
  expect(home.story()).toEqual(['10:00:00 start started', '10:00:00 start started']);
  expect(home.runs().map(({ trigger }) => trigger)).toEqual(['schedule', 'schedule']);

  await home.close(first);
  await home.serve();
  await home.passUntil(() => home.fireTimes('late').length === 1);
  expect(home.fireTimes('agent')).toHaveLength(2);
});

it('a scheduler that joins a running one and replaces it later starts nothing', async () => {
  const home = new ScheduledHome();
  home.write('agent', atStart);
  const first = await home.serve();
  await home.serve();
  await home.passUntil(() => home.runs().some(({ status }) => status === 'succeeded'));
  await home.close(first);
  await home.passUntil(() => home.schedulers().some((scheduler) => scheduler.is_active === 1));
  await home.pass(5);
  expect(home.fireTimes('agent')).toHaveLength(1);
});

it('a suspended workflow does not start, nor any while all schedules are paused', async () => {
  const home = new ScheduledHome();
  home.write('agent', atStart);
  home.write('resting', atStart);
  const first = await home.serve();
  await home.passUntil(() => home.fireTimes().length === 2);
  await suspend(first, 'resting', true);
  await home.close(first);
  const second = await home.serve();
  await home.passUntil(() => home.fireTimes('agent').length === 2);
  await second.host.api.call('schedules.pause', {}, { via: 'cli', name: 'test' });
  await home.close(second);
  await home.serve();
  await home.pass(5);
  expect(home.fireTimes('resting')).toHaveLength(1);
  expect(home.fireTimes('agent')).toHaveLength(2);
});
