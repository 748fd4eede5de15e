import { authPaths } from '../../../auth/auth-paths.ts';
import { openKeyFile } from '../../../auth/sessions/key-file.ts';
import { SigningKeys } from '../../../auth/sessions/signing-keys.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { findHomePaths } from '../../home-places.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';

export interface RotateKeyInput {
  /** How long sessions under way still count; until they expire when absent. */
  readonly keepHours?: number;
  readonly format: OutputFormat;
}

/** Signs sessions with a new key from now on; running servers see it at once. Throws `invalid_config`. */
export async function runRotateKey(
  context: CommandContext,
  { keepHours, format }: RotateKeyInput,
): Promise<number> {
  const keepForSec = keepHours === undefined ? await readLongestSession(context) : keepHours * 3600;
  const keys = new SigningKeys({
    file: openKeyFile(authPaths(context.home, (await findHomePaths(context)).data)),
    clock: context.clock,
  });
  const kid = keys.rotate({ keepForSec });
  if (format === 'json') await printJson(context, { kid, keepHours: keepForSec / 3600 });
  else await printLines(context, [`New sessions are signed with key ${kid}; ${describeOld(keepHours)}.`]);
  return exitCodes.success;
}

/** Seconds after which nothing that the old key has signed counts any more. */
async function readLongestSession({ home, environment, configFile, cwd }: CommandContext): Promise<number> {
  const { loadEngineConfig } = await import('../../../config/engine-config.ts');
  const { config } = loadEngineConfig({ home, environment, file: configFile, cwd });
  return config.auth.builtin.tokenTtl;
}

function describeOld(keepHours: number | undefined): string {
  if (keepHours === undefined) return 'existing sessions stay valid until they expire';
  return keepHours === 0
    ? 'all existing sessions have ended'
    : `existing sessions stay valid for ${keepHours} more hours`;
}
