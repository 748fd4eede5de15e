import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ParamSchema, type SchemaPaths } from '../../../../core/run/params/param-schema.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';

const nowhere: SchemaPaths = { processDir: '/nowhere', workingDir: undefined, fileDir: '/nowhere' };

/** Applies a schema to parameters written `name=value`, and writes the result in the same way. */
async function apply(
  schema: string | Record<string, unknown>,
  given: string[],
  paths = nowhere,
): Promise<string[]> {
  const params = given.map((text) => {
    const at = text.indexOf('=');
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
  const opened = await ParamSchema.open({ schema, paths, clock: new FakeClock() });
  const applied = await opened.apply(opened.nameByPosition(params));
  return applied.map(({ name, value }) => `${name}=${value}`);
}

const release = {
  type: 'object',
  properties: {
    batch: { type: 'integer', minimum: 1, default: 10 },
    env: { enum: ['dev', 'prod'] },
    ratio: { type: 'number', default: 0.5 },
    verbose: { type: 'boolean', default: false },
    regions: { type: 'array', items: { type: 'string' }, default: ['eu', 'us'] },
    note: { type: ['string', 'null'], default: null },
  },
  required: ['env'],
  additionalProperties: false,
};

describe('a schema fills in and validates parameters', () => {
  test('appends defaults after explicit values, in the order of the schema', async () => {
    expect(await apply(release, ['verbose=true', 'env=prod'])).toEqual([
      'verbose=true',
      'env=prod',
      'batch=10',
      'ratio=0.5',
      'regions=["eu","us"]',
      'note=',
    ]);
  });

  test('keeps explicit values', async () => {
    const given = [
      'env=dev',
      'batch=007',
      'ratio=1.50',
      'verbose=false',
      'regions=[ "a" ]',
      'note=${HOME} `x`',
    ];
    expect(await apply(release, given)).toEqual(given);
  });

  test.each([
    [{ type: 'string' }, '5'],
    [{ type: 'string', maxLength: 0 }, ''],
    [{}, '5'],
    [{ type: 'integer' }, '12345678901234567890'],
    [{ type: 'integer' }, '1e3'],
    [{ type: 'number', exclusiveMaximum: 0 }, '-.5'],
    [{ enum: [1, 2] }, '2'],
    [{ const: true }, 'true'],
    [{ type: 'null' }, ''],
    [{ type: ['integer', 'string'], minimum: 3 }, 'auto'],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['auto'] }] }, '3'],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['auto'] }] }, 'auto'],
    [{ $ref: '#/$defs/count' }, '3'],
    [{ type: 'object', required: ['a'] }, '{"a": 1}'],
    [{ type: 'string', format: 'no such format' }, 'x'],
  ])('%j accepts "%s"', async (schema, text) => {
    const whole = { properties: { x: schema }, $defs: { count: { type: 'integer', maximum: 9 } } };
    expect(await apply(whole, [`x=${text}`])).toEqual([`x=${text}`]);
  });

  test.each([
    [{ type: 'integer' }, 'abc', 'must be a whole number (got abc)'],
    [{ type: 'integer' }, '1.5', 'must be a whole number (got 1.5)'],
    [{ type: 'integer' }, '', 'must be a whole number (got empty)'],
    [{ type: 'number' }, 'Infinity', 'must be a number (got Infinity)'],
    [{ type: 'number' }, '0x10', 'must be a number (got 0x10)'],
    [{ type: 'number' }, '1e999', 'must be a number (got 1e999)'],
    [{ type: 'boolean' }, 'yes', 'must be true or false (got yes)'],
    [{ type: 'array' }, '{}', 'must be a JSON array (got {})'],
    [{ type: 'object' }, '{', 'must be a JSON object (got {)'],
    [{ type: ['integer', 'null'] }, 'x', 'must be a whole number or empty (got x)'],
    [{ type: 'string', pattern: '^v[0-9]+$' }, '5', 'must match ^v[0-9]+$ (got 5)'],
    [{ type: 'string', minLength: 3 }, 'ab', 'must have at least 3 characters (got ab)'],
    [{ enum: ['a', 2] }, 'x\n\ty', 'must be one of a, 2 (got x y)'],
    [{ const: 'a' }, 'b', 'must be a (got b)'],
    [{ not: {} }, 'b', 'is excluded by the schema (got b)'],
    [{ multipleOf: 5 }, 'b'.repeat(100), undefined],
    [{ enum: ['a'] }, 'b'.repeat(100), `must be one of a (got ${'b'.repeat(60)}…)`],
    [
      { anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['auto'] }] },
      'x',
      'must be a whole number or must be one of auto (got x)',
    ],
    [
      { anyOf: [{ $ref: '#/$defs/count' }, { const: 'all' }] },
      'x',
      'must be a whole number or must be all (got x)',
    ],
    [
      { oneOf: [{ minimum: 1 }, { maximum: 5 }], type: 'integer' },
      '3',
      'matches more than one alternative of the schema (got 3)',
    ],
    [{ type: 'array', contains: { const: 1 } }, '[2]', 'must contain at least 1 valid item(s) (got [2])'],
  ])('%j rejects "%s"', async (schema, text, fault) => {
    const whole = { properties: { x: schema }, $defs: { count: { type: 'integer', maximum: 9 } } };
    const applied = apply(whole, [`x=${text}`]);
    if (fault === undefined) await expect(applied).resolves.toBeDefined();
    else
      await expect(applied).rejects.toMatchObject({
        code: 'bad_request',
        message: `parameter validation failed: "x" ${fault}`,
      });
  });

  test('reports every error', async () => {
    await expect(apply(release, ['batch=0', 'env=qa', 'regins=x', 'regions=[1]', 'zone=y'])).rejects.toThrow(
      'parameter validation failed: "regins" is not a parameter of this workflow (did you mean "regions"?); "zone" is not a parameter of this workflow (valid parameters: batch, env, ratio, verbose, regions, note); "batch" must be >= 1 (got 0); "env" must be one of dev, prod (got qa); "regions[0]" must be a string (got 1)',
    );
    await expect(apply(release, [])).rejects.toThrow('parameter validation failed: "env" is missing');
  });

  test('in readable words', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const many = { properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])) };
    await expect(
      apply(
        many,
        names.map((name) => `${name}=x`),
      ),
    ).rejects.toThrow(/"p19" [^;]+; and 10 more$/);
  });

  test('for conditions and choices between parameters', async () => {
    const schema = {
      properties: { mode: { enum: ['fast', 'safe'] } },
      if: { properties: { mode: { const: 'safe' } }, required: ['mode'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, which nobody awaits
      then: { required: ['backup'] },
      oneOf: [{ required: ['file'] }, { required: ['url'] }],
      dependentRequired: { url: ['token'] },
    };
    await expect(apply(schema, ['mode=safe', 'url=u'])).rejects.toThrow(
      'parameter validation failed: "backup" is missing; "token" is required with "url"',
    );
    await expect(apply(schema, ['mode=fast'])).rejects.toThrow(
      'failed: either "file" is missing or "url" is missing',
    );
    expect(await apply(schema, ['mode=fast', 'file=f'])).toEqual(['mode=fast', 'file=f']);
  });

  test('fills in defaults inside JSON objects', async () => {
    const server = { type: 'object', properties: { port: { type: 'integer', default: 80 } } };
    const schema = { properties: { server } };
    expect(await apply(schema, ['server={"host": "a"}'])).toEqual(['server={"host":"a","port":80}']);
    await expect(apply(schema, ['server={"port": "x"}'])).rejects.toThrow(
      'parameter validation failed: "server.port" must be a whole number (got x)',
    );
  });

  test('allows additional parameters unless the schema forbids them', async () => {
    expect(await apply({ properties: {} }, ['a=1', '2=b'])).toEqual(['a=1', '2=b']);
    const digits = { additionalProperties: { type: 'integer' } };
    expect(await apply(digits, ['a=1'])).toEqual(['a=1']);
    await expect(apply(digits, ['a=b'])).rejects.toThrow(
      'parameter validation failed: "a" must be a whole number (got b)',
    );
    await expect(apply({ propertyNames: { pattern: '^[A-Z]+$' } }, ['a=b'])).rejects.toThrow(
      'failed: "a" is not an allowed name',
    );
  });

  test('treats names of built-in object members as ordinary names', async () => {
    await expect(apply({ required: ['constructor'] }, [])).rejects.toThrow('"constructor" is missing');
    expect(await apply({}, ['__proto__=x', 'toString=y', 'a/b~c=z'])).toEqual([
      '__proto__=x',
      'toString=y',
      'a/b~c=z',
    ]);
    await expect(apply({ properties: { 'a/b~c': { type: 'integer' } } }, ['a/b~c=z'])).rejects.toThrow(
      '"a/b~c" must be a whole number',
    );
  });

  test('terminates on values of any depth', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const tree = {
      properties: { x: { $ref: '#/$defs/tree' } },
      $defs: { tree: { items: { $ref: '#/$defs/tree' }, type: 'array' } },
    };
    await expect(apply(tree, [`x=${deep}`])).rejects.toMatchObject({ code: 'bad_request' });
    for (const depth of [500, 1000, 2000, 4000, 8000]) {
      const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      await apply(tree, [`x=${text}`]).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'bad_request' }),
      );
    }
  });
});

describe('positional parameters', () => {
  test('get the names of the schema in order', async () => {
    const result = ['batch=5', 'env=prod', 'ratio=0.5', 'verbose=false', 'regions=["eu","us"]', 'note='];
    expect(await apply(release, ['1=5', '2=prod'])).toEqual(result);
    await expect(apply(release, ['1=5', '2=dev', 'env=prod'])).rejects.toThrow(
      '"2" is not a parameter of this workflow (valid',
    );
  });

  test('beyond them are additional parameters', async () => {
    await expect(apply({ ...release, properties: { env: {} } }, ['1=x', '2=y'])).rejects.toThrow(
      '"2" is not a parameter of this workflow (valid',
    );
  });

  test('keep their number where the schema has it', async () => {
    const schema = { properties: { a: {}, 1: { type: 'integer' } } };
    expect(await apply(schema, ['1=5'])).toEqual(['1=5']);
  });

  test('are named before they override other defaults', async () => {
    const schema = await ParamSchema.open({ schema: release, paths: nowhere, clock: new FakeClock() });
    expect(schema.nameByPosition([{ name: '2', value: 'dev' }])).toEqual([{ name: 'env', value: 'dev' }]);
  });

  test('never overwrite a property that is also set by name', async () => {
    const schema = { properties: { env: {}, batch: { type: 'integer' } } };
    expect(await apply(schema, ['batch=5', '2=9'])).toEqual(['batch=5', '2=9']);
    expect(await apply(schema, ['2=9', 'batch=5'])).toEqual(['2=9', 'batch=5']);
  });
});

describe('schema in a file', () => {
  function prepare(files: Record<string, string>) {
    const root = makeTemporaryFolder();
    for (const [file, text] of Object.entries({ 'process/x': '', 'work/x': '', 'dags/x': '', ...files })) {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    const at = (folder: string): string => path.join(root, folder);
    return { at, paths: { processDir: at('process'), workingDir: at('work'), fileDir: at('dags') } };
  }
  const defaulting = (value: string): string => `properties: { a: { default: ${value} } }`;

  test("is searched in the process directory, the working directory, the workflow's directory", async () => {
    const all = {
      'process/s.yaml': defaulting('1'),
      'work/s.yaml': defaulting('2'),
      'dags/s.yaml': defaulting('3'),
    };
    expect(await apply('s.yaml', [], prepare(all).paths)).toEqual(['a=1']);
    const { 'process/s.yaml': _, ...two } = all;
    const { paths } = prepare(two);
    expect(await apply('./s.yaml', [], paths)).toEqual(['a=2']);
    expect(await apply('./s.yaml', [], { ...paths, workingDir: undefined })).toEqual(['a=3']);
  });

  test('can be an absolute path', async () => {
    const { at } = prepare({ 'other/s.yaml': defaulting('1') });
    expect(await apply(at('other/s.yaml'), [])).toEqual(['a=1']);
  });

  test('can be JSON, with tabs, also draft 7', async () => {
    const text = JSON.stringify(
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { items: [{ const: 1 }], type: 'array' } },
      },
      undefined,
      '\t',
    );
    const { paths } = prepare({ 'dags/s.json': text });
    expect(await apply('s.json', ['a=[1]'], paths)).toEqual(['a=[1]']);
    await expect(apply('s.json', ['a=[2]'], paths)).rejects.toThrow('"a[0]" must be 1 (got 2)');
  });

  test('that is missing is reported with every searched path', async () => {
    const { paths, at } = prepare({});
    await expect(apply('p/s.yaml', [], paths)).rejects.toMatchObject({
      code: 'invalid_spec',
      message:
        `Parameter schema "p/s.yaml" not found. Searched: ${at('process/p/s.yaml')}, ` +
        `${at('work/p/s.yaml')}, ${at('dags/p/s.yaml')}; add the file, or fix "params.schema".`,
    });
  });

  test.each([
    ['properties: [', /The parameter schema is neither valid YAML nor JSON:.*s\.yaml:1:\d+: /],
    ['', /s\.yaml is not a JSON Schema, which must be a map\. Start with "type: object"/],
    ['- a', /\/s\.yaml is not a JSON Schema, which must be a map\. Start with/],
    ['{}\n---\n{}', /\/s\.yaml is not a JSON Schema, which must be a map\. Start with/],
    [
      `{} # ${'x'.repeat(1024 * 1024)}`,
      /is larger than 1 MiB\. Use a smaller file, or fix "params\.schema"\./,
    ],
    [
      'properties: { a: { type: wrong } }',
      /^Invalid JSON Schema for parameters "s\.yaml": schema is invalid: data\/properties\/a\/type must be/,
    ],
    [
      'properties: { a: { pattern: "(" } }',
      /Invalid JSON Schema for parameters "s\.yaml": Invalid regular expression: missing closing \)\./,
    ],
    [
      '$ref: other.yaml',
      /can't resolve reference other\.yaml from id #\. References must stay within the schema$/,
    ],
    [
      '$schema: http://json-schema.org/draft-04/schema#',
      /parameters "s\.yaml": its "\$schema" is "http:.*draft-04\/schema#"\./,
    ],
  ])('that is invalid is rejected: %.40s', async (text, message) => {
    const { paths } = prepare({ 'dags/s.yaml': text });
    await expect(apply('s.yaml', [], paths)).rejects.toMatchObject({
      code: 'invalid_spec',
      message: expect.stringMatching(message),
    });
  });

  test('that declares an asynchronous check is checked synchronously', async () => {
    await expect(apply({ $async: true, required: ['a'] }, [])).rejects.toThrow('"a" is missing');
  });
});

describe('expensive schema', () => {
  const email = String.raw`^([a-zA-Z0-9_.+-]+)+@example\.com$`;

  test('with patterns is checked by a linear-time engine', async () => {
    const value = `${'a'.repeat(40)}!`;
    await expect(
      apply({ properties: { EMAIL: { type: 'string', pattern: email } } }, [`EMAIL=${value}`]),
    ).rejects.toThrow('"EMAIL" must match ^([a-zA-Z0-9_.+-]+)+');
    expect(await apply({ patternProperties: { '^(a+)+$': { type: 'integer' } } }, [`${value}=x`])).toEqual([
      `${value}=x`,
    ]);
    // Larger than what is checked on the main thread.
    await expect(
      apply({ properties: { a: { pattern: '^(a+)+$' } } }, [`a=${'a'.repeat(100_000)}!`]),
    ).rejects.toThrow('"a" must match ^(a+)+$');
  });

  test('with a pattern that RE2 does not support is rejected', async () => {
    await expect(apply({ properties: { a: { pattern: '^(?=a)' } } }, [])).rejects.toMatchObject({
      code: 'invalid_spec',
      message: expect.stringContaining('Invalid regular expression: "(?=" at character 2 is a lookahead'),
    });
  });

  test('is ended at the deadline', async () => {
    const branch = { type: 'array', items: { $ref: '#/$defs/n' } };
    const schema = {
      properties: { a: { $ref: '#/$defs/n' } },
      $defs: { n: { anyOf: [branch, branch, branch, branch] } },
    };
    const clock = new FakeClock();
    let message = '';
    const opened = await ParamSchema.open({ schema, paths: nowhere, clock });
    opened
      .apply([{ name: 'a', value: `${'['.repeat(30)}1${']'.repeat(30)}` }])
      .catch((error: unknown) => (message = String(error)));
    await until(() => {
      clock.advance(20);
      return message !== '';
    });
    expect(message).toMatch(
      /^DeadlineError: Parameter validation (took longer than 2 seconds|needed more than)/,
    );
  });

  test('with too deep a value is rejected', async () => {
    const value = `${'['.repeat(40)}${']'.repeat(40)}`;
    await expect(apply({ properties: { a: { type: 'array' } } }, [`a=${value}`])).rejects.toThrow(
      'parameter validation failed: "a" is nested more than 32 levels deep',
    );
  });
});
