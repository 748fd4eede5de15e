import { expect, test } from 'vitest';
import {
  getFields,
  findWidget,
  stepFields,
  stepSchema,
  workflowFields,
  workflowSchema,
  type FieldSpec,
  sections,
} from '../../../../renderer/editor/inspector/field-specs.ts';
import { configSpecs, specForStepType } from '../../../../renderer/editor/inspector/config-widget.tsx';
import { executorTypes } from '../../../../core/model/step-types.ts';
import { getBranches, type Schema } from '../../../../renderer/editor/code/schema-context.ts';

/** Fields whose parts have their own forms, or custom widgets. */
const ownForms = new Set(['steps', 'handlerOn', 'secrets', 'preconditions', 'type']);

function listWithout(owner: string, schema: Schema): string[] {
  return getBranches(schema).flatMap((branch) =>
    Object.entries(branch.properties ?? {}).flatMap(([name, field]) => [
      ...(findWidget(owner, name, field) === undefined ? [`${owner}.${name}`] : []),
      ...(ownForms.has(name) ? [] : listWithout(name, field)),
    ]),
  );
}

test('every field of the schema has a widget', () => {
  expect(listWithout('step', stepSchema)).toEqual([]);
  expect(listWithout('workflow', workflowSchema)).toEqual([]);
});

test('every field of step and workflow is in exactly one section', () => {
  for (const [kind, fields] of [
    ['step', stepFields],
    ['workflow', workflowFields],
  ] as const) {
    const placed = sections[kind].flatMap((section) => section.fields.map(({ name }) => name));
    expect(placed.toSorted()).toEqual(fields.map(({ name }) => name).toSorted());
  }
});

test('a map of fields has the fields in the schema', () => {
  const walk = (specs: readonly FieldSpec[]): void => {
    for (const spec of specs) {
      if (spec.widget === 'form') expect(spec).not.toMatchObject({ fields: [] });
      walk(spec.fields);
    }
  };
  walk([...stepFields, ...workflowFields]);
  expect(getFields('step', stepSchema)).toHaveLength(Object.keys(stepSchema.properties!).length);
});

test('every step type has its options as labelled fields', () => {
  for (const type of executorTypes) {
    const specs = configSpecs(type)!;
    expect(specs.length).toBeGreaterThan(0);
    for (const { name, description } of specs)
      expect(`${type}.${name}: ${description}`).not.toBe(`${type}.${name}: `);
  }
  expect(configSpecs('')).toBeUndefined();
});

test('text for people is edited as prose, multi-line data as code', () => {
  const widgetOf = (fields: readonly FieldSpec[] | undefined, wanted: string) =>
    fields?.find(({ name }) => name === wanted)?.widget;
  for (const fields of [stepFields, workflowFields]) expect(widgetOf(fields, 'description')).toBe('prose');
  expect(widgetOf(configSpecs('approval'), 'question')).toBe('prose');
  expect(widgetOf(configSpecs('mail'), 'message')).toBe('prose');
  expect(widgetOf(configSpecs('http'), 'body')).toBe('lines');
});

test('command and script are described according to the step type', () => {
  const command = stepFields.find(({ name }) => name === 'command')!;
  expect(specForStepType('archive', command)).toMatchObject({
    description: 'Operation: extract, create or list.',
  });
  expect(specForStepType('archive', command)).not.toHaveProperty('example');
  for (const type of [undefined, 'command', 'mail']) expect(specForStepType(type, command)).toBe(command);
});

test('an empty list of strings shows one entry while typing', () => {
  const inputs = configSpecs('approval')!.find(({ name }) => name === 'inputs');
  expect(inputs).toMatchObject({ widget: 'texts', example: 'TICKET' });
});
