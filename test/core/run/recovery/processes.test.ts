import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPidTaken } from '../../../../core/process/process-table.ts';
import { statusesOf, stdoutOf, getStep } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { eventsOf, RecoveryScenario, waitFor } from '../run-harness.ts';

const chain = (work: string, more = ''): string => `
name: chain
type: graph
steps:
  - { name: before, command: 'echo one >> order; echo 42', output: BEFORE, id: before }
  - { name: work, command: "${work}", output: WORK, depends: before ${more} }
  - { name: after, command: 'echo "\${before.exitCode} $BEFORE $WORK" >> order', depends: work }
handlerOn: { init: echo init >> order, success: echo success >> order, failure: echo failure >> order, exit: echo exit >> order }
`;

/** Starts the chain, and loses its host while the step `work` waits. */
async function loseHostDuringStep(spec: string): Promise<RecoveryScenario> {
  const relay = new RecoveryScenario();
  await relay.start(spec);
  await relay.waitForStart('work');
  const { steps } = await relay.untilRun((view) => getStep(view, 'work').attempts[0]?.pid !== undefined);
  relay.pid = steps[1]!.attempts[0]!.pid;
  await relay.onLeaseLost();
  return relay;
}

describe('running step when its host is lost', () => {
  test('is resumed: its log, its output, later steps, each handler once', async () => {
    const relay = await loseHostDuringStep(chain(`echo a; ${waitFor('work')}; echo b`));
    expect(await relay.recoverRuns()).toEqual(['chain']);
    relay.go('work');
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'succeeded', outputs: { BEFORE: '42', WORK: 'a\nb' } });
    expect(view.steps.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
    expect(stdoutOf(view, 'work')).toBe('a\nb\n');
    expect(relay.lines('order')).toEqual(['init', 'one', '0 42 a', 'b', 'success', 'exit']);
    expect(relay.lines('work.begun')).toEqual(['x']);
  });

  test('has its true exit code, which its policies evaluate', async () => {
    const policy = ', continueOn: { exitCode: [3] }';
    const relay = await loseHostDuringStep(chain(`${waitFor('work')}; exit 3`, policy));
    await relay.recoverRuns();
    relay.go('work');
    const view = await relay.end();
    expect(view.status).toBe('partially_succeeded');
    expect(getStep(view, 'work')).toMatchObject({ status: 'failed', exitCode: 3 });
    expect(getStep(view, 'after').status).toBe('succeeded');
  });

  test('and ends without a host is completed from its exit record', async () => {
    const relay = await loseHostDuringStep(chain(`${waitFor('work')}; echo b`));
    relay.go('work');
    await until(() => relay.lines('order').length === 2);
    await relay.recoverRuns();
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'succeeded', outputs: { WORK: 'b' } });
    expect(getStep(view, 'work').attempts).toHaveLength(1);
  });

  test('reports the recovery: an event, the run details, its log', async () => {
    const relay = await loseHostDuringStep(chain(waitFor('work')));
    await relay.recoverRuns();
    relay.go('work');
    const view = await relay.end();
    const [recovery] = (await eventsOf(relay.engine, relay.run)).filter(
      ({ event }) => event.type === 'run.recovered',
    );
    expect(recovery!.event).toMatchObject({
      by: expect.stringContaining(`process ${process.pid} on `),
      from: expect.stringContaining('the command (process '),
      reason: expect.stringMatching(/^the host released its runs at /),
      epoch: 2,
    });
    expect(view.recoveries).toMatchObject([{ reason: expect.stringMatching(/^the host released/) }]);
    expect(view.takeOvers).toEqual(view.recoveries);
    const log = readFileSync(path.join(view.logDir!, 'run.log'), 'utf8');
    expect(log.match(/run started\n/g)).toHaveLength(1);
    expect(log).toMatch(/run taken over by .*\n(.*\n)*.*step work succeeded\n/);
  });
});

/** Loses the process of `work`, too: it has ended without an exit record. */
async function loseProcess(spec: string): Promise<RecoveryScenario> {
  const relay = new RecoveryScenario();
  await relay.start(spec);
  await relay.waitForStart('work');
  const { logDir, steps } = await relay.untilRun(
    (view) => getStep(view, 'work').attempts[0]?.pid !== undefined,
  );
  const journal = path.join(logDir!, 'exits.jsonl');
  const before = readFileSync(journal, 'utf8');
  await relay.onLeaseLost();
  process.kill(steps[1]!.attempts[0]!.pid!, 'SIGKILL');
  await until(() => readFileSync(journal, 'utf8') !== before);
  writeFileSync(journal, before);
  return relay;
}

describe('step whose process has exited without an exit record', () => {
  const once = `if [ -e work.begun ]; then echo again; else ${waitFor('work')}; fi`;

  test('has failed, and says why', async () => {
    const relay = await loseProcess(chain(once));
    await relay.recoverRuns();
    const view = await relay.end();
    expect(getStep(view, 'work')).toMatchObject({
      status: 'failed',
      error: 'engine lost: the process ended without a monitor',
    });
    expect(statusesOf(view)).toMatchObject({ after: 'aborted', onFailure: 'succeeded', onExit: 'succeeded' });
  });

  test('is retried when its retry policy says so', async () => {
    const relay = await loseProcess(chain(once, ', retryPolicy: { limit: 1, intervalSec: 1 }'));
    await relay.recoverRuns();
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'succeeded', outputs: { WORK: 'again' } });
    expect(getStep(view, 'work').attempts).toMatchObject([
      { error: expect.stringMatching(/^engine lost/) },
      { exitCode: 0 },
    ]);
  });
});

describe('step whose output is relayed by the engine', () => {
  test('cannot continue without it: its process is ended before the retry', async () => {
    const relay = await loseHostDuringStep(
      chain(
        `if [ -e work.begun ]; then echo again; else ${waitFor('work')}; fi`,
        ', stdout: copy.txt, retryPolicy: { limit: 1, intervalSec: 0 }',
      ),
    );
    const pid = Number(relay.pid);
    await relay.recoverRuns();
    const view = await relay.end();
    expect(view).toMatchObject({ status: 'succeeded', outputs: { WORK: 'again' } });
    expect(getStep(view, 'work').attempts[0]!.error).toMatch(
      /^engine lost: the process was stopped because its output was read by the engine/,
    );
    expect(isPidTaken(pid)).toBe(false);
  });
});
