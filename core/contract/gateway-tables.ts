import Type, { type Static } from 'typebox';
import { importTypes } from '../base/csv-columns.ts';
import { defineOperation } from './operation.ts';
import { literals } from './run-views.ts';

const Nullable = Type.Union([Type.String(), Type.Null()]);

const tableFields = {
  schema: Type.String({ description: 'Schema of the table' }),
  table: Type.String({ description: 'Table or view' }),
};

const Key = Type.Array(Type.String(), { description: 'Stored values of the key columns of a row' });
const Values = Type.Record(Type.String(), Nullable, {
  description: 'Values by column, in the format of the gateway; null is NULL',
});

export const GatewayRowView = Type.Object({
  key: Key,
  cells: Type.Array(
    Type.Object({
      text: Type.Union([Type.String(), Type.Null()], {
        description: 'Value as the gateway presents it; null is NULL',
      }),
      stored: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'Stored value, if the domain of the column has a conversion',
        }),
      ),
      isCut: Type.Optional(Type.Boolean({ description: 'Whether the value is longer than shown' })),
    }),
    { description: 'Values in the order of the columns' },
  ),
});
export type GatewayRowView = Static<typeof GatewayRowView>;

/** Comparisons of a filter. */
const rowOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'isNull', 'isNotNull'] as const;

export const GatewayRowFilter = Type.Object({
  column: Type.String(),
  operator: literals(rowOperators, { description: 'Comparison; `contains` compares values as text' }),
  value: Type.Optional(Type.String({ description: 'Value in the format of the gateway' })),
});
export type GatewayRowFilter = Static<typeof GatewayRowFilter>;

export const GatewayRowPage = Type.Object({
  rows: Type.Array(GatewayRowView),
  key: Type.Array(Type.String(), { description: 'Columns that identify a row; empty if there are none' }),
  readOnly: Type.Optional(Type.String({ description: 'Reason that rows cannot be changed' })),
  nextCursor: Type.Optional(Type.String({ description: 'Value of `cursor` for the next page' })),
  info: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'Number of rows that match the filters' }),
        isCountCapped: Type.Boolean({ description: 'Whether there are more rows than `count`' }),
        estimate: Type.Optional(Type.Integer({ description: 'Estimated number of all rows' })),
        indexed: Type.Array(Type.String(), { description: 'Columns by which an index orders the rows' }),
      },
      { description: 'Only on the first page' },
    ),
  ),
});
export type GatewayRowPage = Static<typeof GatewayRowPage>;

export const GatewaySqlResult = Type.Object({
  columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
  rows: Type.Array(Type.Array(Nullable)),
  count: Type.Integer({ description: 'Number of rows of the query, or of written rows' }),
  isCountCapped: Type.Boolean({ description: 'Whether there are more rows than `count`' }),
});
export type GatewaySqlResult = Static<typeof GatewaySqlResult>;

export const GatewayImportColumn = Type.Object({
  source: Type.Integer({ minimum: 0, maximum: 1_599, description: 'Position in the file, from 0' }),
  name: Type.String({ minLength: 1, maxLength: 63, description: 'Column of the table' }),
  type: Type.Optional(literals(importTypes, { description: 'Type of a column of a new table' })),
});
export type GatewayImportColumn = Static<typeof GatewayImportColumn>;

export const GatewayImportOutcome = Type.Object({
  rows: Type.Integer({ description: 'Number of imported rows: all, or none if there are errors' }),
  errors: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
    description: 'First rejected lines. The import stays open, to finish it with other types or columns.',
  }),
});
export type GatewayImportOutcome = Static<typeof GatewayImportOutcome>;

const importId = { importId: Type.String({ maxLength: 64, description: 'ID of the import' }) };

/** Rows of the gateway's tables, SQL, and imports of CSV files. */
export const gatewayTableOperations = {
  'gateway.rows': defineOperation({
    summary: 'List rows of a table',
    method: 'POST',
    path: '/gateway/rows/search',
    input: Type.Object({
      ...tableFields,
      filters: Type.Optional(Type.Array(GatewayRowFilter, { maxItems: 20, description: 'Conditions' })),
      order: Type.Optional(
        Type.Object(
          { column: Type.String(), direction: literals(['asc', 'desc'], {}) },
          { description: 'Order. Default: by the key.' },
        ),
      ),
      cursor: Type.Optional(Type.String({ description: '`nextCursor` of the previous page' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Default: 100' })),
    }),
    output: GatewayRowPage,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'see rows of the database gateway',
  }),
  'gateway.value': defineOperation({
    summary: 'Get a long value of a row in full',
    method: 'POST',
    path: '/gateway/rows/value',
    input: Type.Object({
      ...tableFields,
      key: Key,
      column: Type.String({ description: 'Name of the column' }),
    }),
    output: Type.Object({
      text: Nullable,
      stored: Nullable,
      isCut: Type.Boolean({ description: 'Whether it is longer than a million characters' }),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'see a value of the database gateway',
  }),
  'gateway.insertRow': defineOperation({
    summary: 'Insert a row into a table',
    method: 'POST',
    path: '/gateway/rows',
    input: Type.Object({ ...tableFields, values: Values }),
    output: Type.Object({ row: GatewayRowView }),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'insert a row into the database gateway',
    audit: 'gateway-change',
  }),
  'gateway.updateRow': defineOperation({
    summary: 'Change a row of a table, unless another user has changed it',
    method: 'PATCH',
    path: '/gateway/rows',
    input: Type.Object({
      ...tableFields,
      key: Key,
      values: Values,
      expected: Type.Record(Type.String(), Nullable, {
        description: 'Stored values of the changed columns before the change',
      }),
    }),
    output: Type.Object({ row: GatewayRowView }),
    errors: ['not_found', 'conflict', 'unavailable'],
    role: 'manager',
    label: 'change a row of the database gateway',
    audit: 'gateway-change',
  }),
  'gateway.deleteRows': defineOperation({
    summary: 'Delete rows of a table by their keys',
    method: 'POST',
    path: '/gateway/rows/delete',
    input: Type.Object({
      ...tableFields,
      keys: Type.Array(Key, { minItems: 1, maxItems: 1_000, description: 'Keys of the rows' }),
    }),
    output: Type.Object({ deleted: Type.Integer({ description: 'Number of deleted rows' }) }),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'delete rows of the database gateway',
    audit: 'gateway-change',
  }),
  'gateway.sql': defineOperation({
    summary: 'Run SQL on the database of the gateway, in one transaction',
    method: 'POST',
    path: '/gateway/sql',
    input: Type.Object({
      sql: Type.String({ maxLength: 100_000, description: 'Statements' }),
      isReadOnly: Type.Optional(Type.Boolean({ description: 'Rejects writes. Default: true.' })),
      maxRows: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100_000, description: 'Rows of each query. Default: 1,000.' }),
      ),
      timeout: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3_600, description: 'Seconds per statement. Default: 30.' }),
      ),
    }),
    output: Type.Object({
      results: Type.Array(GatewaySqlResult, { description: 'One result for each statement' }),
      tookMs: Type.Number({ description: 'Duration in milliseconds' }),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'run SQL on the database of the gateway',
    audit: 'gateway-change',
  }),
  'gateway.createImport': defineOperation({
    summary: 'Start the import of a CSV file',
    method: 'POST',
    path: '/gateway/imports',
    input: Type.Object({
      width: Type.Integer({ minimum: 1, maximum: 1_600, description: 'Number of columns' }),
    }),
    output: Type.Object(importId),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'import a file into the database gateway',
  }),
  'gateway.addImportRows': defineOperation({
    summary: 'Add records of a CSV file to an import',
    method: 'POST',
    path: '/gateway/imports/{importId}/rows',
    input: Type.Object({
      ...importId,
      rows: Type.Array(
        Type.Object({
          line: Type.Integer({ minimum: 1, description: 'Line of the file' }),
          values: Type.Array(Type.String()),
        }),
        { maxItems: 10_000, description: 'Records' },
      ),
    }),
    output: Type.Object({}),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'import a file into the database gateway',
  }),
  'gateway.finishImport': defineOperation({
    summary: 'Write all records of an import to a table, in one transaction',
    method: 'POST',
    path: '/gateway/imports/{importId}/finish',
    input: Type.Object({
      ...importId,
      ...tableFields,
      isNew: Type.Optional(Type.Boolean({ description: 'Creates the table. Default: false.' })),
      columns: Type.Array(GatewayImportColumn, { maxItems: 1_600, description: 'Columns to write' }),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 63,
          description: 'Primary key of a new table; a generated number if it is none of the columns',
        }),
      ),
    }),
    output: GatewayImportOutcome,
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'import a file into the database gateway',
    audit: 'gateway-change',
  }),
  'gateway.cancelImport': defineOperation({
    summary: 'Cancel an import',
    method: 'DELETE',
    path: '/gateway/imports/{importId}',
    input: Type.Object(importId),
    output: Type.Object({}),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'cancel an import into the database gateway',
  }),
};
