import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Resources a server process has used so far. */
interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** 99th percentile of the delay of its event loop since the last call. */
  readonly loopMs: number;
}

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  /** Whether it is `plain-handler.ts` instead of the engine. */
  readonly isPlain: boolean;
  usage(): Promise<Usage>;
  end(): Promise<void>;
}

/** Starts `http-server.ts` with these arguments; with `BENCH_PROFILE` an engine writes a CPU profile. */
export const serve = (...words: string[]): Promise<ServerProcess> => serveLimited(() => {}, ...words);

/** Does the same; `limit` is called with the pid before the process starts others. */
export async function serveLimited(limit: (pid: number) => void, ...words: string[]): Promise<ServerProcess> {
  const isProfiled = process.env['BENCH_PROFILE'] !== undefined && words[0] === 'engine';
  const child = fork(path.join(import.meta.dirname, 'http-server.ts'), words, {
    execArgv: isProfiled ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [],
  });
  limit(child.pid!);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    isPlain: words[0] === 'plain',
    async usage() {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [Usage];
      return usage;
    },
    async end() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
