import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../core/cli/run-command-line.ts';
import { shareSupervisor } from '../rig/shared-supervisor.ts';
import packageJson from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

/** The built command, for child processes of a command (`process.argv[1]`). */
export const engineFile = join(root, 'out/cli/engine.js');

const installation = {
  version: packageJson.version,
  webRoot: join(root, 'out/renderer'),
  samplesDir: join(root, 'resources/samples'),
  schemasDir: join(root, 'resources/schema'),
  recordHot() {},
};

/** A command, its working directory and its whole environment. */
export interface Invocation {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an `engine` command in this process, with empty standard input. Environment and working directory
 * belong to the process, so commands run one after another.
 */
export function runInProcess(invocation: Invocation): Promise<Outcome> {
  const outcome = last.then(() => run(invocation));
  last = outcome.catch(() => {});
  return outcome;
}

async function run({ words, cwd, env }: Invocation): Promise<Outcome> {
  const restore = enter(cwd, env, [process.execPath, engineFile, ...words]);
  const stdout = openOutlet();
  const stderr = openOutlet();
  try {
    const code = await runCommand(
      words,
      { ...installation, supervisor: shareSupervisor() },
      { stdout, stderr },
    );
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    restore();
  }
}

/** Resets this process to the state of a new one. Returns a function that undoes it. */
function enter(cwd: string, env: NodeJS.ProcessEnv, argv: string[]): () => void {
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv };
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  process.chdir(cwd);
  replaceEnvironment(env);
  process.argv = argv;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([]) });
  return () => {
    Object.defineProperty(process, 'stdin', stdin);
    process.argv = before.argv;
    replaceEnvironment(before.env);
    process.chdir(before.cwd);
  };
}

function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

function openOutlet() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { isTty: false, open: () => stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
