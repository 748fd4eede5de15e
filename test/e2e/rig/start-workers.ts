import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ENGINE_FILE, type TestHome } from './test-home.ts';

/** An `engine` command that prints a line on stdout when it is ready. */
export interface StartedProgram {
  /** The ready line. */
  readonly line: string;
  stop(): Promise<void>;
}

/**
 * Starts `engine coordinator` on the workspace's home, without TLS, on a free port; its ready line ends in
 * its URL.
 */
export const startCoordinator = ({ home }: TestHome): Promise<StartedProgram> =>
  start(['coordinator', '--no-tls', '--port', '0', '--engine-home', home], home);

/** Starts `engine worker` in its own folder. */
export const startWorker = (
  testHome: TestHome,
  id: string,
  words: readonly string[],
): Promise<StartedProgram> =>
  start(['worker', '--id', id, '--engine-home', testHome.file(id), ...words], testHome.folder);

async function start(words: readonly string[], cwd: string): Promise<StartedProgram> {
  const child = spawn(process.execPath, [ENGINE_FILE, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.resume();
  const line = await firstLine(child);
  child.stdout.resume();
  return {
    line,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('ended before it was ready')));
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  return line;
}
