import { expect } from 'vitest';
import type { FaultHome, Host } from './fault-home.ts';
import { waitFor } from './wait-for.ts';

/** Words that start a workflow of the home in its working directory. */
export const begin = (name: string): string[] => ['start', name, '--quiet', '--default-working-dir', '.'];

/** Runs a command that must be killed at the moment, and say nothing before. */
export async function killAt(home: FaultHome, point: string, words: readonly string[]): Promise<void> {
  const { signal, stderr } = await home.run(words, { ENGINE_FAILPOINT: `${point}:kill` });
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
}

/** Recovers what there is, and tells how the runs ended. */
export async function recover(home: FaultHome): Promise<unknown> {
  const { code, stdout, stderr } = await home.run(['recover', '--format', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { dagRuns: unknown }).dagRuns;
}

/** Starts a host that lives long; resolves when it is ready, or has ended before that. */
export async function serve(home: FaultHome, words: readonly string[], failPoint?: string): Promise<Host> {
  const host = home.start(words, failPoint === undefined ? {} : { ENGINE_FAILPOINT: failPoint });
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
