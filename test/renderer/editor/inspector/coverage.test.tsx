import { cleanup, render } from '@testing-library/react';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/base/json.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { getBranches, type Schema } from '../../../../renderer/editor/code/schema-context.ts';
import { FormProvider, type Form } from '../../../../renderer/editor/inspector/form-context.ts';
import { FieldRow } from '../../../../renderer/editor/inspector/form-sections.tsx';
import {
  stepFields,
  stepSchema,
  workflowFields,
  workflowSchema,
  type FieldSpec,
} from '../../../../renderer/editor/inspector/field-specs.ts';
import { type InspectedTarget, inspect } from '../../../../core/edit/inspect.ts';
import { EditorSessionProvider } from '../../../../renderer/editor/session/panel-state.ts';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';
import { startSession } from '../editor-harness.tsx';
import { getPathKey } from '../../../../core/edit/outline.ts';

/** Fields without their own form, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'workflow.steps': 'Each step has a form of its own.',
  'workflow.handlerOn': 'Each handler has a form of its own.',
  'workflow.params {"schema":{}}': 'A JSON Schema is a language of its own: YAML.',
  'step.config {}': 'The options of a kind of step that is not known can be anything: YAML.',
};

let drawn = 0;
const next = (): number => (drawn += 1) + 1000;

/** Values of every shape allowed by a schema; for a map one per key, and each shape of its value. */
function samplesByOperation(schema: Schema): readonly JsonValue[] {
  const branches = getBranches(schema);
  const isText = branches.some(({ type, enum: values }) => type === 'string' && !values);
  return branches.flatMap((branch): readonly JsonValue[] => {
    const { type, properties, patternProperties, items } = branch;
    if (branch.enum) return [branch.enum.at(-1)!];
    if (items) return samplesByOperation(items).map((item) => [item]);
    if (properties)
      return Object.keys(properties).length === 0
        ? [{}]
        : Object.entries(properties).flatMap(([name, below]) =>
            samplesByOperation(below).map((value): JsonObject => ({ ...neededOf(branch), [name]: value })),
          );
    if (patternProperties)
      return Object.values(patternProperties).flatMap((below) =>
        samplesByOperation(below).map((value) => ({ [`key${next()}`]: value })),
      );
    if (type === 'string') return [`text ${next()}`];
    if (type === 'number' || type === 'integer') return [next()];
    // A field that allows a string is a string in the form, whatever else it allows.
    if (type === 'boolean' || type === 'null') return isText ? [] : [type === 'null' ? null : true];
    throw new Error(`The walk knows no ${JSON.stringify(branch)}.`);
  });
}

/** The required keys of a map. */
const neededOf = ({ properties = {}, required = [] }: Needing): JsonObject =>
  Object.fromEntries(required.map((name) => [name, samplesByOperation(properties[name]!)[0]!]));

type Needing = Schema & { readonly required?: readonly string[] };

/** The strings and numbers in a value, and the keys that are data. */
const leavesOf = (value: JsonValue): readonly string[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, below]) => [
        ...(key.startsWith('key') && key.length > 4 ? [key] : []),
        ...leavesOf(below),
      ])
    : typeof value === 'boolean' || value === null
      ? []
      : [String(value)];

const isTypedList = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.some((item) => leavesOf(item).length > 0 && Object.hasOwn(Object(item), 'name'));

const { session } = startSession('');

/** The content of the controls of a field with a value, and whether it is YAML. */
function show(
  owner: 'step' | 'workflow',
  spec: FieldSpec,
  value: JsonValue,
): { text: string; isYaml: boolean } {
  const fields = { [spec.name]: value };
  const text = stringify(owner === 'step' ? { steps: [{ name: 'one', ...fields }] } : fields);
  const ref = {
    section: 'step',
    name: spec.name === 'name' && typeof value === 'string' ? value : 'one',
  } as const;
  const inspected: InspectedTarget = inspect(readEditable(text), [owner === 'step' ? ref : undefined])[0]!;
  const form = {
    ...{ session, kind: owner, target: owner === 'step' ? [ref] : [], document: undefined },
    getState: (path) => inspected.fields[getPathKey(path)],
    isMixed: () => false,
    issuesAt: () => [],
    Row: FieldRow,
  } as Partial<Form> as Form;
  const content = (
    <EditorSessionProvider value={session}>
      <FormProvider value={form}>
        <FieldRow spec={spec} path={[spec.name]} />
      </FormProvider>
    </EditorSessionProvider>
  );
  if (spec.name === 'run') renderWith(new FakeBridge({}), content);
  else render(content);
  const controls = [
    ...document.querySelectorAll<HTMLInputElement>('input, textarea, select, [role="textbox"]'),
  ];
  const shown = [...controls.map((one) => one.value ?? one.textContent), document.body.textContent].join(
    '\n',
  );
  const isYaml = document.querySelector('textarea[aria-label$="as YAML"]') !== null;
  cleanup();
  return { text: shown, isYaml };
}

test.each([
  ['step', stepFields, stepSchema],
  ['workflow', workflowFields, workflowSchema],
] as const)('every field of a %s has a form for every shape in the schema', (owner, specs, schema) => {
  const missing: string[] = [];
  const used = new Set<string>();
  for (const spec of specs) {
    if (exceptions[`${owner}.${spec.name}`] !== undefined) continue;
    for (const value of samplesByOperation(schema.properties![spec.name]!)) {
      const name = `${owner}.${spec.name} ${JSON.stringify(value)}`;
      if (exceptions[name] !== undefined) {
        used.add(name);
        continue;
      }
      // Typed parameters are YAML.
      if (owner === 'workflow' && spec.name === 'params' && isTypedList(value)) continue;
      // A list of channels, too.
      if (owner === 'workflow' && spec.name === 'notify' && Array.isArray(value)) continue;
      const { text, isYaml } = show(owner, spec, value);
      const unseen = leavesOf(value).filter((leaf) => !text.includes(leaf));
      if (isYaml) missing.push(`${name} is YAML`);
      else if (unseen.length > 0) missing.push(`${name} does not show ${unseen.join(', ')}`);
    }
  }
  expect(missing).toEqual([]);
  const excepted = Object.keys(exceptions).filter(
    (name) => name.startsWith(`${owner}.`) && name.includes(' '),
  );
  expect([...used]).toEqual(excepted);
});

test('every field has a description from the schema', () => {
  const walk = (specs: readonly FieldSpec[], way: string): readonly string[] =>
    specs.flatMap((spec) => [
      ...(spec.description.trim() === '' ? [`${way}.${spec.name}`] : []),
      ...walk(spec.fields, `${way}.${spec.name}`),
    ]);
  expect([...walk(stepFields, 'step'), ...walk(workflowFields, 'workflow')]).toEqual([]);
});
