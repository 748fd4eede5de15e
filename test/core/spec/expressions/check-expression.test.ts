import { Lexer, Parser } from '@actions/expressions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExpressionMistake } from '../../../../core/spec/expressions/check-expression.ts';
import { propertyRuns } from '../../../rig/fuzzing.ts';

const contexts = ['event', 'payload', 'headers'] as const;
const find = (text: string): string | undefined => findExpressionMistake(text, contexts);

describe('an expression', () => {
  it.each([
    "event == 'push'",
    "${{ payload.sender.login != 'ghost' && headers['user-agent'] }}",
    '${{ payload.a }} == 1 || !(payload.b[0].c.* >= .5e3)',
    "contains(payload.issue.labels.*.name, 'it''s') && case(event, 1, 2)",
    "format('{0}/{1}', toJSON(payload), 0x1F)",
    'payload.true[null] == NaN',
  ])('may be %s', (text) => {
    expect(find(text)).toBeUndefined();
  });

  it.each([
    ['  ', 'it is empty'],
    ['${{ }}', 'it is empty'],
    ['${{ event', 'it has a "${{" without "}}", at character 1'],
    ["event = 'push'", '"=" means nothing here; write "==", at character 7'],
    [
      'event == "push"',
      `"\\"push\\"" means nothing here; texts are written in single quotes: 'main', at character 10`,
    ],
    ["event == 'push", "a text has no closing ', at character 10"],
    ["contains(payload.ref, 'x'", 'a ")" is missing for "contains", at its end'],
    ['(event', 'a ")" is missing for "(", at its end'],
    ['event)', 'a ")" closes nothing, at character 6'],
    ["payload.ref 'x'", `an operator is missing before "'x'", at character 13`],
    ['event ==', 'a value is missing, at its end'],
    ['event == && payload', 'a value is missing before "&&", at character 10'],
    ['payload. == 1', 'a name is missing after ".", at character 10'],
    ['payload[0', 'a "]" is missing for "[", at its end'],
    ['github.event', 'there is no "github" here, only event, payload, headers, at character 1'],
    ['paylod.ref', 'there is no "paylod" here, did you mean "payload"?, at character 1'],
    [
      "${{ startWith(event, 'p') }}",
      'there is no function "startWith", did you mean "startsWith"?, at character 5',
    ],
    ['contains(event)', '"contains" takes 2 values, and has 1, at character 1'],
    ['5x == 5', '"5x" is no number, at character 1'],
    [`${'('.repeat(60)}event${')'.repeat(60)}`, 'it is nested more than 40 deep, at character 41'],
  ])('cannot be %s', (text, mistake) => {
    expect(find(text)).toBe(mistake);
  });

  it('is one exactly when it can be parsed at last', () => {
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
