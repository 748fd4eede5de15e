import { describe, expect, it } from 'vitest';
import { expandJson, bindQueryVariables } from '../../../../core/executors/jq/expand-query.ts';
import { runStep } from '../step-harness.ts';

const env: Record<string, string> = {
  N: '5',
  NAME: 'a "b" \\(env)',
  FIELD: 'first name',
  JSON: '{"a": [1, 1.50]}',
  QUERY: '.a | length',
};
const values: Record<string, string> = { '${JSON.a[0]}': '1', '${N:0:1}': '5', '${NONE:-day}': 'day' };

/** Knows plain references and those of `values`, as the engine's resolver does. */
const expand = (text: string): Promise<string> =>
  Promise.resolve(values[text] ?? env[/^\$\{(\w+)\}$/.exec(text)?.[1] ?? ''] ?? text);
const surroundings = { env, positional: ['first'], expand };

const lift = (text: string) => bindQueryVariables(surroundings, text);

describe('references in a query', () => {
  it('become variables: JSON values as JSON, anything else as strings', async () => {
    expect(await lift('.n == ${N} or . == ${NAME} or ${JSON}.a')).toEqual({
      query: '.n == $value_1[0] or . == $value_2 or $value_3[0].a',
      texts: { value_2: env.NAME },
      values: { value_1: '5', value_3: env.JSON },
    });
  });

  it('become parts of strings, with their text', async () => {
    expect(await lift('"n ${N} \\(.x | "${JSON}" + ${N})${N}"')).toEqual({
      query: '"n \\($value_1) \\(.x | "\\($value_2)" + $value_3[0])\\($value_4)"',
      texts: { value_1: '5', value_2: env.JSON, value_4: '5' },
      values: { value_3: '5' },
    });
  });

  it('name fields after a dot', async () => {
    const { query, texts } = await lift('.a.${FIELD}');
    expect(query).toBe('.a."\\($value_1)"');
    expect(texts).toEqual({ value_1: 'first name' });
  });

  it('support paths, slices and defaults', async () => {
    const { query, values: lifted, texts } = await lift('[${JSON.a[0]}, ${N:0:1}, ${NONE:-day}]');
    expect(query).toBe('[$value_1[0], $value_2[0], $value_3]');
    expect([lifted, texts]).toEqual([{ value_1: '1', value_2: '5' }, { value_3: 'day' }]);
  });

  it.each([
    '.a as $N | $N, $ENV.N, @base64 "x\\(.)"',
    '"${OTHER} ${OTHER.a}" # ${N}',
    '# it\'s "open\n.a # (${N}',
    '"\\"" + "${',
    '.a | ltrimstr("$N`date`")',
  ])('are the only text that changes: %s', async (query) => {
    expect(await lift(query)).toEqual({ query, texts: {}, values: {} });
  });

  it('end comments and strings where jq does', async () => {
    expect((await lift('"\\\\" + ${N} # "\n + ${N}')).query).toBe('"\\\\" + $value_1[0] # "\n + $value_2[0]');
  });

  it('avoid names that the query uses', async () => {
    expect((await lift('1 as $value_1 | ${N}')).query).toBe('1 as $value_1 | $_value_1[0]');
  });

  it('are the query when there is nothing else', async () => {
    expect(await lift(' ${QUERY}\n')).toEqual({ query: env.QUERY, texts: {}, values: {} });
  });

  it('work in jq, whatever they contain', async () => {
    const { end, stdout } = await runStep(
      {
        kind: 'executor',
        type: 'jq',
        command: '.${FIELD}, .["${FIELD}"], {"${FIELD}": ${N}}, "<${NAME}>", ${JSON}.a[1], [1,2,3][:${N}]',
        script: '{"${FIELD}": "${NAME}", "x": ${JSON}}',
        config: { raw: true },
      },
      { env, expand: (text) => env[/^\$\{(\w+)\}$/.exec(text)?.[1] ?? ''] ?? text },
    );
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout.split('\n')).toEqual([
      env.NAME,
      env.NAME,
      '{"first name":5}',
      `<${env.NAME}>`,
      '1.50',
      '[1,2,3]',
      '',
    ]);
  });
});

describe('references in JSON', () => {
  it('are escaped in strings and inserted elsewhere', async () => {
    expect(await expandJson(surroundings, '{"a": "x ${NAME}", "b": ${JSON}, "c": "\\"${N}"}')).toBe(
      String.raw`{"a": "x a \"b\" \\(env)", "b": {"a": [1, 1.50]}, "c": "\"5"}`,
    );
  });

  it('are the only text that changes', async () => {
    const text = '{"price": "$5 `date` ${OTHER} $N # \\(${"}';
    expect(await expandJson(surroundings, text)).toBe(text);
  });
});
