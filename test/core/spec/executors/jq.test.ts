import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

describe('step of type jq', () => {
  it.each([
    'command: ., script: "1"',
    'command: ., config: { input: "${RESULT}", raw: true, compact: "${COMPACT}", args: { a: 1 } }',
    'script: "1", config: { query_file: q.jq, slurp: true }',
    'command: now, config: { nullInput: true }',
    'command: inputs, config: { nullInput: true, inputFile: rows.json }',
  ])('loads with %s', (step) => {
    expect(diagnoseStep(`{ type: jq, ${step} }`)).toEqual([]);
  });

  it.each([
    ['script: "1"', /Steps of type "jq" require a query\. Example: \{ type: jq, command:.* \(steps\[0\]\)$/],
    ['command: " ", script: "1"', /require a query\. .*\(steps\[0\]\.command\)$/],
    ['command: [.a, .b], script: "1"', /A query must be a string, not a list\. \(steps\[0\]\.command\)$/],
    [
      'command: ., script: "1", config: { queryFile: q.jq }',
      /The query is set in both "command" and "config\.queryFile"\. Keep one.*\(steps\[0\]\.command\)$/,
    ],
    ['command: .', /The query has no input\. .* \(steps\[0\]\)$/],
    ['command: ., config: { nullInput: false }', /The query has no input\./],
    [
      'command: ., script: "1", config: { input: "2" }',
      /The input is set more than once: "script" and "config\.input"\. Keep one of them\./,
    ],
    [
      'command: ., script: "1", config: { raw: maybe }',
      /"raw" must be true or false.*\(steps\[0\]\.config\.raw\)$/,
    ],
    [
      'command: ., script: "1", config: { args: { a-b: c } }',
      /Invalid jq variable name "a-b"\. Use letters, digits and "_"\..*config\.args\.a-b\)$/,
    ],
    ['command: ., script: "1", config: { arg: { a: c } }', /Did you mean "args"\?/],
    ['command: ., script: "1", params: { a: b }', /"params" is not supported.*\(steps\[0\]\.params\)$/],
  ])('is rejected with %s', (step, message) => {
    const diagnostics = diagnoseStep(`{ type: jq, ${step} }`);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatch(message);
  });
});
