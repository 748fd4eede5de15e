import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** What a server's process has used so far. */
interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** A server in a process of its own. */
export interface Served {
  readonly url: string;
  /** Whether it is no engine, but `plain-handler.ts`. */
  readonly isPlain: boolean;
  usage(): Promise<Usage>;
  end(): Promise<void>;
}

/** Starts `http-server.ts` with these words; with `BENCH_PROFILE` an engine leaves a profile of its processor time. */
export async function serve(...words: string[]): Promise<Served> {
  const isProfiled = process.env['BENCH_PROFILE'] !== undefined && words[0] === 'engine';
  const child = fork(path.join(import.meta.dirname, 'http-server.ts'), words, {
    execArgv: isProfiled ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [],
  });
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
