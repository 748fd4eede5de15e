import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authoredKeys } from '../../../core/spec/authored.ts';
import { keyAliases } from '../../../core/spec/foreign-fields.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { compileBoth, findProblems, readSchema } from './independent-check.ts';

const workflow = compileBoth(readSchema('workflow'));
const hasEmpty = (text: string): boolean =>
  loadSpec({ text }).diagnostics.some(({ message }) => message.includes('is empty and has no effect'));
const isLoaded = (text: string): boolean => loadSpec({ text }).workflows.length > 0;

describe('an empty field', () => {
  const action = { command: 'echo' };
  const embed = {
    workflow: (key: string) => ({ steps: [action], [key]: null }),
    step: (key: string) => ({ steps: [{ ...action, [key]: null }] }),
    handlers: (key: string) => ({ steps: [action], handlerOn: { [key]: null } }),
    schedule: (key: string) => ({ steps: [action], schedule: { [key]: null } }),
    smtp: (key: string) => ({ steps: [action], smtp: { [key]: null } }),
    container: (key: string) => ({ steps: [action], container: { [key]: null } }),
    condition: (key: string) => ({ steps: [action], preconditions: { condition: 'true', [key]: null } }),
  };
  const places = Object.entries(embed).flatMap(([shape, place]) =>
    authoredKeys[shape as keyof typeof embed].map((key) => [shape, key, place(key)] as const),
  );

  it.each(places)('means the same to the schema and the loader: %s %s', (_shape, _key, value) => {
    const text = JSON.stringify(value);
    expect(findProblems(text, workflow).length === 0).toBe(isLoaded(text));
  });
});

/** Values of all kinds, including those of other fields. */
const words = [
  '',
  ' ',
  'a',
  '5',
  '1.5',
  'true',
  'failed',
  'SKIPPED',
  'always',
  'while',
  'graph',
  'term',
  'SIGINT',
  'ssh',
  're:^a',
  're:[',
  '${N}',
  '`date`',
  'KEY=value',
  'a\nb',
  '30s',
  '0 6 * * *',
  'TZ=UTC 0 6 * * 1',
  '@daily',
];
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...words, 0, 1, -1, 2.5, 1e9, true, false, null),
  fc.string({ maxLength: 4 }),
);
const toSnakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const getKeys = (...kinds: (keyof typeof authoredKeys)[]): string[] =>
  kinds.flatMap((kind): string[] => [...authoredKeys[kind]]).flatMap((key) => [key, toSnakeCase(key)]);
const innerKeys = getKeys(
  ...(Object.keys(authoredKeys) as (keyof typeof authoredKeys)[]).filter(
    (kind) => kind !== 'workflow' && kind !== 'step',
  ),
);
const flat = fc.oneof(
  { weight: 3, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom(...innerKeys, 'A', 'region'), scalar, { maxKeys: 3 }),
);
const value = fc.oneof(
  flat,
  fc.array(flat, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom(...innerKeys), flat, { maxKeys: 3 }),
);
const stepKeys = [...getKeys('step'), ...Object.keys(keyAliases.step)];
const step = fc
  .tuple(
    fc.constantFrom({ command: 'a' }, { script: 'a' }, { run: 'a' }, {}),
    fc.dictionary(fc.constantFrom(...stepKeys), value, { maxKeys: 1 }),
  )
  .map(([action, fields]) => ({ ...action, ...fields }));
const rootKeys = [...getKeys('workflow'), ...Object.keys(keyAliases.workflow)].filter(
  (key) => key !== 'steps',
);
const file = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...rootKeys), value, { maxKeys: 1 }),
    fc.oneof(step, fc.constantFrom<unknown>('a', '', null, ['a'], [])),
    fc.option(
      fc.dictionary(
        fc.constantFrom(...getKeys('handlers'), ...Object.keys(keyAliases.handlers)),
        fc.oneof(step, scalar),
        { maxKeys: 1 },
      ),
      { nil: undefined, freq: 6 },
    ),
  )
  .map(([root, item, handlerOn]) => ({ ...root, steps: [item], ...(handlerOn && { handlerOn }) }));

describe('schema and loader', () => {
  it('the schema accepts every file that the loader accepts', () => {
    let loaded = 0;
    fc.assert(
      fc.property(file, (content) => {
        const text = JSON.stringify(content);
        // An empty value has no effect, which editors warn about.
        if (!isLoaded(text) || hasEmpty(text)) return;
        loaded += 1;
        expect({ text, problems: findProblems(text, workflow) }).toEqual({ text, problems: [] });
      }),
      { seed: 20_261_121, numRuns: 6000 },
    );
    expect(loaded).toBeGreaterThan(1000);
  });
});
