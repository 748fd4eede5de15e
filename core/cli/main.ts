import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { SupervisorProcess } from '../process/supervisor/start-supervisor.ts';
import { keepCalledFunctions } from './loading/called-functions.ts';
import { chooseCompileCache, keepCompiledCode } from './loading/compile-cache.ts';

const first = process.argv[2];
const startsSteps: ReadonlySet<string | undefined> = new Set(['start', 'exec', 'retry', 'restart']);
const serves: ReadonlySet<string | undefined> = new Set(['server', 'start-all', 'scheduler']);

// The two answers that need nothing of the engine are given before anything else is loaded.
if (process.argv.length === 3 && (first === '--version' || first === '-V' || first === 'version')) {
  process.stdout.write(`engine ${packageJson.version}\n`);
} else {
  void runProgram();
}

async function runProgram(): Promise<void> {
  const keepCalled = keepCode();
  // What these need last takes longest, and another processor can do it meanwhile.
  const needsSupervisor = serves.has(first) || (startsSteps.has(first) && !namesServer());
  const supervisor = needsSupervisor ? await startSupervisorAhead() : undefined;
  const { runCommandLine } = await import('./run-command-line.ts');
  await runCommandLine(process.argv.slice(2), {
    version: packageJson.version,
    webRoot: path.join(import.meta.dirname, '../renderer'),
    samplesDir: path.join(import.meta.dirname, '../../resources/samples'),
    schemasDir: path.join(import.meta.dirname, '../../resources/schema'),
    supervisor,
    keepCalled,
  });
}

/** Answers what writes down the functions that have been called. */
function keepCode(): () => void {
  keepCompiledCode(process.env);
  const folder = chooseCompileCache(process.env);
  if (folder === undefined) return () => {};
  return keepCalledFunctions({
    program: import.meta.dirname,
    cache: path.join(folder, 'called'),
    kind: kindOfCommand(),
  });
}

/** Commands of a kind call much the same functions. */
function kindOfCommand(): string {
  if (startsSteps.has(first)) return namesServer() ? 'remote' : 'steps';
  return serves.has(first) ? 'server' : 'other';
}

/** Then steps are started elsewhere; should it not be so after all, the engine starts its supervisor itself. */
function namesServer(): boolean {
  return Boolean(process.env['ENGINE_SERVER']) || process.argv.some((word) => /^--server(?:=|$)/.test(word));
}

async function startSupervisorAhead(): Promise<SupervisorProcess | undefined> {
  const { trySupervisor } = await import('../process/supervisor/start-supervisor.ts');
  return trySupervisor();
}
