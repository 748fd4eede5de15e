import type { JsonObject } from '../../../core/base/json.ts';
import { describe, expect, it } from 'vitest';
import { listParamFields } from '../../../core/spec/param-form.ts';

const release: JsonObject = {
  properties: {
    env: { title: 'Environment', enum: ['dev', 'prod'] },
    batch: { $ref: '#/$defs/count', description: 'Rows' },
    day: { type: ['string', 'null'], format: 'date' },
    token: { type: 'string', writeOnly: true },
    size: { oneOf: [{ const: 1, title: 'Small' }, { const: 9 }] },
  },
  required: ['env'],
  $defs: { count: { type: 'integer', minimum: 1, maximum: 99, default: 10 } },
};

describe('listParamFields', () => {
  it('lists the properties of a schema, then the other parameters', () => {
    expect(listParamFields([{ name: 'NOTE', value: 'x' }], release)).toEqual([
      {
        name: 'env',
        title: 'Environment',
        type: 'string',
        required: true,
        choices: [{ value: 'dev' }, { value: 'prod' }],
      },
      {
        ...{ name: 'batch', description: 'Rows', type: 'integer', required: false },
        ...{ default: '10', minimum: 1, maximum: 99 },
      },
      { name: 'day', type: 'string', format: 'date', required: false },
      { name: 'token', type: 'string', format: 'password', required: false },
      {
        name: 'size',
        type: 'string',
        required: false,
        choices: [{ value: '1', title: 'Small' }, { value: '9' }],
      },
      { name: 'NOTE', type: 'string', required: false, default: 'x' },
    ]);
  });

  it('prefers the values of the workflow to the defaults of the schema', () => {
    const fields = listParamFields([{ name: 'batch', value: '20' }], release);
    expect(fields.find(({ name }) => name === 'batch')).toMatchObject({ default: '20' });
  });

  it('survives references that lead nowhere', () => {
    const schema = { properties: { a: { $ref: '#/nowhere' }, b: { $ref: 'other.json' }, c: true } };
    expect(listParamFields([], schema).map(({ type }) => type)).toEqual(['string', 'string', 'string']);
  });
});
