import { describe, expect, it } from 'vitest';
import { approvalPoints, answeredPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultHome, withFaultHome } from './rig/fault-home.ts';
import { begin, killAt, recover, waitFor } from './rig/kill.ts';

/** Exit code of `engine approve` while nothing is asked. */
const notFound = 3;

const asking = `
steps:
  - name: ask
    type: approval
    config: { question: Go? }
    output: ANSWER
  - { name: a, command: EFFECT }
`;

/** Approves the one question of the run, as soon as it is asked. */
async function approve(home: FaultHome): Promise<void> {
  for (;;) {
    const { code } = await home.run(['approve', 'asking']);
    if (code === 0) return;
    expect(code).toBe(notFound);
  }
}

/** The run has ended well, it asked once, and everything was run once. */
async function expectDone(home: FaultHome): Promise<void> {
  const statusOf = () => home.query<{ status: string }>('SELECT status FROM run')[0]?.status;
  await waitFor('the end', () => statusOf() !== 'running');
  expect(statusOf()).toBe('succeeded');
  expect(home.query('SELECT attempt, decision FROM approval')).toEqual([
    { attempt: 1, decision: 'approved' },
  ]);
  await checkHome(home);
  expect(home.ranBySteps()).toEqual({ a: 1 });
}

describe.concurrent('the host of a run that asks a person, killed at a moment', () => {
  it.each(approvalPoints)('%s: the next one asks, once, and goes on with the answer', async (point) => {
    await withFaultHome(async (home) => {
      home.save('asking', asking);
      await killAt(home, point, begin('asking'));
      const next = home.start(['recover', '--format', 'json']);
      await approve(home);
      await expectDone(home);
      expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    });
  });

  it.each(answeredPoints)('%s: an answer that was given before counts', async (point) => {
    await withFaultHome(async (home) => {
      home.save('asking', asking);
      const host = home.start(begin('asking'), { ENGINE_FAILPOINT: `${point}:kill` });
      await approve(home);
      expect(await host.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await expectDone(home);
    });
  });
});
