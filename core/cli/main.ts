import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { SupervisorProcess } from '../process/supervisor/supervisor-link.ts';
import { cacheCalledFunctions } from './function-cache.ts';
import { chooseCompileCache, startCompileCache } from '../process/compile-cache.ts';

const first = process.argv[2];
const startsSteps: ReadonlySet<string | undefined> = new Set(['start', 'run', 'exec', 'retry', 'restart']);
const serves: ReadonlySet<string | undefined> = new Set(['server', 'start-all', 'scheduler']);

// These two need no engine and are handled before anything else is loaded.
if (process.argv.length === 3 && (first === '--version' || first === '-V' || first === 'version')) {
  process.stdout.write(`engine ${packageJson.version}\n`);
} else {
  void runProgram();
}

async function runProgram(): Promise<void> {
  // These commands need the supervisor last, and its start takes longest, so it starts first and in parallel.
  const needsSupervisor = serves.has(first) || (startsSteps.has(first) && !namesServer());
  const supervisor = needsSupervisor ? await prestartSupervisor() : undefined;
  const recordHot = enableCodeCache();
  const { runCommandLine } = await import('./program.ts');
  await runCommandLine(process.argv.slice(2), {
    version: packageJson.version,
    webRoot: path.join(import.meta.dirname, '../renderer'),
    samplesDir: path.join(import.meta.dirname, '../../resources/samples'),
    schemasDir: path.join(import.meta.dirname, '../../resources/schema'),
    supervisor,
    recordHot,
  });
}

/** Returns a function that caches the called functions. */
function enableCodeCache(): () => void {
  startCompileCache(process.env);
  const folder = chooseCompileCache(process.env);
  if (folder === undefined) return () => {};
  return cacheCalledFunctions({
    program: import.meta.dirname,
    cache: path.join(folder, 'called'),
    kind: getCommandKind(),
  });
}

/** Commands of one kind call similar functions. */
function getCommandKind(): string {
  if (startsSteps.has(first)) return namesServer() ? 'remote' : 'steps';
  return serves.has(first) ? 'server' : 'other';
}

/** Whether steps start on a server. If not, the engine starts its supervisor itself. */
function namesServer(): boolean {
  return Boolean(process.env['ENGINE_SERVER']) || process.argv.some((word) => /^--server(?:=|$)/.test(word));
}

async function prestartSupervisor(): Promise<SupervisorProcess | undefined> {
  const { trySupervisor } = await import('../process/supervisor/supervisor-link.ts');
  return trySupervisor();
}
