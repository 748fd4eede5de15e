import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

describe('step of type sql', () => {
  it.each([
    'command: select 1',
    "command: select $1, config: { parameters: ['${DAY}', 10, null], format: csv, output_file: a.csv }",
    'config: { queryFile: report.sql, connection: "${DATABASE_URL}", readOnly: true }',
    'script: "create table a (id int); drop table a", config: { transaction: false, timeout: 0 }',
    "command: select $1, config: { parameters: '${VALUES}', maxRows: '${MOST}' }",
    'command: "select $$x$$, E\'$1\'"',
  ])('loads with %s', (step) => {
    expect(diagnoseStep(`{ type: sql, ${step} }`)).toEqual([]);
  });

  it.each([
    ['config: { format: csv }', /require a query\. Example: .* \(steps\[0\]\)$/],
    ['command: [select, 1]', /A query must be a string, not a list\./],
    [
      'command: select 1, script: select 2',
      /The SQL is set more than once: "command" and "script"\. Keep one of them\./,
    ],
    [
      'command: "select \'${NAME}\'"',
      /References such as \$\{NAME\} are not expanded in SQL\..*\(steps\[0\]\.command\)$/,
    ],
    [
      'script: "delete from a where b = ${B:-1}"',
      /References such as \$\{B:-1\} are not expanded in SQL\. Use a "command" with "config\.parameters" instead\./,
    ],
    [
      'command: select 1, config: { parameters: { a: 1 } }',
      /must be a list .*\(steps\[0\]\.config\.parameters\)$/,
    ],
    [
      'script: select 1, config: { parameters: [1] }',
      /"parameters" is not supported for scripts\. Use a single query in "command" instead\./,
    ],
    [
      'command: select 1, config: { transaction: true }',
      /"transaction" only applies to scripts\. Remove it\./,
    ],
    ['command: select 1, config: { maxRows: 0 }', /"maxRows" must be a whole number of at least 1/],
    ['command: select 1, config: { timeout: -1 }', /"timeout" must be a number of seconds/],
    ['command: select 1, config: { format: xml }', /"format" must be one of jsonl, json, csv/],
    ['command: select 1, config: { conection: x }', /Did you mean "connection"\?/],
    ['command: select 1, params: { a: b }', /"params" is not supported for steps of type "sql"\./],
  ])('is rejected with %s', (step, message) => {
    const diagnostics = diagnoseStep(`{ type: sql, ${step} }`);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatch(message);
  });
});
