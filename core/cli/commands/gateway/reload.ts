import { exitCodes } from '../../../base/error-codes.ts';
import { reloadChannels } from '../../../gateway/catalog/catalog-keeper.ts';
import { installEventTrigger } from '../../../gateway/catalog/event-trigger.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../../command-context.ts';
import { withDatabase } from './with-database.ts';

export interface ReloadInput extends ResultFormat {
  /** Install the event trigger, so that the database requests reloads itself. */
  readonly automatic?: boolean;
}

/** Makes every gateway of the database reload its schema. */
export async function runGatewayReload(
  context: CommandContext,
  { format, automatic = false }: ReloadInput,
): Promise<number> {
  const [channel] = reloadChannels;
  await withDatabase(context, async (database) => {
    if (automatic) await installEventTrigger(database);
    await database.transact({
      isReadOnly: false,
      statements: [{ text: 'SELECT pg_notify($1, $2)', values: [channel, 'reload schema'] }],
    });
  });
  if (format === 'json') await printJson(context, { reload: 'asked', automatic });
  else
    await printLines(context, [
      'Asked all running gateways of this database to reload the schema.',
      ...(automatic ? ['The schema now reloads automatically after each change.'] : []),
    ]);
  return exitCodes.success;
}
