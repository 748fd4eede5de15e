import { Lexer, Parser } from '@actions/expressions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExpressionProblem } from '../../../core/spec/expressions.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

const contexts = ['event', 'payload', 'headers'] as const;
const find = (text: string): string | undefined => findExpressionProblem(text, contexts);

describe('an expression', () => {
  it.each([
    "event == 'push'",
    "${{ payload.sender.login != 'ghost' && headers['user-agent'] }}",
    '${{ payload.a }} == 1 || !(payload.b[0].c.* >= .5e3)',
    "contains(payload.issue.labels.*.name, 'it''s') && case(event, 1, 2)",
    "format('{0}/{1}', toJSON(payload), 0x1F)",
    'payload.true[null] == NaN',
  ])('can be %s', (text) => {
    expect(find(text)).toBeUndefined();
  });

  it.each([
    ['  ', 'the expression is empty'],
    ['${{ }}', 'the expression is empty'],
    ['${{ event', 'missing "}}" after "${{", at character 1'],
    ["event = 'push'", 'unexpected "="; use "==", at character 7'],
    ['event == "push"', `unexpected "\\"push\\""; use single quotes for strings: 'main', at character 10`],
    ["event == 'push", "missing closing ' of a string, at character 10"],
    ["contains(payload.ref, 'x'", 'missing ")" for "contains", at the end'],
    ['(event', 'missing ")" for "(", at the end'],
    ['event)', 'unmatched ")", at character 6'],
    ["payload.ref 'x'", `missing operator before "'x'", at character 13`],
    ['event ==', 'missing value, at the end'],
    ['event == && payload', 'missing value before "&&", at character 10'],
    ['payload. == 1', 'missing name after ".", at character 10'],
    ['payload[0', 'missing "]" for "[", at the end'],
    ['github.event', 'unknown name "github", use event, payload, headers, at character 1'],
    ['paylod.ref', 'unknown name "paylod", did you mean "payload"?, at character 1'],
    [
      "${{ startWith(event, 'p') }}",
      'unknown function "startWith", did you mean "startsWith"?, at character 5',
    ],
    ['contains(event)', '"contains" requires 2 arguments, got 1, at character 1'],
    ['5x == 5', 'invalid number "5x", at character 1'],
    [`${'('.repeat(60)}event${')'.repeat(60)}`, 'nested more than 40 levels deep, at character 41'],
  ])('cannot be %s', (text, mistake) => {
    expect(find(text)).toBe(mistake);
  });

  it('is valid exactly when it can be parsed at run time', () => {
    const parts = fc.constantFrom(
      ...[
        'event',
        'payload',
        'other',
        'contains',
        'always',
        'join',
        'true',
        'NaN',
        'a-b',
        '5',
        '.5',
        '-1',
        "'x'",
        "''",
        "'",
      ],
      ...[
        '(',
        ')',
        '[',
        ']',
        ',',
        '.',
        '*',
        '!',
        '==',
        '!=',
        '<=',
        '>',
        '&&',
        '||',
        '=',
        '&',
        '|',
        '-',
        ' ',
        '"',
        '#',
      ],
    );
    const always = { name: 'always', minArgs: 0, maxArgs: 0, call: () => expect.unreachable() };
    const canBeParsed = (text: string): boolean => {
      try {
        return new Parser(new Lexer(text).lex().tokens, [...contexts], [always]).parse() !== undefined;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 9 }), (some) => {
        const text = some.join('');
        expect(find(text) === undefined).toBe(canBeParsed(text));
      }),
      { seed: 20_261_122, numRuns: propertyRuns(20_000) },
    );
  });
});
