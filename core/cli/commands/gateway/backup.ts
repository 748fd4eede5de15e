import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { formatFsError } from '../../../base/text/format-fs-error.ts';
import { EmbeddedDatabase } from '../../../gateway/database/embedded/embedded-database.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../../command-context.ts';
import { formatBytes } from '../../report/bytes-text.ts';
import { withDatabase } from './with-database.ts';

export interface GatewayBackupInput extends ResultFormat {
  /** Target file, which may not exist. */
  readonly target: string;
}

/** Backs up the embedded database to one file, even while in use. */
export async function runGatewayBackup(context: CommandContext, input: GatewayBackupInput): Promise<number> {
  const file = path.resolve(context.cwd, input.target);
  const bytes = await withDatabase(context, async (database) => {
    if (!(database instanceof EmbeddedDatabase))
      throw new AppError(
        'bad_request',
        'The gateway uses a PostgreSQL server. Back up that database with pg_dump.',
        {
          details: { hint: 'pg_dump "$ENGINE_GATEWAY_DATABASE_URL" --format custom --file FILE' },
        },
      );
    return await database.dump();
  });
  await writeFileAtomically(file, bytes, context.clock.now());
  if (input.format === 'json') await printJson(context, { file, bytes: bytes.length });
  else await printLines(context, [`${file}: ${formatBytes(bytes.length)}`]);
  return exitCodes.success;
}

/** Writes a file atomically, readable only by its owner. */
async function writeFileAtomically(file: string, bytes: Uint8Array, now: number): Promise<void> {
  const draft = `${file}.${now}.part`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new AppError('bad_request', `Cannot write ${file}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}
