import type { AnySchemaObject } from 'ajv';
import { describe, expect, it } from 'vitest';
import { authoredKeys } from '../../../core/spec/authored.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { compileBoth, compileParts, readSchema } from './independent-check.ts';

const schema = readSchema('workflow');
const definitions = schema['$defs'] as Record<string, AnySchemaObject>;

type Field = [path: string, field: AnySchemaObject, pointer: string];

/** Every field, at every depth, with its schema and the JSON pointer of that. */
function listFields(part: unknown, path = '', pointer = ''): Field[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties = {}, examples: _, if: __, ...rest } = part as AnySchemaObject;
  const own = Object.entries(properties as Record<string, AnySchemaObject>).flatMap(
    ([key, field]): Field[] => {
      const place = `${pointer}/properties/${key}`;
      return [[`${path}.${key}`, field, place], ...listFields(field, `${path}.${key}`, place)];
    },
  );
  return [
    ...own,
    ...Object.entries(rest).flatMap(([key, value]) =>
      listFields(
        value,
        `${path}/${key}`,
        `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      ),
    ),
  ];
}

const fields = listFields(schema);
const current = fields.filter(([, { deprecated }]) => deprecated !== true);
const ownFields = (part: AnySchemaObject): [string, AnySchemaObject][] =>
  Object.entries(part['properties'] as Record<string, AnySchemaObject>);
const step = definitions['step']!;

describe('every field', () => {
  it('is present: those of the workflow, of steps and of nested maps', () => {
    expect(ownFields(schema).map(([key]) => key)).toEqual(expect.arrayContaining(authoredKeys.workflow));
    expect(ownFields(step).map(([key]) => key)).toEqual(expect.arrayContaining(authoredKeys.step));
    expect(current.length).toBeGreaterThan(120);
  });

  it.each(fields)('is described in a sentence or two: %s', (_, { description }) => {
    expect(description).toMatch(/^[A-Z"].{10,300}\.$/);
  });

  const compile = compileParts(schema);
  it.each(current)('has valid examples: %s', (_, { examples }, pointer) => {
    expect(examples).toEqual(expect.arrayContaining([expect.anything()]));
    for (const validate of compile(pointer))
      expect((examples as unknown[]).filter((example) => !validate(example))).toEqual([]);
  });

  // The YAML language server shows the description of a form instead of that of its field, and treats three
  // forms without descriptions as the same.
  it('has its description in one place, and at most two forms', () => {
    const unclear = fields.filter(([, { anyOf = [] }]) => {
      const forms = anyOf as AnySchemaObject[];
      return forms.length > 2 || forms.some(({ description }) => description !== undefined);
    });
    expect(unclear.map(([path]) => path)).toEqual([]);
    for (const { description } of Object.values(definitions)) expect(description).toBeUndefined();
  });

  it('has a description and examples for the file as a whole', () => {
    for (const { description, examples, ...rest } of [schema, readSchema('base')]) {
      expect(description).toMatch(/\.$/);
      for (const validate of compileBoth(rest))
        expect((examples as unknown[]).filter((example) => !validate(example))).toEqual([]);
    }
  });
});

describe('an enum value', () => {
  const listEnums = (part: unknown): AnySchemaObject[] => {
    if (typeof part !== 'object' || part === null) return [];
    const { enum: words, examples: _, ...rest } = part as AnySchemaObject;
    const own = Array.isArray(words) ? [part as AnySchemaObject] : [];
    return [...own, ...Object.values(rest).flatMap(listEnums)];
  };
  // The names of signals are self-explanatory.
  const enums = listEnums(schema).filter(({ enum: [first] }) => first !== 'SIGABRT');

  it('is described', () => {
    expect(enums.length).toBeGreaterThan(5);
    const bare = enums.filter(({ enum: words, enumDescriptions = [] }) => {
      const sentences = (enumDescriptions as string[]).filter((sentence) => /^[A-Z"].*\.$/.test(sentence));
      return sentences.length !== (words as unknown[]).length;
    });
    expect(bare).toEqual([]);
  });
});

describe('an alternative spelling', () => {
  const spellings = fields.filter(([, { deprecated }]) => deprecated === true);

  it('is deprecated, and names the spelling to use', () => {
    expect(spellings.length).toBeGreaterThan(50);
    for (const [path, { description, deprecationMessage }] of spellings) {
      const [, key = ''] = /^Alias of "(\w+)"\.$/.exec(String(deprecationMessage)) ?? [];
      expect(description).toContain(deprecationMessage);
      expect(current.map(([place]) => place)).toContain(path.replace(/\w+$/, key));
    }
  });

  it.each(['precondition', 'timeoutSec', 'dir', 'working_dir', 'max_active_runs'])(
    'of the workflow: %s',
    (key) => expect(spellings.map(([path]) => path)).toContain(`.${key}`),
  );

  it.each(['call', 'executor', 'workingDir', 'timeout', 'precondition', 'retry_policy', 'continue_on'])(
    'of a step: %s',
    (key) => expect(spellings.map(([path]) => path)).toContain(`/$defs/step.${key}`),
  );

  it.each(['cancel', 'canceled', 'cancelled', 'aborted'])('of a handler: %s', (key) =>
    expect(spellings.map(([path]) => path)).toContain(`.handlerOn.${key}`),
  );
});

describe('schema examples', () => {
  const action = { command: 'echo hello' };
  const examplesOf = (field: AnySchemaObject): unknown[] =>
    ((field['examples'] ?? []) as unknown[]).filter((example) => example !== undefined);
  const owners: Readonly<Record<string, object>> = {
    run: {},
    params: { run: 'child' },
    workerSelector: { run: 'child' },
    shellPackages: { shell: 'nix-shell', ...action },
    config: { type: 'http', command: 'GET http://127.0.0.1' },
  };
  /** Other fields that a step field requires. */
  const around = (key: string): object => owners[key] ?? action;
  const texts = [
    ...ownFields(schema).flatMap(([key, field]) =>
      examplesOf(field).map((example) => ({ steps: [action], [key]: example })),
    ),
    ...ownFields(step).flatMap(([key, field]) =>
      examplesOf(field).map((example) => ({
        type: 'graph',
        steps: [
          ...['extract', 'left', 'right'].map((name) => ({ name, ...action })),
          { ...around(key), [key]: example },
        ],
      })),
    ),
  ].map((value) => JSON.stringify(value));

  it('load without warnings', () => {
    expect(texts.length).toBeGreaterThan(80);
    const said = texts.flatMap((text) =>
      loadSpec({ text }).diagnostics.map(({ message }) => `${text}: ${message}`),
    );
    expect(said).toEqual([]);
  });
});
