import { buildCommandArgv, findDefaultShell } from '../../executors/shell.ts';
import { captureCommand } from '../../process/capture.ts';
import { filterEnvironment } from '../../process/environment.ts';
import { SubstitutionError, type ValueSources } from './resolve-values.ts';

/** Bytes of a substituted command's output, and of a condition's, that are kept. */
export const captureLimit = 1024 * 1024;

/** The variables of the system, and of the parent run for a sub-run, as far as values may refer to them. */
export interface SystemFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  warn(message: string): void;
  /** Aborted when a command in a value is to be given up. */
  readonly signal?: AbortSignal;
}

/** Where values outside a run (parameter defaults) and inside it come from. */
export function valueSources(system: SystemFacts, cwd: string): ValueSources {
  return {
    system: system.environment,
    warn: system.warn,
    async runCommand(command, variables) {
      const env = { ...filterEnvironment(system.environment, process.platform), ...variables };
      const captured = await captureCommand({
        argv: shellArgv(undefined, command, [], env),
        env,
        cwd,
        maxBytes: captureLimit,
        signal: system.signal,
      });
      if (captured.error !== undefined)
        throw new SubstitutionError(`The command \`${command}\` failed: ${captured.error}`);
      return captured.stdout.trim();
    },
  };
}

/** Conditions and substitutions are one command each, so the shell's `-e` would change nothing. */
export function shellArgv(
  shell: readonly string[] | undefined,
  command: string,
  positional: readonly string[],
  env: Readonly<Record<string, string>>,
): string[] {
  const chosen = { command: shell ?? findDefaultShell(env, process.platform), chosenByStep: true };
  return buildCommandArgv(chosen, command, positional);
}
