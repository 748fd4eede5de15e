import { pluralize } from '../../../base/text/pluralize.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import type { Statement } from '../../../gateway/database/database.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../../command-context.ts';
import { formatFields } from '../../report/table.ts';
import { withDatabase } from './with-database.ts';

/**
 * Counts relations and domains per exposed schema; null if the schema does not exist. Partitions are not counted, only
 * their partitioned tables.
 */
const contents = (schemas: readonly string[]): Statement => ({
  text: `
    SELECT wanted.name,
      CASE WHEN n.oid IS NULL THEN NULL ELSE
        (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
          AND NOT c.relispartition) END,
      (SELECT count(*) FROM pg_type t WHERE t.typnamespace = n.oid AND t.typtype = 'd')
    FROM unnest($1::text[]) WITH ORDINALITY wanted (name, place)
    LEFT JOIN pg_namespace n ON n.nspname = wanted.name ORDER BY wanted.place`,
  values: [`{${schemas.map((name) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`],
});

const size: Statement = {
  text: 'SELECT pg_size_pretty(pg_database_size(current_database())), current_user',
  values: [],
};

/** Shows the gateway's database and exposed schemas. Opens the database. */
export function runGatewayStatus(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withDatabase(context, async (database, settings) => {
    const [shown, sizeResult] = await database.transact({
      isReadOnly: true,
      statements: [contents(settings.schemas), size],
    });
    const { kind, place, version } = database.status();
    const schemas = shown!.rows.map(([name, relations, domains]) => ({
      name: name ?? '',
      relations: relations === null || relations === undefined ? null : Number(relations),
      domains: Number(domains),
    }));
    const [bytes, user] = sizeResult!.rows[0] ?? [];
    const { isEnabled } = settings;
    if (format === 'json')
      await printJson(context, { enabled: isEnabled, kind, place, version, size: bytes, user, schemas });
    else
      await printLines(
        context,
        formatFields([
          ['Gateway', isEnabled ? 'on, at /gateway on every server of this home' : 'off (gateway.enabled)'],
          ['Database', `${kind === 'embedded' ? 'embedded' : 'server'}, ${place}`],
          ['PostgreSQL', version],
          ['Size', bytes ?? undefined],
          ['User', user ?? undefined],
          ['Schemas', schemas.map(describe).join(', ')],
        ]),
      );
    return exitCodes.success;
  });
}

const describe = ({
  name,
  relations,
  domains,
}: {
  readonly name: string;
  readonly relations: number | null;
  readonly domains: number;
}): string => {
  if (relations === null) return `${name} (missing)`;
  const more = domains === 0 ? '' : `, ${pluralize(domains, 'domain')}`;
  return `${name} (${pluralize(relations, 'relation')}${more})`;
};
