import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../../core/base/errors.ts';
import type { UserPath } from './command-link.ts';

/** Runs a script of PowerShell with one value in a variable, so that nothing is pasted into its text. */
export type RunPowerShell = (script: string, value?: string) => Promise<string>;

const runPowerShell: RunPowerShell = async (script, value = '') => {
  const { stdout } = await promisify(execFile)(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', script],
    { env: { ...process.env, STEPWRIGHT_VALUE: value }, windowsHide: true },
  );
  return stdout;
};

/** The PATH of the person, without that of the machine; programs that are started later see a change. */
export const windowsUserPath = (run: RunPowerShell = runPowerShell): UserPath => ({
  read: async () => (await tell(run, "[Environment]::GetEnvironmentVariable('Path', 'User')")).trim(),
  async write(value) {
    await tell(run, "[Environment]::SetEnvironmentVariable('Path', $env:STEPWRIGHT_VALUE, 'User')", value);
  },
});

async function tell(run: RunPowerShell, script: string, value?: string): Promise<string> {
  try {
    return await run(script, value);
  } catch (thrown) {
    throw new AppError('unavailable', `The PATH of this user cannot be changed: ${messageOf(thrown)}`);
  }
}
