import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openForm } from '../editor-harness.tsx';

const entry = (name: string) => within(screen.getByRole('listitem', { name }));

/** Number of errors shown by a field or entry itself, without nested ones. */
const errorsIn = (element: Element | null): number =>
  [...(element?.querySelectorAll('li[data-severity="error"]') ?? [])].filter(
    (issue) => issue.closest('[role="listitem"], [data-field]') === element,
  ).length;

const field = (path: string) => `[data-field="${path}"]`;
const item = (name: string) => `[role="listitem"][aria-label="${name}"]`;

test.each([
  ['tags: [ok]\nsmtp:\n  - host: a\n  - {host: b, port: [1]}\n', field('smtp.1.port')],
  ['registryAuths: {ghcr.io: {username: [x]}}\n', field('registryAuths.ghcr.io.username')],
  [
    'registryAuths: {ghcr.io: {username: a, password: b}, quay.io: {usr: me, auth: eDp5}}\n',
    item('registry quay.io'),
  ],
  ['secrets: [{name: A, provider: env, key: K}, {name: B, provider: nowhere, key: K}]\n', item('secret 2')],
  ["schedule: {start: ['0 6 * * *', 'not a time']}\n", item('start 2')],
  ['preconditions: [test -f x, {condition: a, expected: "re:["}]\n', item('condition 2')],
])('shows the error in %j at the innermost field or entry', async (text, place) => {
  const { stop } = openForm(`${text}steps: [x]\n`);
  await waitFor(() => expect(errorsIn(document.querySelector(place))).toBe(1));
  expect(document.querySelectorAll('li[data-severity="error"]')).toHaveLength(1);
  stop();
});

test.each([
  ['retryPolicy: {limit: many, intervalSec: 5}', field('retryPolicy.limit')],
  ['parallel: {maxConcurrent: 0, items: [a]}\n    run: x', field('parallel.maxConcurrent')],
  ['container: {image: a, volumes: ["./a:/a", "b:c:d:e"]}', item('Volumes 2')],
  ['command: x\n    env: [A=1, "9=2"]', item('9')],
])('also of another workflow: %j', async (text, place) => {
  const deep = { section: 'step', name: 'one', document: 1 } as const;
  const { stop } = openForm(`steps: [x]\n---\nname: in\nsteps:\n  - name: one\n    ${text}\n`, deep);
  await waitFor(() => expect(errorsIn(document.querySelector(place))).toBe(1));
  expect(document.querySelectorAll('li[data-severity="error"]')).toHaveLength(1);
  stop();
});

test.each([
  ['mail', '', 0],
  ['approval', '', 0],
  ['mail', ', command: x', 1],
  ['sql', '', 1],
])('the form of a step of type %s%s shows a command %i times', async (type, more, count) => {
  const { stop } = openForm(`steps:\n  - {name: one, type: ${type}${more}}\n`, {
    section: 'step',
    name: 'one',
  });
  await waitFor(() => expect(document.querySelector(field('config'))).not.toBeNull());
  expect(document.querySelectorAll(field('command'))).toHaveLength(count);
  stop();
});

test('selecting another step shows its values', async () => {
  const step = (name: string, document?: number) =>
    [{ section: 'step', name, ...(document !== undefined && { document }) }] as const;
  const { session, stop } = openForm(
    'steps:\n  - {name: one, dir: a}\n  - {name: two, dir: b}\n---\nname: in\nsteps: [{name: one, dir: c}]\n',
    ...step('one'),
  );
  for (const [target, dir] of [
    [step('two'), 'b'],
    [step('one', 1), 'c'],
    [step('one'), 'a'],
  ] as const) {
    session.select(target, 'outline');
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Working directory' }).value).toBe(dir),
    );
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe(target[0].name);
  }
  fireEvent.change(screen.getByRole('combobox', { name: 'Workflow' }), { target: { value: '1' } });
  expect(session.view).toMatchObject({ selection: [], document: 1 });
  await screen.findByRole('heading', { name: 'Workflow' });
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('in');
  fireEvent.change(name, { target: { value: 'inner' } });
  fireEvent.blur(name);
  await waitFor(() => expect(session.text).toContain('---\nname: inner\n'));
  stop();
});

test('Alt and an arrow move an entry, and undo restores a removed one', async () => {
  const text = 'tags: [a, b, c] # kept\nenv:\n  A: 1\n  B: 2 # two\nsteps: [x]\n';
  const { session, shown, stop } = openForm(text);
  const first = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Tags 1' });
  first.focus();
  fireEvent.keyDown(first, { key: 'ArrowUp', altKey: true });
  await screen.findByText('Tags 1 is already first.');
  fireEvent.keyDown(first, { key: 'ArrowDown', altKey: true });
  await screen.findByText('Tags 1 is now 2 of 3.');
  expect(session.text).toBe(text.replace('a, b', 'b, a'));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Tags 2');
  const value = screen.getByRole('textbox', { name: 'Value of B' });
  value.focus();
  fireEvent.keyDown(value, { key: 'ArrowUp', altKey: true });
  await screen.findByText('B is now 1 of 2.');
  expect(session.text).toBe(
    text.replace('a, b', 'b, a').replace('  A: 1\n  B: 2 # two\n', '  B: 2 # two\n  A: 1\n'),
  );
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Value of B');
  const before = session.text;
  fireEvent.click(entry('Tags 3').getByRole('button', { name: 'Remove Tags 3' }));
  await screen.findByText(/^Tags 3 removed\./);
  expect(session.text).toBe(before.replace(', c', ''));
  expect(session.view.undo).toBe('remove Tags 3');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Tags 2');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(session.text).toBe(before);
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Tags 3' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Show in YAML' }));
  expect(session.text.slice(shown[0]!.from, shown[0]!.to)).toBe('c');
  stop();
});

test('a step that runs a workflow shows its parameters, and a link to it', async () => {
  const text =
    'steps:\n  - name: one\n    run: in # child\n    params: {A: x}\n---\nname: in\nparams: [{A: 1}, {REGION: eu}, word]\nsteps: [x]\n';
  const { session, stop } = openForm(text, { section: 'step', name: 'one' });
  fireEvent.click(await screen.findByRole('button', { name: 'Add parameter REGION' }));
  await waitFor(() => expect(session.text).toBe(text.replace('{A: x}', '{A: x, REGION: eu}')));
  await waitFor(() => expect(screen.queryByText('in also takes:')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Edit in in this file' }));
  expect(session.view).toMatchObject({ selection: [], document: 1 });
  stop();
});

test('a missing workflow is not requested, which would be an error in the browser log', async () => {
  const text = 'steps:\n  - name: one\n    run: other-workflow\n    params: {A: x}\n';
  const { bridge, stop } = openForm(text, { section: 'step', name: 'one' });
  await screen.findByDisplayValue('other-workflow');
  await waitFor(() => expect(bridge.callsOf('dags.list')).toContainEqual({ limit: 1000 }));
  expect(bridge.callsOf('dags.get')).toEqual([]);
  stop();
});

test('adds lists of maps, maps of logins and parallel items without YAML, and focuses the new one', async () => {
  const { session, stop } = openForm(
    'smtp: {host: a} # first\nsteps:\n  - name: one\n    run: x\n    parallel: [eu]\n',
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Add mail server' }));
  const host = await screen.findByRole('listitem', { name: 'mail server 2' });
  await waitFor(() =>
    expect(document.activeElement).toBe(within(host).getByRole('textbox', { name: 'Host' })),
  );
  expect(session.text).toContain('  - host: ');
  fireEvent.change(within(host).getByRole('textbox', { name: 'Host' }), { target: { value: 'b' } });
  fireEvent.keyDown(within(host).getByRole('textbox', { name: 'Host' }), { key: 'Enter' });
  await waitFor(() => expect(session.text).toMatch(/host: b/));
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find a field' }), {
    target: { value: 'registry' },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add registry' }));
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Host of registry 1' });
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(name.selectionEnd).toBe(name.value.length);
  fireEvent.change(name, { target: { value: 'ghcr.io' } });
  fireEvent.keyDown(name, { key: 'Enter' });
  await waitFor(() => expect(session.text).toContain('registryAuths:\n  ghcr.io:\n    username: ""'));
  session.select([{ section: 'step', name: 'one' }], 'outline');
  fireEvent.click(await screen.findByRole('button', { name: 'Add map of values' }));
  await waitFor(() => expect(session.text).toContain('parallel: [eu, '));
  expect(await screen.findByRole('listitem', { name: 'item 2' })).toBeTruthy();
  stop();
});

/** The highlighted tokens of a code field. */
const coloured = (name: string): (string | null)[] =>
  [...screen.getByRole('textbox', { name }).querySelectorAll('.cm-line span')].map(
    (word) => word.textContent,
  );

test('code is highlighted in its language, and changes with the type', async () => {
  const step = { section: 'step', name: 'a' } as const;
  const text = 'steps:\n  - name: a\n    type: sql\n    command: select cat from b\n';
  const { session, stop } = openForm(text, step);
  await waitFor(() => expect(coloured('Command')).toEqual(['select', 'from']));
  fireEvent.change(screen.getByRole('combobox', { name: /^Type/ }), { target: { value: 'jq' } });
  await waitFor(() => expect(coloured('Command')).toEqual([]));
  fireEvent.change(screen.getByRole('combobox', { name: /^Type/ }), { target: { value: 'ssh' } });
  await waitFor(() => expect(coloured('Command')).toEqual(['cat']));
  expect(session.text).toContain('type: ssh');
  stop();
});

test('a search in the form of a step also finds fields of the workflow, and opens the chosen one', async () => {
  const { session, stop } = openForm('steps:\n  - {name: one, command: x}\n', {
    section: 'step',
    name: 'one',
  });
  const search = await screen.findByRole('searchbox', { name: 'Find a field' });
  fireEvent.change(search, { target: { value: 'time zone' } });
  expect(screen.queryByText('No matching fields')).toBeNull();
  fireEvent.change(search, { target: { value: 'schedule' } });
  expect(screen.queryByText('No matching fields')).toBeNull();
  const found = within(screen.getByRole('region', { name: 'Workflow settings' })).getAllByRole('button');
  expect(found[0]?.textContent).toContain('Schedule');
  fireEvent.click(found.find(({ textContent }) => textContent?.includes('Overlap')) ?? found[0]!);
  await screen.findByRole('heading', { name: 'Workflow' });
  expect(session.view.selection).toEqual([]);
  await waitFor(() => expect(document.activeElement?.closest('[data-field]')).not.toBeNull());
  stop();
});

test('rare options of a step type are shown on request, or when set', async () => {
  const { stop } = openForm(
    'steps:\n  - {name: one, type: http, command: GET https://x, config: {debug: true}}\n',
    {
      section: 'step',
      name: 'one',
    },
  );
  await waitFor(() => expect(document.querySelector(field('config.headers'))).not.toBeNull());
  expect(document.querySelector(field('config.debug'))).not.toBeNull();
  expect(document.querySelector(field('config.maxRedirects'))).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^More options/ }));
  expect(document.querySelector(field('config.maxRedirects'))).not.toBeNull();
  stop();
});

test('choices have plain labels', async () => {
  const { session, stop } = openForm('overlap: skip\nsteps: [x]\n');
  const overlap = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Overlap' });
  expect([...overlap.options].map(({ text }) => text)).toEqual([
    ...['Default', 'Skip the new run', 'Queue the new run', 'Run both'],
  ]);
  fireEvent.change(overlap, { target: { value: 'queue' } });
  await waitFor(() => expect(session.text).toContain('overlap: queue'));
  stop();
});
