import { expect, test } from 'vitest';
import { type NodeRef, applyChanges } from '../../../../core/edit/text-change.ts';
import { setStepField } from '../../../../core/edit/steps/set-step-field.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { FormController } from '../../../../renderer/editor/inspector/form-controller.ts';
import { computeEdit, type EditRequest } from '../../../../core/edit/edit-request.ts';
import { inspect } from '../../../../core/edit/inspect.ts';
import { fieldAt } from '../../../../renderer/editor/inspector/use-form.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { openSession, type } from '../editor-harness.tsx';
import { getPathKey } from '../../../../core/edit/outline.ts';

const text = `# head
name: etl
x-defaults: &defaults
  retryPolicy: {limit: 2, interval_sec: 5}   # shared
steps:
  - name: one
    <<: *defaults
    workingDir: data   # here
    env:
      - A=1
      - B: 2
  - echo two
`;
const step = (name: string): NodeRef => ({ section: 'step', name });
const one = step('one');

function edited(request: EditRequest): string {
  const result = computeEdit(readEditable(text), request);
  if (!result.ok) throw new Error(result.reason);
  return applyChanges(text, result.changes);
}

test('finds fields under their canonical names, with their source', () => {
  const [inspected, command] = inspect(readEditable(text), [one, step('cmd_1')]);
  const field = (...path: (string | number)[]) => inspected!.fields[getPathKey(path)];
  expect(field('dir')).toMatchObject({ value: 'data', written: ['steps', 0, 'workingDir'] });
  expect(text.slice(field('dir')!.range.from, field('dir')!.range.to)).toBe('workingDir: data');
  expect(field('retryPolicy')).toMatchObject({ origin: { anchor: 'defaults', line: 3 } });
  expect(field('retryPolicy', 'intervalSec')).toMatchObject({ value: 5, origin: { anchor: 'defaults' } });
  expect(field('env', 1, 'B')?.value).toBe(2);
  expect(command ?? inspect(readEditable(text), [step('cmd_2')])[0]).toMatchObject({ isText: true });
});

test('an edit of one field changes one line', () => {
  expect(edited({ kind: 'set', target: [one], field: ['dir'], to: { value: 'out' } })).toBe(
    text.replace('workingDir: data   # here', 'workingDir: out   # here'),
  );
  expect(edited({ kind: 'set', target: [one], field: ['env', 0], to: { value: 'A=2' } })).toBe(
    text.replace('A=1', 'A=2'),
  );
  expect(edited({ kind: 'rename-key', target: [one], field: ['env', 1, 'B'], key: 'C' })).toBe(
    text.replace('B: 2', 'C: 2'),
  );
  expect(edited({ kind: 'set', target: [one], field: ['dir'] })).toBe(
    text.replace('    workingDir: data   # here\n', ''),
  );
  expect(edited({ kind: 'set', target: [], field: ['name'], to: { value: 'load' } })).toBe(
    text.replace('name: etl', 'name: load'),
  );
});

test('the cursor is in the innermost field', () => {
  const [inspected] = inspect(readEditable(text), [one]);
  expect(fieldAt(inspected!, text.indexOf('A=1'))).toBe(getPathKey(['env', 0]));
  expect(fieldAt(inspected!, 0)).toBeUndefined();
});

test('edits are serialized, and one of a replaced text applies to the new one', async () => {
  const { session, stop } = openSession('steps:\n  - name: one\n    command: a\n');
  const desk = new FormController(session, new FakeClock());
  const close = desk.open();
  session.select([one], 'other');
  const set = (field: string, value: string) =>
    desk.apply({ kind: 'set', target: [one], field: [field], to: { value } }, { label: 'set', group: field });
  const both = [set('command', 'b'), set('dir', 'out')];
  type(session, 0, '# typed\n');
  expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(session.text).toBe('# typed\nsteps:\n  - name: one\n    command: b\n    dir: out\n');
  expect(desk.view.inspected?.[0]?.fields[getPathKey(['dir'])]?.value).toBe('out');
  session.undo();
  expect(session.text).toBe('# typed\nsteps:\n  - name: one\n    command: b\n');
  close();
  stop();
});

test('parses typing elsewhere at most every 300 ms, and form edits immediately', async () => {
  const { session, stop } = openSession('steps:\n  - name: one\n    command: a\n');
  const clock = new FakeClock();
  const desk = new FormController(session, clock);
  const close = desk.open();
  session.select([one], 'other');
  const settle = async (): Promise<number> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return desk.view.reading;
  };
  const before = await settle();
  type(session, 0, '# a\n');
  type(session, 0, '# b\n');
  expect(await settle()).toBe(before);
  clock.advance(300);
  expect(await settle()).toBe(before + 1);
  await desk.apply({ kind: 'set', target: [one], field: ['command'], to: { value: 'b' } }, { label: 'set' });
  expect(desk.view.reading).toBe(before + 2);
  expect(desk.view.inspected?.[0]?.fields[getPathKey(['command'])]?.value).toBe('b');
  close();
  stop();
});

test('shows where each merged field is defined, also through lists of anchors and nested merges', () => {
  const merged = [
    'x-a: &a\n  dir: /a\n',
    'x-b: &b\n  timeoutSec: 5\n  retryPolicy: { limit: 2 }\n',
    'x-c: &c\n  <<: [*a, *b]\n  output: OUT\n',
    'steps:\n  - name: one\n    <<: [*a, *b]\n    command: x\n',
    '  - name: two\n    <<: *c\n    command: y\n    repeatPolicy:\n      <<: [*a, *b]\n',
  ].join('');
  const editable = readEditable(merged);
  const [first, second] = inspect(editable, [step('one'), step('two')]);
  const getOrigin = (inspected: typeof first, ...path: string[]) =>
    inspected!.fields[getPathKey(path)]!.origin;
  expect(getOrigin(first, 'dir')).toEqual({ anchor: 'a', line: 1 });
  expect(getOrigin(first, 'timeoutSec')).toEqual({ anchor: 'b', line: 3 });
  expect(getOrigin(first, 'retryPolicy', 'limit')).toEqual({ anchor: 'b', line: 3 });
  expect(getOrigin(second, 'dir')).toEqual({ anchor: 'a', line: 1 });
  expect(getOrigin(second, 'output')).toEqual({ anchor: 'c', line: 6 });
  expect(getOrigin(second, 'repeatPolicy', 'timeoutSec')).toEqual({ anchor: 'b', line: 3 });
  const result = setStepField(editable, one, { field: ['retryPolicy', 'limit'], value: 9 });
  expect(result).toMatchObject({ changes: [{ insert: '\n    retryPolicy:\n      limit: 9' }] });
});

test('moves list entries, and duplicates steps below themselves', () => {
  expect(edited({ kind: 'move', target: [one], field: ['env'], from: 1, to: 0 })).toBe(
    text.replace('      - A=1\n      - B: 2\n', '      - B: 2\n      - A=1\n'),
  );
  const copied = edited({ kind: 'duplicate-steps', target: [one] });
  expect(copied.match(/workingDir: data/g)).toHaveLength(2);
  expect(copied).toContain(text.slice(0, text.indexOf('  - echo two')));
});

test('another workflow of the file has its own form', () => {
  const file = `name: outer\nsteps: [a]\n--- # second\nname: inner\nenv: {A: 1}\nsteps:\n  - name: deep\n    dir: x # kept\nhandlerOn:\n  exit: ./end\n`;
  const deep = { ...step('deep'), document: 1 };
  const change = (request: EditRequest): string => {
    const result = computeEdit(readEditable(file), request);
    if (!result.ok) throw new Error(result.reason);
    return applyChanges(file, result.changes);
  };
  const editable = readEditable(file);
  expect(inspect(editable, [undefined], 1)[0]!.fields[getPathKey(['name'])]?.value).toBe('inner');
  expect(inspect(editable, [deep])[0]!.fields[getPathKey(['dir'])]?.value).toBe('x');
  expect(change({ kind: 'set', target: [deep], field: ['dir'], to: { value: 'y' } })).toBe(
    file.replace('dir: x', 'dir: y'),
  );
  const env = { kind: 'set', target: [], field: ['env', 'A'], to: { value: 2 } } as const;
  expect(change({ ...env, document: 1 })).toBe(file.replace('{A: 1}', '{A: 2}'));
  expect(change({ kind: 'rename-key', target: [], document: 1, field: ['env', 'A'], key: 'B' })).toBe(
    file.replace('{A: 1}', '{B: 1}'),
  );
  expect(change({ kind: 'remove-handler', handler: 'exit', document: 1 })).toBe(
    file.replace('handlerOn:\n  exit: ./end\n', ''),
  );
  const both = { kind: 'all', document: 1, requests: [env, { ...env, to: { value: 3 } }] } as const;
  expect(change(both)).toBe(file.replace('{A: 1}', '{A: 3}'));
});
