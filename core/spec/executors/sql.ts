import { sqlTable } from '../../model/executors/sql.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findField, type SourceRef } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Steps of type `sql`: one query with values, or a script without values. */
export const sqlRules: ExecutorRules = {
  sentence: 'Runs SQL on the gateway database or a PostgreSQL server.',
  table: sqlTable,
  command: 'allowed',
  script: 'allowed',
  params: 'refused',
  words: {
    command: 'SQL query. Use $1, $2 and so on for "parameters".',
    script: 'SQL statements, run in one transaction. No parameters.',
  },
  example: `{ type: sql, command: "select * from orders where day = $1", config: { parameters: ["\${DAY}"] } }`,
  check(action, step, report) {
    checkSource(action, step, report);
    checkReferences(action, step, report);
    checkConfig(action, step, report);
  },
};

function checkSource(
  { command, argv, script, config }: ExecutorAction,
  step: SourceRef,
  report: Report,
): void {
  const ref = findField(step, 'command') ?? step;
  if (argv !== undefined) return report.error(ref, 'A query must be a string, not a list.');
  const querySources = [
    ...(command === undefined || command.trim() === '' ? [] : ['"command"']),
    ...(script === undefined || script.trim() === '' ? [] : ['"script"']),
    ...(config['queryFile'] === undefined ? [] : ['"config.queryFile"']),
  ];
  if (querySources.length === 0)
    report.error(step, `Steps of type "sql" require a query. Example: ${sqlRules.example}.`);
  if (querySources.length > 1)
    report.error(step, `The SQL is set more than once: ${querySources.join(' and ')}. Keep one of them.`);
}

/** Warns about references in SQL text, because an inserted value can change the meaning of the statement. */
function checkReferences(action: ExecutorAction, step: SourceRef, report: Report): void {
  for (const field of ['command', 'script'] as const) {
    const name = findReference(action[field] ?? '');
    if (name === undefined) continue;
    const advice =
      field === 'command'
        ? `Use $1 in the query and "config: { parameters: ['${name}'] }".`
        : 'Use a "command" with "config.parameters" instead.';
    report.error(
      findField(step, field) ?? step,
      `References such as ${name} are not expanded in SQL. ${advice}`,
    );
  }
}

/** Finds the first `${NAME…}`, truncated if it is long. */
function findReference(text: string): string | undefined {
  const start = text.search(/\$\{\s*\w/);
  const end = start < 0 ? -1 : text.indexOf('}', start);
  if (end < 0) return undefined;
  return end - start < 80 ? text.slice(start, end + 1) : `${text.slice(start, start + 80)}…}`;
}

function checkConfig({ script, config }: ExecutorAction, step: SourceRef, report: Report): void {
  const holder = findField(step, 'config') ?? findField(findField(step, 'type') ?? step, 'config') ?? step;
  const at = (field: string): SourceRef => findField(holder, field) ?? holder;
  const { parameters, maxRows, timeout, transaction } = config;
  if (parameters !== undefined && !Array.isArray(parameters) && typeof parameters !== 'string')
    report.error(at('parameters'), '"parameters" must be a list of values for $1, $2 and so on.');
  if (parameters !== undefined && script !== undefined)
    report.error(
      at('parameters'),
      '"parameters" is not supported for scripts. Use a single query in "command" instead.',
    );
  if (transaction !== undefined && script === undefined)
    report.error(at('transaction'), '"transaction" only applies to scripts. Remove it.');
  if (typeof maxRows === 'number' && (!Number.isInteger(maxRows) || maxRows < 1))
    report.error(at('maxRows'), '"maxRows" must be a whole number of at least 1.');
  if (typeof timeout === 'number' && timeout < 0)
    report.error(at('timeout'), '"timeout" must be a number of seconds, or 0 for no timeout.');
}
