import { configTable } from './config-table.ts';

/** How rows are written. */
export const rowFormats = ['jsonl', 'json', 'csv'] as const;
export type RowFormat = (typeof rowFormats)[number];

/** `config` of a step of type `sql`. */
export const sqlTable = configTable({
  connection: {
    kind: 'text',
    description:
      'The database: "gateway" for that of the database gateway, or the address of a PostgreSQL server; better a reference to one of the "secrets". Default: gateway.',
    example: '${DATABASE_URL}',
  },
  queryFile: {
    kind: 'text',
    description: 'The file with the query, in place of the command; relative to the working folder.',
    example: 'report.sql',
  },
  parameters: {
    kind: 'json',
    description:
      'Values of $1, $2, … in the query, in a list. They are bound, never made part of the SQL; null is NULL.',
    example: ['${DAY}', 10],
  },
  format: {
    kind: 'choice',
    values: rowFormats,
    description:
      'How rows are written: jsonl is an object on each line, json one list, csv a line of names and then the rows. Default: jsonl.',
  },
  outputFile: {
    kind: 'text',
    description:
      'The file that the rows are written into instead of stdout; relative to the working folder. It appears when it is complete.',
    example: 'report.csv',
  },
  maxRows: {
    kind: 'number',
    description:
      'How many rows there may be; with more of them the step fails, and nothing is written. Default: 100000.',
  },
  timeout: {
    kind: 'number',
    description: 'Seconds that each statement may take; 0 for any time. Default: 300.',
  },
  transaction: {
    kind: 'flag',
    description:
      'Whether the statements of a script happen together or not at all; false lets each count by itself. Default: true.',
  },
  readOnly: {
    kind: 'flag',
    description: 'Whether everything that would write is refused by the database. Default: false.',
  },
});
