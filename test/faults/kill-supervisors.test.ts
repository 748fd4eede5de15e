import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { begin, recover, waitFor, type MarkedProcess, signalMarked } from './rig/kill.ts';
import { waitForGoFile } from './workflows.ts';

const chain = (policy: string): string => `
steps:
  - name: first
    command: EFFECT
  - name: work
    command: EFFECT; test -e again || { touch again; ${waitForGoFile}; }
    ${policy}
  - name: last
    command: EFFECT
handlerOn: { failure: EFFECT, success: EFFECT, exit: EFFECT }
`;

async function startAtWork(home: FaultTestHome, policy: string): Promise<Host> {
  home.save('chain', chain(policy));
  const host = home.start(begin('chain'));
  await waitFor('the step', () => home.has('begun'));
  return host;
}

function findSupervisor(home: FaultTestHome): MarkedProcess {
  const [supervisor] = home.processes().filter(({ command }) => command.includes('supervisor'));
  expect(supervisor).toBeDefined();
  return supervisor!;
}

const none = 'continueOn: {}';
const retried = 'retryPolicy: { limit: 1, intervalSec: 0 }';
const failed = { first: 1, work: 1, '@onFailure': 1, '@onExit': 1 };
const again = { first: 1, work: 2, last: 1, '@onSuccess': 1, '@onExit': 1 };

describe.concurrent('a killed supervisor', () => {
  it.each([
    ['fails its step, since its result is unknown', none, failed, 1],
    ['leaves its step to the retry policy', retried, again, 0],
  ] as const)('%s', async (_what, policy, ran, code) => {
    await withFaultTestHome(async (home) => {
      const host = await startAtWork(home, policy);
      signalMarked(findSupervisor(home), 'SIGKILL');
      home.releaseSteps();
      expect(await host.ended).toMatchObject({ code });
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(ran);
    });
  });

  it.each([
    ['fails the step when the host is also killed', none, failed, 'failed'],
    ['leaves the step to the retry policy when the host is also killed', retried, again, 'succeeded'],
  ] as const)('%s', async (_what, policy, ran, status) => {
    await withFaultTestHome(async (home) => {
      const host = await startAtWork(home, policy);
      signalMarked(findSupervisor(home), 'SIGKILL');
      host.kill('SIGKILL');
      await host.ended;
      home.releaseSteps();
      expect(await recover(home)).toMatchObject([{ status }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(ran);
    });
  });

  it.each([
    ['fails the step when everything is killed', none, failed, 'failed'],
    ['leaves the step to the retry policy when everything is killed', retried, again, 'succeeded'],
  ] as const)('%s', async (_what, policy, ran, status) => {
    await withFaultTestHome(async (home) => {
      const host = await startAtWork(home, policy);
      for (const each of home.processes()) signalMarked(each, 'SIGKILL');
      await host.ended;
      expect(await recover(home)).toMatchObject([{ status }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(ran);
    });
  });

  it('does not stop a run: another one starts the following steps', async () => {
    await withFaultTestHome(async (home) => {
      const host = await startAtWork(home, 'continueOn: { failure: true, markSuccess: true }');
      signalMarked(findSupervisor(home), 'SIGKILL');
      home.releaseSteps();
      expect(await host.ended).toMatchObject({ code: 0 });
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ ...again, work: 1 });
    });
  });

  it('is awaited when it is slow to record an exit that only it has seen', async () => {
    await withFaultTestHome(async (home) => {
      home.save('chain', chain(none));
      const host = home.start(begin('chain'), { ENGINE_FAILPOINT: 'attempt.spawned@2:kill' });
      await host.ended;
      await waitFor('the step', () => home.has('begun'));
      const supervisor = findSupervisor(home);
      signalMarked(supervisor, 'SIGSTOP');
      home.releaseSteps();
      await waitFor('the end of the step', () => home.processes().length === 1);
      const recovery = recover(home);
      const taken = "SELECT 1 FROM event WHERE type = 'run.recovered'";
      await waitFor('the take-over', async () => (await home.query(taken)).length === 1);
      await pause(1500);
      signalMarked(supervisor, 'SIGCONT');
      expect(await recovery).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ ...again, work: 1 });
    });
  });
});
