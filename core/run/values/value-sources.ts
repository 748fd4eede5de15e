import { liftReferences } from '../../executors/shell/lift-references.ts';
import { readDialect } from '../../executors/shell/shell-dialect.ts';
import { buildCommandArgv, findDefaultShell } from '../../executors/shell/shell.ts';
import { captureCommand, type Captured, type CaptureRequest } from '../../process/capture.ts';
import { filterEnvironment } from '../../process/environment.ts';
import type { Keychain } from '../../secrets/keychain.ts';
import { SubstitutionError, type ValueSources } from './resolve-values.ts';

/** Bytes of a substituted command's output, and of a condition's, that are kept. */
const captureLimit = 1024 * 1024;

/** The variables of the system, and of the parent run for a sub-run, as far as values may refer to them. */
export interface SystemFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of those that steps see without declaring them, besides the usual ones. */
  readonly passed?: ReadonlySet<string> | undefined;
  warn(message: string): void;
  /** Marks the commands in values; see `valuesTag`. */
  readonly tag?: string | undefined;
  /** Aborted when a command in a value is to be given up. */
  readonly signal?: AbortSignal | undefined;
  /** Of the desktop app; absent in every other host. */
  readonly keychain?: Keychain | undefined;
}

/** Where values outside a run (parameter defaults) and inside it come from. */
export function valueSources(system: SystemFacts, cwd: string): ValueSources {
  return {
    system: system.environment,
    warn: system.warn,
    async runCommand(command, variables, expand) {
      const captured = await runInShell({
        command,
        positional: [],
        env: { ...filterEnvironment(system.environment, process.platform, system.passed), ...variables },
        expand,
        cwd,
        signal: system.signal,
        tag: system.tag,
      });
      if (captured.error !== undefined)
        throw new SubstitutionError(`Command \`${command}\` failed: ${captured.error}`);
      return captured.stdout.trim();
    },
  };
}

/** A command outside a step's attempt: a condition, or a substitution. */
interface ShellTask extends Pick<CaptureRequest, 'cwd' | 'signal' | 'tag'> {
  readonly command: string;
  /** The default one when absent. */
  readonly shell?: readonly string[] | undefined;
  readonly positional: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Answers references that the shell cannot read. */
  expand(text: string): Promise<string>;
}

/** Runs it with its values in variables, as a step's. It is one command, so the shell's `-e` would change nothing. */
export async function runInShell(task: ShellTask): Promise<Captured> {
  const shell = task.shell ?? findDefaultShell(task.env, process.platform);
  const { text, extraEnv } = await liftReferences(task, readDialect(shell), task.command);
  return captureCommand({
    argv: buildCommandArgv({ command: shell, chosenByStep: true }, text, task.positional),
    env: { ...task.env, ...extraEnv },
    cwd: task.cwd,
    signal: task.signal,
    tag: task.tag,
    maxBytes: captureLimit,
  });
}
