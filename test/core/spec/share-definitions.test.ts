import { Ajv, type ErrorObject } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authoredSchema } from '../../../core/spec/authored.ts';
import { extractDefinitions } from '../../../core/spec/share-definitions.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

const validator = (schema: object) =>
  new Ajv({ allErrors: true, strict: false, inlineRefs: false }).compile(schema);

test('names a repeated part once, at every depth', () => {
  const step = { type: 'object', properties: { command: { type: 'string', pattern: '^[a-z]{1,40}$' } } };
  const schema = {
    type: 'object',
    properties: { first: step, list: { type: 'array', items: step }, description: { type: 'null' } },
  };
  expect(extractDefinitions({ ...schema, description: 'dropped' })).toEqual({
    type: 'object',
    properties: {
      first: { $ref: '#/$defs/shared0' },
      list: { type: 'array', items: { $ref: '#/$defs/shared0' } },
      description: { type: 'null' },
    },
    $defs: {
      shared0: { type: 'object', properties: { command: { $ref: '#/$defs/shared1' } } },
      shared1: { type: 'string', pattern: '^[a-z]{1,40}$' },
    },
  });
});

test('finds the same errors in any workflow-like value', () => {
  const original = validator(authoredSchema);
  const shared = validator(extractDefinitions(authoredSchema));
  const findErrors = (validate: typeof shared, value: unknown): string[] =>
    validate(value) ? [] : (validate.errors ?? []).map(describe).sort();
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fieldNames()), tie('node'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(node, (value) => {
      expect(findErrors(shared, value)).toEqual(findErrors(original, value));
    }),
    { seed: 20_261_120, numRuns: propertyRuns(500) },
  );
});

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  return JSON.stringify([instancePath, keyword, params, message]);
}

function fieldNames(): string[] {
  return [
    'name',
    'steps',
    'command',
    'script',
    'depends',
    'env',
    'params',
    'output',
    'retryPolicy',
    'limit',
    'handlerOn',
    'failure',
    'other',
  ];
}
