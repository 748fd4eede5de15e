import { exitCodes } from '../../../base/error-codes.ts';
import { reloadChannels } from '../../../gateway/catalog/catalog-keeper.ts';
import { type CommandContext, printJson, printLines, type Shown } from '../../command-context.ts';
import { withDatabase } from './with-database.ts';

/** Has every gateway of the database read its schema anew. */
export async function runGatewayReload(context: CommandContext, { format }: Shown): Promise<number> {
  const [channel] = reloadChannels;
  await withDatabase(context, (database) =>
    database.transact({
      isReadOnly: false,
      statements: [{ text: 'SELECT pg_notify($1, $2)', values: [channel, 'reload schema'] }],
    }),
  );
  if (format === 'json') await printJson(context, { reload: 'asked' });
  else await printLines(context, ['Running gateways of this database read its schema anew.']);
  return exitCodes.success;
}
