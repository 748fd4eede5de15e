import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildScriptArgv, readsRawCommandLine } from '../../shell/shell.ts';

/** How a shell is given a script, `{0}` standing for its path (as the hosted service has it). */
const templates: Readonly<Record<string, string>> = {
  bash: 'bash --noprofile --norc -e -o pipefail {0}',
  sh: 'sh -e {0}',
  python: 'python {0}',
};

const powerShells = ['pwsh', 'powershell'];

/** A program that runs a script. */
export interface PlannedShell {
  readonly argv: readonly string[];
  readonly verbatimArguments: boolean;
}

/**
 * Writes the script of a composite step into a folder, and says how its shell runs it. `shell` is one of bash, sh,
 * python, pwsh, powershell and cmd, or a command with `{0}` in the place of the script. Rejects when it is neither.
 */
export async function planShell(shell: string, script: string, folder: string): Promise<PlannedShell> {
  await mkdir(folder, { recursive: true });
  const template = templates[shell] ?? shell;
  if (template.includes('{0}')) {
    const file = join(folder, shell === 'python' ? 'script.py' : 'script.sh');
    await writeFile(file, script, { mode: 0o700 });
    const argv = template
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('{0}', file));
    return { argv, verbatimArguments: false };
  }
  if (powerShells.includes(shell)) return plan(shell, join(folder, 'script.ps1'), strictPowerShell(script));
  if (shell === 'cmd')
    return plan(shell, join(folder, 'script.cmd'), `@echo off\r\n${script.replaceAll(/\r?\n/g, '\r\n')}`);
  throw new Error(
    `Unknown shell "${shell}". Use bash, sh, pwsh, python, cmd or powershell, or a command with {0} for the script path.`,
  );
}

async function plan(shell: string, file: string, text: string): Promise<PlannedShell> {
  await writeFile(file, text, { mode: 0o700 });
  const known = { command: [shell], chosenByStep: false };
  return { argv: buildScriptArgv(known, file, []), verbatimArguments: readsRawCommandLine(known) };
}

/** Stops at the first error, and ends with the exit code of the last program. */
const strictPowerShell = (script: string): string =>
  [
    "$ErrorActionPreference = 'stop'",
    script,
    'if ((Test-Path -LiteralPath variable:\\LASTEXITCODE)) { exit $LASTEXITCODE }',
    '',
  ].join('\r\n');
