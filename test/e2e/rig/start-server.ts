import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { ENGINE_FILE } from './test-home.ts';

/** A headless engine that serves the web UI. */
export interface EngineServer {
  /** With its base path, without trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Stops it gracefully: its runs are stopped. Idempotent. */
  stop(): Promise<void>;
}

/** Options of a test server. */
export interface StartServerOptions {
  /** `start-all` also runs the scheduler and the queues. */
  readonly command?: 'server' | 'start-all';
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Additional options of the command. */
  readonly options?: readonly string[];
}

/**
 * Starts the built `engine server`.
 * @throws Error with its output, if it exits instead of getting ready
 */
export async function startServer(
  home: string,
  { command = 'server', port = 0, env = {}, options = [] }: StartServerOptions = {},
): Promise<EngineServer> {
  if (!existsSync(ENGINE_FILE)) throw new Error(`${ENGINE_FILE} is missing: run "npm run build" first`);
  const words = [ENGINE_FILE, command, '--port', String(port), '--engine-home', home, ...options];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  let output = '';
  const ready = Promise.withResolvers<string>();
  const read = (text: string): void => {
    output += text;
    const url = /ready at (https?:\/\/\S+?)\/?\s/.exec(output)?.[1];
    if (url !== undefined) ready.resolve(url);
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  void exit.then(() => ready.reject(new Error(`engine ${command} has ended; it wrote:\n${output}`)));
  const url = await ready.promise;
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
