import { configTable } from './config-table.ts';

/** How rows are written. */
export const rowFormats = ['jsonl', 'json', 'csv'] as const;
export type RowFormat = (typeof rowFormats)[number];

/** `config` of a step of type `sql`. */
export const sqlTable = configTable({
  connection: {
    kind: 'text',
    description: 'PostgreSQL connection URL, or "gateway" for the gateway database. Default: gateway.',
    example: '${DATABASE_URL}',
  },
  queryFile: {
    kind: 'text',
    description: 'File that contains the query, instead of "command".',
    example: 'report.sql',
  },
  parameters: {
    kind: 'json',
    description: 'Values for $1, $2 and so on, passed as bind parameters.',
    example: ['${DAY}', 10],
  },
  format: {
    kind: 'choice',
    values: rowFormats,
    description: 'Output format: jsonl (default), json or csv.',
  },
  outputFile: {
    kind: 'text',
    description: 'File to write rows to, instead of stdout.',
    example: 'report.csv',
  },
  maxRows: {
    kind: 'number',
    description: 'Maximum rows; more rows fail the step. Default: 100000.',
  },
  timeout: {
    kind: 'number',
    description: 'Timeout per statement in seconds. Default: 300. 0: no limit.',
  },
  transaction: {
    kind: 'flag',
    description: 'Run the script in one transaction. Default: true.',
  },
  readOnly: {
    kind: 'flag',
    description: 'Run in a read-only transaction. Default: false.',
  },
});
