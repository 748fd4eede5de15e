import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildScriptArgv, readsRawCommandLine } from '../../shell/shell.ts';

/** Commands that run a script with a shell; `{0}` is the path of the script. The same as on GitHub Actions. */
const templates: Readonly<Record<string, string>> = {
  bash: 'bash --noprofile --norc -e -o pipefail {0}',
  sh: 'sh -e {0}',
  python: 'python {0}',
};

const powerShells = ['pwsh', 'powershell'];

/** The command that runs a script. */
export interface PlannedShell {
  readonly argv: readonly string[];
  readonly verbatimArguments: boolean;
}

/**
 * Writes the script of a composite step to a file and returns the command that runs it. Rejects if the shell is
 * unsupported.
 * @param shell bash, sh, python, pwsh, powershell, cmd, or a command with `{0}` for the path of the script
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

/** Makes a PowerShell script stop at the first error and exit with the exit code of the last program. */
const strictPowerShell = (script: string): string =>
  [
    "$ErrorActionPreference = 'stop'",
    script,
    'if ((Test-Path -LiteralPath variable:\\LASTEXITCODE)) { exit $LASTEXITCODE }',
    '',
  ].join('\r\n');
