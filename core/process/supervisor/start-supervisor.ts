import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A starting supervisor, from the engine's side. */
export interface SupervisorProcess {
  readonly pid: number;
  /** Closed by the end of the supervisor or of this engine; the supervisor then exits after its last step. */
  readonly channel: Duplex & { ref(): unknown; unref(): unknown };
}

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const programUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./program.ts', import.meta.url)
    : new URL('../supervisor/program.cjs', import.meta.url);

/** A small young generation: the supervisor stores little more than its pending orders. */
const nodeOptions = ['--max-semi-space-size=1'];

/** Windows has no sessions for steps; there the engine starts them itself. */
export const hasSupervisor = process.platform !== 'win32';

/**
 * Starts a supervisor in a session of its own, without a terminal, connected to this process only by a channel. It does
 * not keep this process alive. Throws the system error.
 * @param program other than the default one
 */
export function startSupervisor(program: URL = programUrl()): SupervisorProcess {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(program)], {
    cwd: '/',
    // The tag of an outer step must not be passed to the supervisor of an engine that runs in that step.
    env: { PATH, LD_LIBRARY_PATH, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // Later errors close the channel.
  child.on('error', () => {});
  if (child.pid === undefined) throw new Error('the process limit of the system is reached');
  const channel = child.stdio[3] as SupervisorProcess['channel'];
  channel.on('error', () => {});
  child.unref();
  channel.unref();
  return { pid: child.pid, channel };
}

/** Starts a supervisor; returns undefined when the system does not allow it: callers retry. */
export function trySupervisor(): SupervisorProcess | undefined {
  if (!hasSupervisor) return undefined;
  try {
    return startSupervisor();
  } catch {
    return undefined;
  }
}
