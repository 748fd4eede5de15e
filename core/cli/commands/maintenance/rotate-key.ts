import { authPaths } from '../../../auth/auth-paths.ts';
import { openKeyFile } from '../../../auth/sessions/key-file.ts';
import { SigningKeys } from '../../../auth/sessions/signing-keys.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { findHomePaths } from '../../home-locations.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';

export interface RotateKeyInput {
  /** Time for which existing sessions stay valid. Default: until they expire. */
  readonly keepHours?: number;
  readonly format: OutputFormat;
}

/** Signs sessions with a new key. Running servers use it immediately. Throws `invalid_config`. */
export async function runRotateKey(
  context: CommandContext,
  { keepHours, format }: RotateKeyInput,
): Promise<number> {
  const retentionSec = keepHours === undefined ? await readLongestSession(context) : keepHours * 3600;
  const keys = new SigningKeys({
    file: openKeyFile(authPaths(context.home, (await findHomePaths(context)).data)),
    clock: context.clock,
  });
  const kid = keys.rotate({ retentionSec });
  if (format === 'json') await printJson(context, { kid, keepHours: retentionSec / 3600 });
  else await printLines(context, [`New sessions are signed with key ${kid}; ${describeOldKeys(keepHours)}.`]);
  return exitCodes.success;
}

/** Returns the seconds after which no session signed with the old key is valid. */
async function readLongestSession({ home, environment, configFile, cwd }: CommandContext): Promise<number> {
  const { loadEngineConfig } = await import('../../../config/engine-config.ts');
  const { config } = loadEngineConfig({ home, environment, file: configFile, cwd });
  return config.auth.builtin.tokenTtl;
}

function describeOldKeys(keepHours: number | undefined): string {
  if (keepHours === undefined) return 'existing sessions stay valid until they expire';
  return keepHours === 0
    ? 'all existing sessions have ended'
    : `existing sessions stay valid for ${keepHours} more hours`;
}
