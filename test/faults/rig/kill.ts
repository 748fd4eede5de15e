import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FaultHome, Host } from './fault-home.ts';
import type { Moment } from './moments.ts';
import { isHalted } from './processes.ts';
import { waitFor } from './wait-for.ts';

/** Words that start a workflow of the home in its working directory. */
export const begin = (name: string): string[] => ['start', name, '--quiet', '--default-working-dir', '.'];

/**
 * Runs a command that must be killed at the moment. Some time after its moment it may have come to its end by itself.
 * @param said what it says to people before that
 */
export async function killAt(
  home: FaultHome,
  moment: Moment | string,
  words: readonly string[],
  said = /^$/,
): Promise<void> {
  const { point, afterMs } = readMoment(moment);
  const host = home.start(words, { ENGINE_FAILPOINT: wishFor(moment) });
  killAfter(host, moment);
  const { signal, stderr } = await host.ended;
  expect(stderr).toMatch(said);
  if (afterMs === 0 || signal !== null) expect({ point, signal }).toEqual({ point, signal: 'SIGKILL' });
}

const readMoment = (moment: Moment | string): Moment =>
  typeof moment === 'string' ? { point: moment, afterMs: 0 } : moment;

/** What `ENGINE_FAILPOINT` is for a moment: some time after it is counted from a halt there. */
const wishFor = (moment: Moment | string): string => {
  const { point, afterMs } = readMoment(moment);
  return `${point}:${afterMs === 0 ? 'kill' : 'stop'}`;
};

/** Waits for the halt at the moment, lets the host go on and kills it when its time is over. */
function killAfter(host: Host, moment: Moment | string): void {
  const { afterMs } = readMoment(moment);
  if (afterMs === 0) return;
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  void waitFor('the moment', () => isOver || isHalted(host.pid)).then(
    async () => {
      if (isOver) return;
      host.kill('SIGCONT');
      await pause(afterMs);
      host.kill('SIGKILL');
    },
    () => host.kill('SIGTERM'),
  );
}

/** Recovers what there is, and tells how the runs ended. */
export async function recover(home: FaultHome): Promise<unknown> {
  const { code, stdout, stderr } = await home.run(['recover', '--format', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { dagRuns: unknown }).dagRuns;
}

/** Starts a host that lives long and is to be killed at the moment; resolves as `serve` does. */
export function serveUntil(home: FaultHome, moment: Moment, words: readonly string[]): Promise<Host> {
  return whenReady(home.start(words, { ENGINE_FAILPOINT: wishFor(moment) }), moment);
}

/** Starts a host that lives long; resolves when it is ready, or has ended before that. */
export function serve(home: FaultHome, words: readonly string[], failPoint?: string): Promise<Host> {
  return whenReady(home.start(words, failPoint === undefined ? {} : { ENGINE_FAILPOINT: failPoint }));
}

async function whenReady(host: Host, moment?: Moment): Promise<Host> {
  if (moment !== undefined) killAfter(host, moment);
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  await waitFor('a host', () => isOver || host.stdout().includes('\n'));
  return host;
}

/** Asks a host to end, which it must do in order. */
export async function close(host: Host): Promise<void> {
  host.kill('SIGTERM');
  expect(await host.ended).toMatchObject({ code: 0 });
}
