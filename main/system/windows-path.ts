import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../../core/base/errors.ts';
import type { UserPath } from './command-link.ts';

/** Returns access to the user's PATH, without that of the machine; programs started later see a change. */
export const windowsUserPath = (): UserPath => ({
  read: async () => (await runPowerShell("[Environment]::GetEnvironmentVariable('Path', 'User')")).trim(),
  async write(value) {
    await runPowerShell(
      "[Environment]::SetEnvironmentVariable('Path', $env:STEPWRIGHT_VALUE, 'User')",
      value,
    );
  },
});

/** Runs a PowerShell script with one value in a variable, so that nothing is interpolated into its text. */
async function runPowerShell(script: string, value = ''): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      'powershell.exe',
      ['-NoProfile', '-NonInteractive', '-Command', script],
      { env: { ...process.env, STEPWRIGHT_VALUE: value }, windowsHide: true },
    );
    return stdout;
  } catch (error) {
    throw new AppError('unavailable', `Could not change the user PATH: ${messageOf(error)}`);
  }
}
