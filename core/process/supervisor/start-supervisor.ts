import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A supervisor that is about to run, seen from the engine. */
export interface SupervisorProcess {
  readonly pid: number;
  /** Its end closes this, and so does this engine's: then it leaves after its last step. */
  readonly channel: Duplex & { ref(): unknown; unref(): unknown };
}

/** As a source file, or as built for the folder beside the one of the engine's bundle. */
const placeProgram = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./program.ts', import.meta.url)
    : new URL('../supervisor/program.cjs', import.meta.url);

/** Its young heap; it holds little more than the orders it has not carried out. */
const nodeOptions = ['--max-semi-space-size=1'];

/** Windows has no sessions to put steps into; there the engine starts them itself. */
export const hasSupervisor = process.platform !== 'win32';

/**
 * Starts a supervisor in a session of its own, without a terminal, with nothing of this process but a channel. It does
 * not keep this process alive. Throws what the system says.
 * @param program other than the one beside this file
 */
export function startSupervisor(program: URL = placeProgram()): SupervisorProcess {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(program)], {
    cwd: '/',
    // What marks the processes of an outer step must not mark the supervisor of an engine that runs in it.
    env: { PATH, LD_LIBRARY_PATH, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // What goes wrong later closes the channel.
  child.on('error', () => {});
  if (child.pid === undefined) throw new Error('the process limit of the system is reached');
  const channel = child.stdio[3] as SupervisorProcess['channel'];
  channel.on('error', () => {});
  child.unref();
  channel.unref();
  return { pid: child.pid, channel };
}

/** The same, or nothing where the system refuses: whoever needs it tries again. */
export function trySupervisor(): SupervisorProcess | undefined {
  if (!hasSupervisor) return undefined;
  try {
    return startSupervisor();
  } catch {
    return undefined;
  }
}
