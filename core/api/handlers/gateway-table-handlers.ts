import { AppError } from '../../base/errors.ts';
import type { OperationInput } from '../../contract/operations.ts';
import { DatabaseError, type GatewayDatabase } from '../../store/sql/database.ts';
import {
  addImportRows,
  createImport,
  finishImport,
  type ImportTarget,
  removeImport,
} from '../../gateway/import-rows.ts';
import type { LazyGateway } from '../../gateway/service/gateway-service.ts';
import { deleteRows, insertRow, updateRow } from '../../gateway/tables/edit-rows.ts';
import { type Position, readTableInfo, readRows, readValue } from '../../gateway/tables/read-rows.ts';
import { runSql } from '../../gateway/tables/run-sql.ts';
import { findTable, readOnlyReason, type Table } from '../../gateway/tables/table-sql.ts';
import { requireGateway } from './gateway-handlers.ts';
import type { HandlersFor } from './handlers.ts';

type GatewayTableOperation =
  | 'gateway.rows'
  | 'gateway.value'
  | 'gateway.insertRow'
  | 'gateway.updateRow'
  | 'gateway.deleteRows'
  | 'gateway.sql'
  | 'gateway.createImport'
  | 'gateway.addImportRows'
  | 'gateway.finishImport'
  | 'gateway.cancelImport';

const usualLimit = 100;
const usualRows = 1_000;
const usualSeconds = 30;

/** Operations on rows of the gateway's tables. They run as the role of the gateway's connection. */
export const gatewayTableHandlers: HandlersFor<GatewayTableOperation> = {
  'gateway.rows': (input, { gateway }) =>
    withTable(gateway, input, async (database, table) => {
      const { filters = [], order, cursor, limit = usualLimit } = input;
      const after = cursor === undefined ? undefined : readPosition(cursor);
      const { rows, next } = await readRows(database, table, { filters, order, after, limit });
      const info = after === undefined ? await readTableInfo(database, table, filters) : undefined;
      const readOnly = readOnlyReason(table);
      return {
        rows: rows.map(({ key, cells }) => ({ key: [...key], cells: [...cells] })),
        key: table.key?.map(({ name }) => name) ?? [],
        ...(readOnly !== undefined && { readOnly }),
        ...(next !== undefined && { nextCursor: toCursor(next) }),
        ...(info && { info: { ...info, indexed: [...info.indexed] } }),
      };
    }),
  'gateway.value': (input, { gateway }) =>
    withTable(gateway, input, (database, table) => readValue(database, table, input)),
  'gateway.insertRow': (input, { gateway }) =>
    withTable(gateway, input, async (database, table) =>
      viewRow(await insertRow(database, table, input.values)),
    ),
  'gateway.updateRow': (input, { gateway }) =>
    withTable(gateway, input, async (database, table) => viewRow(await updateRow(database, table, input))),
  'gateway.deleteRows': (input, { gateway }) =>
    withTable(gateway, input, async (database, table) => ({
      deleted: await deleteRows(database, table, input.keys),
    })),
  async 'gateway.sql'({ sql, isReadOnly = true, maxRows = usualRows, timeout = usualSeconds }, context) {
    const { gateway, clock } = context;
    const { schemas, extraSearchPath } = gateway.settings;
    const began = clock.monotonic();
    const results = await withDatabase(gateway, (database) =>
      runSql(database, {
        sql,
        isReadOnly,
        maxRows,
        schemas: [...schemas, ...extraSearchPath],
        timeoutMs: timeout * 1000,
      }),
    );
    return {
      results: results.map(({ columns, rows, ...counts }) => ({
        columns: [...columns],
        rows: rows.map((row) => [...row]),
        ...counts,
      })),
      tookMs: clock.monotonic() - began,
    };
  },
  'gateway.createImport': ({ width }, { gateway, clock }) =>
    withDatabase(gateway, async (database) => ({
      importId: await createImport(database, width, clock.now()),
    })),
  'gateway.addImportRows': ({ importId, rows }, { gateway }) =>
    withDatabase(gateway, async (database) => {
      await addImportRows(database, importId, rows);
      return {};
    }),
  'gateway.finishImport': (input, { gateway }) =>
    input.isNew === true
      ? withDatabase(gateway, (database) => finish(database, input, newTarget(input)))
      : withTable(gateway, input, (database, table) =>
          finish(database, input, { kind: 'existing', table, columns: input.columns }),
        ),
  'gateway.cancelImport': ({ importId }, { gateway }) =>
    withDatabase(gateway, async (database) => {
      await removeImport(database, importId);
      return {};
    }),
};

const viewRow = ({ key, cells }: Awaited<ReturnType<typeof insertRow>>) => ({
  row: { key: [...key], cells: [...cells] },
});

const newTarget = ({
  schema,
  table,
  columns,
  key,
}: OperationInput<'gateway.finishImport'>): ImportTarget => ({
  kind: 'new',
  schema,
  name: table,
  columns: columns.map(({ type = 'text', ...column }) => ({ ...column, type })),
  key,
});

async function finish(
  database: GatewayDatabase,
  { importId }: OperationInput<'gateway.finishImport'>,
  target: ImportTarget,
) {
  const { rows, errors } = await finishImport(database, importId, target);
  return { rows, errors: [...errors] };
}

/** @throws `bad_request` for an error of PostgreSQL */
function withDatabase<Answer>(
  gateway: LazyGateway,
  work: (database: GatewayDatabase) => Promise<Answer>,
): Promise<Answer> {
  return requireGateway(gateway, async ({ database }) => describeErrors(() => work(database)));
}

/** @throws `not_found` if the table is not exposed */
function withTable<Answer>(
  gateway: LazyGateway,
  named: { readonly schema: string; readonly table: string },
  work: (database: GatewayDatabase, table: Table) => Promise<Answer>,
): Promise<Answer> {
  return requireGateway(gateway, async ({ database, catalogs }) => {
    const table = findTable(await catalogs.get(), named);
    return await describeErrors(() => work(database, table));
  });
}

async function describeErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { message, detail, hint, code } = error;
    const sentences = [message, detail, hint].flatMap((part) =>
      part === null ? [] : [part.replace(/\.$/, '')],
    );
    throw new AppError('bad_request', `${sentences.join('. ')}.`, {
      cause: error,
      details: { sqlstate: code },
    });
  }
}

const toCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');

/** @throws `bad_request` */
function readPosition(cursor: string): Position {
  const value: unknown = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(value) && value.every((part) => part === null || typeof part === 'string'))
    return value as Position;
  throw new AppError('bad_request', 'cursor: invalid cursor. Use "nextCursor" of the previous page.', {
    details: { field: 'cursor' },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
