import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../diagnose.ts';

describe('a step of type jq', () => {
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
    ['script: "1"', /needs a query. Example: .* \(steps\[0\]\)$/],
    ['command: " ", script: "1"', /needs a query. .*\(steps\[0\]\.command\)$/],
    ['command: [.a, .b], script: "1"', /A query is one text, not a list\. \(steps\[0\]\.command\)$/],
    [
      'command: ., script: "1", config: { queryFile: q.jq }',
      /query is given twice.*\(steps\[0\]\.command\)$/,
    ],
    ['command: .', /The query has no input\. .* \(steps\[0\]\)$/],
    ['command: ., config: { nullInput: false }', /The query has no input\./],
    [
      'command: ., script: "1", config: { input: "2" }',
      /given more than once, as "script" and as "config\.input"/,
    ],
    [
      'command: ., script: "1", config: { raw: maybe }',
      /"raw" must be true or false.*\(steps\[0\]\.config\.raw\)$/,
    ],
    [
      'command: ., script: "1", config: { args: { a-b: c } }',
      /"a-b" is no name of a variable.*config\.args\.a-b\)$/,
    ],
    ['command: ., script: "1", config: { arg: { a: c } }', /Did you mean "args"\?/],
    ['command: ., script: "1", params: { a: b }', /takes no "params".*\(steps\[0\]\.params\)$/],
  ])('is refused with %s', (step, message) => {
    const diagnostics = diagnoseStep(`{ type: jq, ${step} }`);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatch(message);
  });
});
