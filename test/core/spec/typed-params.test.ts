import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';
import { findUnknownParams, parseParamTokens } from '../../../core/spec/params.ts';

const load = (params: string) => loadSpec({ text: `params: ${params}\nsteps: ["true"]\n` });

/** The messages about a list of parameters. */
const messages = (params: string): string[] => load(params).diagnostics.map(({ message }) => message);

describe('typed parameters', () => {
  it('become a JSON Schema without other parameters, and their defaults values', () => {
    const { workflows, diagnostics } = load(`
  - input.csv
  - REGION: north
  - { name: env, type: string, enum: [dev, prod], required: true, description: Where to }
  - { name: batch, type: integer, minimum: 1, default: 10 }`);
    expect(diagnostics).toEqual([]);
    expect(workflows[0]).toMatchObject({
      params: [
        { name: '1', value: 'input.csv' },
        { name: 'REGION', value: 'north' },
        { name: 'batch', value: '10' },
      ],
      paramSchema: {
        type: 'object',
        properties: {
          '1': { type: 'string' },
          REGION: { type: 'string' },
          env: { type: 'string', enum: ['dev', 'prod'], description: 'Where to' },
          batch: { type: 'integer', minimum: 1 },
        },
        required: ['env'],
        additionalProperties: false,
      },
    });
  });

  it.each([
    ['[{ name: region }]', [{ name: 'name', value: 'region' }]],
    [
      '{ name: ada, type: x }',
      [
        { name: 'name', value: 'ada' },
        { name: 'type', value: 'x' },
      ],
    ],
    [
      '[{ type: x, default: y }]',
      [
        { name: 'type', value: 'x' },
        { name: 'default', value: 'y' },
      ],
    ],
  ])('are not taken from a map of values: %s', (params, expected) => {
    const [workflow] = load(params).workflows;
    expect(workflow).toMatchObject({ params: expected });
    expect(workflow).not.toHaveProperty('paramSchema');
  });

  it.each([
    ['[{ name: a, default: true }]', { type: 'boolean' }],
    ['[{ name: a, default: 3 }]', { type: 'number' }],
    ['[{ name: a, maximum: 3 }]', { type: 'number', maximum: 3 }],
    ['[{ name: a, required: true }]', { type: 'string' }],
    ['[{ name: a, enum: [1, 2] }]', { enum: [1, 2] }],
  ])('have the type that %s implies', (params, expected) => {
    expect(load(params).workflows[0]?.paramSchema).toMatchObject({ properties: { a: expected } });
  });

  it.each([
    ['[{ name: a, type: int }]', '"type" must be one of: string, integer, number, boolean, array, object.'],
    ['[{ name: a, type: integer, default: x }]', '"default" must be a whole number, but is x.'],
    ['[{ name: a, enum: [b, c], default: d }]', '"default" must be one of: b, c, but is d.'],
    ['[{ name: a, minimum: 5, default: 1 }]', '"default" must be at least 5, but is 1.'],
    ['[{ name: a, minimum: 5, maximum: 1 }]', '"minimum" is greater than "maximum". Swap or fix the limits.'],
    [
      '[{ name: "a b", type: string }]',
      'Invalid parameter name "a b". Use letters, digits, "_", "-" and ".".',
    ],
    ['[{ name: a, type: string, requird: true }]', 'Unknown field "requird". Did you mean "required"?'],
    [
      '[{ name: a, type: string }, { name: a, type: string }]',
      'Duplicate parameter "a" (first used in line 1). Remove or rename one.',
    ],
    ['[{ name: a, type: integer, min: 1 }]', '"min" is an alternative spelling of "minimum". Use "minimum".'],
  ])('are checked: %s', (params, message) => {
    expect(messages(params).map((text) => text.replace(/ Did you mean "integer"\?$/, ''))).toEqual([message]);
  });

  it('accept a default with variables, which is known only at run time', () => {
    expect(messages('[{ name: a, type: integer, default: "${COUNT}" }]')).toEqual([]);
  });
});

describe('a schedule', () => {
  const warnings = (params: string): string[] =>
    loadSpec({ text: `schedule: "0 5 * * *"\nparams: ${params}\nsteps: [echo]\n` }).diagnostics.map(
      ({ message }) => message,
    );

  it('passes no values, so required parameters need defaults', () => {
    expect(
      warnings('[{ name: env, required: true }, { name: day, required: true, default: monday }]'),
    ).toEqual([
      'Parameter "env" is required and has no default, so scheduled runs cannot start. Add a default.',
    ]);
    expect(
      warnings('{ schema: { required: [a, b], properties: { a: {}, b: {} } }, values: { b: 1 } }'),
    ).toEqual([
      'Parameter "a" is required and has no default, so scheduled runs cannot start. Add a default.',
    ]);
    expect(warnings('[{ name: env, default: x }]')).toEqual([]);
  });
});

describe('findUnknownParams', () => {
  const workflow = load('[{ WHO: x }, { DAY: monday }]').workflows[0]!;

  it('names the nearest parameter, or all of them', () => {
    expect(findUnknownParams(workflow, parseParamTokens(['WHOO=x', 'WHO=y', 'z', 'OTHER=1']))).toEqual([
      'Unknown parameter "WHOO". Did you mean "WHO"?',
      'Unknown parameter "OTHER". Parameters: WHO, DAY.',
    ]);
  });

  it('accepts any name without declared ones, and those that the engine adds', () => {
    const free = load('first').workflows[0]!;
    expect(findUnknownParams(free, parseParamTokens(['WHO=x']))).toEqual([]);
    expect(findUnknownParams(workflow, parseParamTokens(['WEBHOOK_EVENT=push']))).toEqual([]);
  });
});
