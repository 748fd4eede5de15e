import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { AppError } from '../../../../core/base/errors.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { NewWorkflowPage } from '../../../../renderer/features/new-workflow/new-workflow-page.tsx';
import {
  NewWorkflowButton,
  type SourceKind,
} from '../../../../renderer/features/new-workflow/new-workflow-button.tsx';
import { WindowDropTarget } from '../../../../renderer/features/new-workflow/dropped-files.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { readFilter } from '../../../../renderer/features/organize/workflow-filter.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

const sales = {
  fileName: 'sales',
  name: 'sales',
  tags: [],
  schedule: { start: [], stop: [], restart: [] },
  suspended: false,
  stepCount: 1,
  valid: true,
};

function makeBridge(
  role: 'admin' | 'viewer' = 'admin',
  baseDiagnostics: readonly Diagnostic[] = [],
): FakeBridge {
  return new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'dags.list': () => ({ dags: [sales], total: 1 }),
    'dags.validate': ({ spec, name = 'x' }) => {
      const { workflows, diagnostics } = loadSpec({ text: spec, file: `${name}.yaml` });
      const valid = diagnostics.length === 0;
      return {
        valid,
        errors: [],
        diagnostics: [...diagnostics],
        baseDiagnostics: [...baseDiagnostics],
        dag: workflows[0],
      };
    },
    'dags.create': ({ name }) => ({ name, fileName: name, hash: '0'.repeat(64) }),
  });
}

function open(way?: SourceKind, bridge = makeBridge()) {
  const { location } = renderWith(
    bridge,
    <>
      <Route path="/new/:way?">{({ way: word }) => <NewWorkflowPage way={word} />}</Route>
      <Route path="/">
        <NewWorkflowButton />
      </Route>
      <WindowDropTarget />
    </>,
  );
  location.navigate(way === undefined ? '/new' : `/new/${way}`);
  return { bridge, location };
}

const type = (label: string, value: string): boolean =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const press = (name: string): boolean => fireEvent.click(screen.getByRole('button', { name }));
const drop = (place: Element, name: string, text: string): boolean =>
  fireEvent.drop(place, { dataTransfer: { types: ['Files'], files: [new File([text], name)] } });

test('validates a name while typing, creates the workflow and opens it', async () => {
  const { bridge, location } = open();
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('my-workflow');
  expect(screen.queryByText('Enter a name.')).toBeNull();
  await waitUntilPasses(() => expect(bridge.callsOf('dags.list')).toHaveLength(1));
  type('Name', 'sales');
  expect(screen.getByText(/Workflow "sales" already exists/)).toBeTruthy();
  press('Create');
  type('Name', '');
  expect(screen.getByText('Enter a name.')).toBeTruthy();
  press('Create');
  expect(bridge.callsOf('dags.create')).toEqual([]);
  type('Name', 'greet');
  press('Create');
  await waitUntilPasses(() => expect(location.history.at(-1)).toBe('/dags/greet/edit'));
  expect(bridge.callsOf('dags.create')).toEqual([{ name: 'greet', spec: 'steps: []\n', allowInvalid: true }]);
});

test('an error in the base configuration is shown with its position, and nothing is reported as runnable', async () => {
  const place = { file: '/home/base.yaml', line: 3, column: 5, path: '' };
  open('template', makeBridge('admin', [{ severity: 'error', message: 'wrong', ...place }]));
  expect(await screen.findByText(/\/home\/base\.yaml:3:5: wrong/)).toBeTruthy();
  await screen.findByText(/^No errors, \d+ steps?\. Fix the base configuration/);
  expect(screen.queryByText(/^Valid/)).toBeNull();
});

test('shows an error of the engine, and keeps all input', async () => {
  const bridge = makeBridge();
  bridge.answers['dags.create'] = () => {
    throw new AppError('storage_full', 'There is no room left on the disk.');
  };
  open(undefined, bridge);
  await screen.findByRole('textbox', { name: 'Name' });
  type('Name', 'greet');
  press('Create');
  expect((await screen.findByRole('alert')).textContent).toBe('There is no room left on the disk.');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('greet');
});

test('keeps the input of one method after switching to another', async () => {
  const { location } = open('shell');
  await screen.findByRole('textbox', { name: 'Script' });
  type('Script', 'echo 1\n');
  fireEvent.click(screen.getByRole('tab', { name: 'Makefile' }));
  expect(location.history.at(-1)).toBe('/new/makefile');
  fireEvent.click(screen.getByRole('tab', { name: 'Shell script' }));
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Script' })).value).toBe(
    'echo 1\n',
  );
});

test('creates a crontab partially, with a report for each job', async () => {
  const bridge = makeBridge();
  bridge.answers['dags.create'] = ({ name }) => {
    if (name === 'b') throw new AppError('already_exists', 'There is a workflow "b" already.');
    return { name, fileName: name, hash: '0'.repeat(64) };
  };
  const { location } = open('crontab', bridge);
  await screen.findByRole('textbox', { name: 'Crontab' });
  type('Crontab', '0 1 * * * a.sh\n0 2 * * * b.sh\n0 3 * * * c.sh\n');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Create c' }));
  press('Create 2 workflows');
  const jobs = within(screen.getByRole('region', { name: 'Jobs' }));
  expect(await jobs.findByRole('link', { name: 'Open a in the editor' })).toBeTruthy();
  expect(jobs.getByText(/There is a workflow "b" already\./)).toBeTruthy();
  expect(location.history.at(-1)).toBe('/new/crontab');
  type('Name of job 2', 'b-new');
  press('Create');
  expect(await jobs.findByRole('link', { name: 'Open b-new in the editor' })).toBeTruthy();
  expect(bridge.callsOf('dags.create').map((input) => (input as { name: string }).name)).toEqual([
    'a',
    'b',
    'b-new',
  ]);
});

test('shows the position of an error and does not create the workflow', async () => {
  const { bridge } = open('yaml');
  await screen.findByRole('textbox', { name: 'Workflow file' });
  type('Workflow file', 'steps:\n  - name: a\n    comand: b\n');
  expect(await screen.findByRole('button', { name: /3:5.*comand/ })).toBeTruthy();
  press('Create');
  expect(bridge.callsOf('dags.create')).toEqual([]);
});

test('dropping a file on the list opens the page with it', async () => {
  const { location } = open();
  location.navigate('/');
  drop(await screen.findByRole('button', { name: 'New workflow' }), 'Makefile', 'all:\n\techo 1\n');
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Makefile' })).value).toContain(
    'echo 1',
  );
  expect(location.history.at(-1)).toBe('/new/makefile');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('all');
});

test('a user without permission cannot start', async () => {
  const { location } = open(undefined, makeBridge('viewer'));
  location.navigate('/');
  await waitUntilPasses(() =>
    expect(screen.getByRole('button', { name: 'New workflow' }).getAttribute('aria-disabled')).toBe('true'),
  );
  press('New workflow');
  drop(screen.getByRole('button', { name: 'New workflow' }), 'a.sh', 'ls\n');
  expect((await screen.findByRole('alert')).textContent).toMatch(/Requires the \w+ role/);
  expect(location.history.at(-1)).toBe('/');
});

test('creates several dropped files one after another', async () => {
  const { bridge, location } = open('yaml');
  const files = ['one', 'two', 'three'].map((name) => new File([`steps: [echo ${name}]\n`], `${name}.yaml`));
  const place = (await screen.findByRole('heading', { name: 'New workflow' })).parentElement!;
  fireEvent.drop(place, { dataTransfer: { types: ['Files'], files } });
  expect(await screen.findByText('2 more files')).toBeTruthy();
  press('Skip');
  expect(await screen.findByText('1 more file')).toBeTruthy();
  for (const name of ['two', 'three']) {
    await screen.findByDisplayValue(name);
    await waitUntilPasses(() => {
      press('Create');
      expect(bridge.callsOf('dags.create')).toContainEqual({ name, spec: `steps: [echo ${name}]\n` });
    });
  }
  await waitUntilPasses(() => expect(location.history.at(-1)).toBe('/dags/three/edit'));
});

test('after an import, a button shows the created workflows in their list', async () => {
  const { location } = open('crontab');
  await screen.findByRole('textbox', { name: 'Crontab' });
  type('Crontab', '30 6 * * * /usr/bin/backup\n0 * * * * /usr/bin/sync');
  press('Create 2 workflows');
  fireEvent.click(await screen.findByRole('button', { name: 'See them in Workflows' }));
  const address = new URL(location.history.at(-1)!, 'http://localhost');
  expect(address.pathname).toBe('/dags');
  expect(readFilter(address.searchParams).group).toBe('crontab');
});

test('a crontab shows jobs that start together, spreads them, and lists the lines that cron still runs', async () => {
  const { bridge } = open('crontab');
  await screen.findByRole('textbox', { name: 'Crontab' });
  type('Crontab', 'A=b\n0 1 * * * /opt/load\n0 1 * * * /opt/send\n0 2 * * * /opt/other\n');
  const together = screen.getByRole('list', { name: 'Jobs that start together' });
  expect(together.textContent).toBe('2 jobs start at 01:00: load, send.');
  type('Name of job 1', 'load-data');
  press('Spread start times');
  expect(screen.queryByRole('list', { name: 'Jobs that start together' })).toBeNull();
  type('Group', 'server1');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Create other' }));
  press('Create 2 workflows');
  const result = within(await screen.findByRole('region', { name: 'Import result' }));
  expect(result.getByRole('status').textContent).toBe('2 workflows created');
  expect(result.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '# 0 1 * * * /opt/load',
    '# 0 1 * * * /opt/send',
  ]);
  const copy = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText: copy } });
  fireEvent.click(result.getByRole('button', { name: 'Copy edited crontab' }));
  expect(copy).toHaveBeenCalledWith(
    'A=b\n# 0 1 * * * /opt/load\n# 0 1 * * * /opt/send\n0 2 * * * /opt/other\n',
  );
  const specs = bridge.callsOf('dags.create').map((input) => (input as { spec: string }).spec);
  expect(specs.map((spec) => /^schedule: (.*)$/m.exec(spec)?.[1])).toEqual(['0 1 * * *', '1 1 * * *']);
  expect(bridge.callsOf('dags.create')).toMatchObject([{ name: 'load-data' }, { name: 'send' }]);
  expect(specs.every((spec) => spec.startsWith('group: server1\ntags:\n  - cron\n'))).toBe(true);
});

test('the parameters of a template are entered before it is created', async () => {
  const { bridge, location } = open('template');
  fireEvent.click(await screen.findByRole('option', { name: /^Folder backup/ }));
  const folder = await screen.findByRole('textbox', { name: /^FOLDER/ });
  expect(screen.getByRole('button', { name: 'Create' }).getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(folder, { target: { value: '/srv/data' } });
  fireEvent.change(screen.getByRole('spinbutton', { name: 'KEEP' }), { target: { value: '30' } });
  await waitUntilPasses(() => {
    press('Create');
    expect(bridge.callsOf('dags.create')).toHaveLength(1);
  });
  await waitUntilPasses(() => expect(location.history.at(-1)).toBe('/dags/folder-backup/edit'));
  const { spec } = bridge.callsOf('dags.create')[0] as { spec: string };
  expect(spec).toContain('format: folder, required: true, default: /srv/data }');
  expect(spec).toContain('minimum: 1, default: 30 }');
});
