import { bindVariables } from '../../executors/shell/bind-variables.ts';
import { readDialect } from '../../executors/shell/shell-dialect.ts';
import { buildCommandArgv, findDefaultShell } from '../../executors/shell/shell.ts';
import { captureCommand, type Captured, type CaptureRequest } from '../../process/capture.ts';
import { filterEnvironment } from '../../process/environment.ts';
import type { Keychain } from '../../secrets/keychain.ts';
import { SubstitutionError, type ValueSources } from './resolve-values.ts';

/** Captured bytes of the output of a substituted command or a condition. */
const captureLimit = 1024 * 1024;

/** The variables of the system, and of the parent run for a sub-run, that values may refer to. */
export interface SystemContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of additional variables that steps see without declaring them. */
  readonly passed?: ReadonlySet<string> | undefined;
  warn(message: string): void;
  /** Tags the commands in values; see `valuesTag`. */
  readonly tag?: string | undefined;
  /** Aborted to cancel a command in a value. */
  readonly signal?: AbortSignal | undefined;
  /** Only in the desktop app. */
  readonly keychain?: Keychain | undefined;
}

/** Returns where values come from, outside a run (parameter defaults) and inside it. */
export function valueSources(system: SystemContext, cwd: string): ValueSources {
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
  /** Default: the default shell. */
  readonly shell?: readonly string[] | undefined;
  readonly positional: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Expands references that the shell cannot read. */
  expand(text: string): Promise<string>;
}

/**
 * Runs the command with its values in variables, as for a step. It is a single command, so the shell's `-e` would
 * change nothing.
 */
export async function runInShell(task: ShellTask): Promise<Captured> {
  const shell = task.shell ?? findDefaultShell(task.env, process.platform);
  const { text, extraEnv } = await bindVariables(task, readDialect(shell), task.command);
  return captureCommand({
    argv: buildCommandArgv({ command: shell, chosenByStep: true }, text, task.positional),
    env: { ...task.env, ...extraEnv },
    cwd: task.cwd,
    signal: task.signal,
    tag: task.tag,
    maxBytes: captureLimit,
  });
}
