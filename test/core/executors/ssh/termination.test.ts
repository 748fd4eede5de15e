import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RunResources } from '../../../../core/executors/resources.ts';
import { describeWithSsh, isRunning, sshAction } from '../../../harness/servers/ssh.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { until } from '../../../harness/resources.ts';
import { startStep, type StartedStep } from '../step-harness.ts';

/** The process id that a command prints before it is ready. */
const getPid = (step: StartedStep): number => Number(step.stdout().split('\n')[0]);

describeWithSsh('stopping a command on another host', (server) => {
  it('sends the stop signal to its whole process group', async () => {
    const step = startStep(sshAction(server(), { command: 'echo $$; echo ready; sleep 1000 | sleep 1000' }));
    await step.ready();
    const pid = getPid(step);
    await until(() => listGroup(pid).length > 2);
    step.stop();
    expect(await step.ended).toEqual({ signal: 'SIGTERM', error: 'terminated by signal SIGTERM' });
    await until(() => listGroup(pid).length === 0);
  });

  it('sends the signal that the step names', async () => {
    const command = 'trap "echo by INT; exit 5" INT; echo ready; while :; do sleep 0.02; done';
    const step = startStep(sshAction(server(), { command }), { step: { signalOnStop: 'SIGINT' } });
    await step.ready();
    step.stop();
    expect(await step.ended).toMatchObject({ exitCode: 5 });
    expect(step.stdout()).toBe('ready\nby INT\n');
  });

  it('sends SIGKILL when it ignores the signal', async () => {
    const command = 'trap "" TERM; echo $$; echo ready; while :; do sleep 0.02; done';
    const resources = new RunResources();
    const step = startStep(sshAction(server(), { command }), { cleanUpMs: 100, resources });
    await step.ready();
    const pid = getPid(step);
    step.stop();
    await step.ended;
    await resources.close();
    expect(isRunning(pid)).toBe(false);
  });

  it('ends it at once when the run is killed', async () => {
    const resources = new RunResources();
    const command = 'trap "" TERM; echo $$; echo ready; sleep 1000; sleep 1000';
    const step = startStep(sshAction(server(), { command }), { resources });
    await step.ready();
    step.kill();
    expect((await step.ended).error).toBeDefined();
    await resources.close();
    await until(() => listGroup(getPid(step)).length === 0);
    await until(() => server().connections().length === 0);
  });

  it('does not wait for processes that left its group and keep the output open', async () => {
    const clock = new FakeClock();
    const step = startStep(sshAction(server(), { command: 'setsid sleep 1000 & echo $!; echo ready' }), {
      clock,
    });
    await step.ready();
    const over = { is: false };
    void step.ended.then(() => (over.is = true));
    await until(() => {
      clock.advance(100);
      return over.is;
    });
    expect(await step.ended).toEqual({ exitCode: 0 });
    process.kill(getPid(step));
  });

  it('happens when the connection is lost, on both sides', async () => {
    const step = startStep(sshAction(server(), { command: 'echo $$; echo ready; sleep 1000' }));
    await step.ready();
    const pid = getPid(step);
    server().breakConnections();
    expect((await step.ended).error).toMatch(
      /^Lost the connection to root@.* while the command was running$/,
    );
    await until(() => !isRunning(pid));
  });

  it('needs no command when the step is stopped before', async () => {
    const step = startStep(sshAction(server(), { command: 'echo began' }));
    step.stop();
    expect(await step.ended).toEqual({ error: 'stopped before the command started' });
    expect(step.stdout()).toBe('');
  });
});

/** Live processes in a process group. */
function listGroup(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => isRunning(pid) && groupOf(pid) === group);
}

function groupOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return -1;
  }
}
