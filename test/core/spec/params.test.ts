import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';
import {
  findParamLimitProblem,
  findParamProblem,
  formatParamText,
  isParamName,
  mergeParams,
  parseParamText,
  parseParamTokens,
} from '../../../core/spec/params.ts';

const pairs = (params: readonly { name: string; value: string }[]) =>
  params.map(({ name, value }) => `${name}=${value}`);

describe('parseParamText', () => {
  it.each([
    ['', []],
    ['  \n\t ', []],
    ['a b', ['1=a', '2=b']],
    ['first P=1 second', ['1=first', 'P=1', '3=second']],
    ['X=1 Y="a b"', ['X=1', 'Y=a b']],
    ['Y="say \\"hi\\" now"', ['Y=say "hi" now']],
    ['"two words" last', ['1=two words', '2=last']],
    ["X='single $quoted'", ['X=single $quoted']],
    ['X=`date +%F` Y=2', ['X=`date +%F`', 'Y=2']],
    ['X= Y=""', ['X=', 'Y=']],
    ['JSON={"a":1,"b":"c"}', ['JSON={"a":1,"b":"c"}']],
    ['https://host/?a=b', ['1=https://host/?a=b']],
    ['a=b=c', ['a=b=c']],
    ['"open quote', ['1="open', '2=quote']],
    ["it's fine", ["1=it's", '2=fine']],
    ['"a"b', ['1=ab']],
    ['2=second', ['2=second']],
    ['TEST_PARAM $1', ['1=TEST_PARAM', '2=$1']],
    ['X="line one\nline two"', ['X=line one\nline two']],
    // Within double quotes, `\\"` and `\\\\` are escapes and nothing else is; elsewhere none.
    ['X="C:\\dir" Y="C:\\\\dir\\\\"', ['X=C:\\dir', 'Y=C:\\dir\\']],
    ['"a\\\\\\"b" c', ['1=a\\"b', '2=c']],
    ["X='a\\\\b' Y=a\\\\b", ['X=a\\\\b', 'Y=a\\\\b']],
    ['C:\\dir\\file', ['1=C:\\dir\\file']],
  ])('%j is %j', (text, expected) => {
    expect(pairs(parseParamText(text))).toEqual(expected);
  });
});

describe('findParamProblem', () => {
  it.each([
    ['PACE="0', 'PACE starts with an unclosed "'],
    ['A=1 PACE="0 B=2', 'PACE starts with an unclosed "'],
    [`X="a" Y='b c`, "Y starts with an unclosed '"],
    ['a "open', '2 starts with an unclosed "'],
    ['X="ends in \\"', 'X starts with an unclosed "'],
  ])('rejects %j with its name and not its value', (text, place) => {
    expect(findParamProblem(text)).toContain(`The value of parameter ${place}. Add a closing`);
  });

  it('rejects a value with a NUL character', () => {
    expect(findParamProblem('A=1 B="a\0b"')).toBe(
      'The value of parameter B contains a NUL character, which environment variables do not allow. Remove it.',
    );
  });

  it.each([
    '',
    'A=1 b',
    `A="a b" 'c d'`,
    "it's fine",
    'SIZE=5" A=a"b',
    `A='"0'`,
    'A=`date',
    'JSON={"a":1}',
    'A="it\'s"',
  ])('accepts %j', (text) => {
    expect(findParamProblem(text)).toBeUndefined();
  });
});

describe('parameter limits', () => {
  const many = (count: number): string => '* '.repeat(count);
  const tooMany = 'More than 5000 parameters. Pass large data in a file.';
  const tooLong = 'The parameters have more than 524288 characters in total. Pass large data in a file.';

  it('apply to text', () => {
    expect(findParamProblem(many(5_000))).toBeUndefined();
    expect(findParamProblem(many(5_001))).toBe(tooMany);
  });

  it('apply to values', () => {
    const half = 'x'.repeat(262_143);
    expect(findParamLimitProblem(parseParamTokens([half, half]))).toBeUndefined();
    expect(findParamLimitProblem(parseParamTokens([half, `${half}x`]))).toBe(tooLong);
    expect(findParamLimitProblem(parseParamTokens(Array.from({ length: 5_001 }, () => 'x')))).toBe(tooMany);
  });

  it.each([
    [`["${many(5_001)}"]`, tooMany],
    [`{A: "${'x'.repeat(524_288)}"}`, tooLong],
  ])('apply to a workflow: %.20s', (params, message) => {
    const { diagnostics } = loadSpec({ text: `params: ${params}\nsteps: ["true"]\n`, file: 'a.yaml' });
    expect(diagnostics).toMatchObject([
      { severity: 'error', message, path: expect.stringMatching(/^params/) as string },
    ]);
  });
});

describe('formatParamText', () => {
  it.each([
    ['plain', 'A=plain'],
    ['', "A=''"],
    ['two words', "A='two words'"],
    ['C:\\dir\\', 'A=C:\\dir\\'],
    ["it's a \\", 'A="it\'s a \\\\"'],
    ['it\'s "it"', 'A="it\'s \\"it\\""'],
    ['`date`', "A='`date`'"],
  ])('writes %j as %s', (value, text) => {
    expect(formatParamText([{ name: 'A', value }])).toBe(text);
  });

  it.each([
    ['A', true],
    ['a.b-c_1', true],
    ['12', true],
    ['0', false],
    ['-a', false],
    ['größe', false],
    ['a=b', false],
    ['', false],
  ])('can write the name %j: %s', (name, possible) => {
    expect(isParamName(name)).toBe(possible);
  });
});

describe('parseParamTokens', () => {
  it('accepts each word unchanged, including quotes and spaces', () => {
    const words = ['a b', 'X=c d', '"q"', '', 'Y=', '--flag=1', '3=third'];
    expect(pairs(parseParamTokens(words))).toEqual([
      '1=a b',
      'X=c d',
      '3="q"',
      '4=',
      'Y=',
      '6=--flag=1',
      '3=third',
    ]);
  });
});

describe('mergeParams', () => {
  const defaults = parseParamText('first P=1 third');

  it.each([
    ['', ['1=first', 'P=1', '3=third']],
    ['P=2', ['1=first', 'P=2', '3=third']],
    ['a', ['1=a', 'P=1', '3=third']],
    ['a b c', ['1=a', 'P=1', '3=c', '2=b']],
    ['P=9 x', ['1=first', 'P=9', '3=third', '2=x']],
    ['a P=9 b', ['1=a', 'P=9', '3=b']],
    ['NEW=x', ['1=first', 'P=1', '3=third', 'NEW=x']],
    ['a b c d', ['1=a', 'P=1', '3=c', '2=b', '4=d']],
    ['NEW=x NEW=y', ['1=first', 'P=1', '3=third', 'NEW=y']],
  ])('merges %j into "first P=1 third"', (overrides, expected) => {
    expect(pairs(mergeParams(defaults, parseParamText(overrides)))).toEqual(expected);
  });

  it('does not modify its arguments', () => {
    mergeParams(defaults, parseParamText('a b c'));
    expect(pairs(defaults)).toEqual(['1=first', 'P=1', '3=third']);
  });
});
