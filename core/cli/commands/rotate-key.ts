import { authPaths } from '../../auth/auth-paths.ts';
import { openKeyFile } from '../../auth/sessions/key-file.ts';
import { SigningKeys } from '../../auth/sessions/signing-keys.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';

export interface RotateKeyInput {
  /** How long sessions under way still count. */
  readonly keepHours: number;
  readonly format: OutputFormat;
}

/** Signs sessions with a new key from now on; running servers see it at once. */
export async function runRotateKey(
  context: CommandContext,
  { keepHours, format }: RotateKeyInput,
): Promise<number> {
  const keys = new SigningKeys({ file: openKeyFile(authPaths(context.home)), clock: context.clock });
  const kid = keys.rotate({ keepForSec: keepHours * 3600 });
  if (format === 'json') await printJson(context, { kid, keepHours });
  else {
    const sessions =
      keepHours === 0 ? 'all sessions have ended' : `sessions count for ${keepHours} more hours`;
    await printLines(context, [`new sessions are signed with the key ${kid}; ${sessions}`]);
  }
  return exitCodes.success;
}
