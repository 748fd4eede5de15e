import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { DesktopBridge } from '../../../../core/contract/transport.ts';
import type { RunRef } from '../../../../core/model/run.ts';
import { listParamFields } from '../../../../core/spec/param-form.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { StartDialog } from '../../../../renderer/features/start/start-dialog.tsx';
import { needsValues, startValues } from '../../../../renderer/features/start/param-values.ts';
import { FakeBridge } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

const fields = listParamFields([{ name: 'region', value: '`zone`' }], {
  properties: {
    env: { title: 'Environment', description: 'Where to', enum: ['dev', 'prod'] },
    batch: { type: 'integer', minimum: 1, maximum: 99, default: 10 },
    notify: { type: 'boolean', default: true },
    day: { type: 'string', format: 'date' },
    token: { type: 'string', format: 'password' },
    servers: { type: 'array' },
    region: { enum: ['eu', 'us'] },
  },
  required: ['env'],
});

function open(bridge: FakeBridge, more: Partial<React.ComponentProps<typeof StartDialog>> = {}) {
  const onStarted = vi.fn<(run: RunRef) => void>();
  render(
    <BridgeProvider value={bridge}>
      <QueryClientProvider client={new QueryClient()}>
        <StartDialog
          fileName="release"
          name="release"
          form={{ fields }}
          onClose={() => undefined}
          onStarted={onStarted}
          {...more}
        />
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return onStarted;
}

const run = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Run' }));
const input = (label: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(label);

describe('the run form of a schema', () => {
  test('has a control for each type, with its limits', () => {
    open(new FakeBridge({}));
    const choices = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Environment' });
    expect(Array.from(choices.options, ({ text }) => text)).toEqual(['Select…', 'dev', 'prod']);
    expect(choices.getAttribute('aria-required')).toBe('true');
    expect(screen.getByText('Where to')).toBeTruthy();
    expect(input('batch')).toMatchObject({ type: 'number', min: '1', max: '99', value: '10' });
    expect(screen.getByText('1 to 99')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'notify' }).checked).toBe(true);
    expect(input('day').type).toBe('date');
    expect(input('token').type).toBe('password');
    expect(screen.getByLabelText('servers').tagName).toBe('TEXTAREA');
  });

  test('sends what was chosen, and leaves a computed default to the engine', async () => {
    const bridge = new FakeBridge({ 'dags.start': () => ({ name: 'release', dagRunId: 'r1' }) });
    const onStarted = open(bridge);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'region' }).value).toBe('`zone`');
    fireEvent.change(screen.getByLabelText('Environment'), { target: { value: 'prod' } });
    fireEvent.click(screen.getByRole('switch', { name: 'notify' }));
    fireEvent.change(input('batch'), { target: { value: '20' } });
    run();
    await waitUntilPasses(() => expect(onStarted).toHaveBeenCalled());
    expect(bridge.callsOf('dags.start')).toEqual([
      { fileName: 'release', params: 'env=prod batch=20 notify=false' },
    ]);
  });

  test("shows the engine's errors at their fields until the values change", async () => {
    const reject = (): never => {
      throw new AppError('bad_request', 'parameter validation failed: "env" is missing', {
        details: {
          errors: [
            { field: 'params.env', message: 'Required.' },
            { field: 'params.batch', message: 'Must be <= 99 (got 100)' },
          ],
        },
      });
    };
    open(new FakeBridge({ 'dags.start': reject }));
    run();
    const choices = await screen.findByRole('combobox', { name: 'Environment' });
    await waitUntilPasses(() => expect(choices.getAttribute('aria-invalid')).toBe('true'));
    expect(document.activeElement).toBe(choices);
    expect(screen.getByText('Required.')).toBeTruthy();
    expect(screen.getByText('Must be <= 99 (got 100)')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.change(choices, { target: { value: 'dev' } });
    expect(screen.queryByText('Required.')).toBeNull();
  });

  test('offers the values of the last run, but no secrets', () => {
    const earlier = [
      { name: 'env', value: 'prod' },
      { name: 'token', value: 'abc' },
      { name: 'removed', value: 'x' },
    ];
    open(new FakeBridge({}), { earlier });
    fireEvent.click(screen.getByRole('button', { name: 'Use values of the last run' }));
    expect(input('Environment').value).toBe('prod');
    expect(input('token').value).toBe('');
    expect(screen.queryByRole('button', { name: 'Use values of the last run' })).toBeNull();
  });

  test('has the fields of the defaults and the reason if the schema is not available', () => {
    const problem = 'Parameter schema "x.json" not found.';
    open(new FakeBridge({}), { form: { fields: listParamFields([{ name: 'A', value: '1' }]), problem } });
    expect(screen.getByText(problem)).toBeTruthy();
    expect(input('A').value).toBe('1');
  });
});

test('a required value without a default needs the form', () => {
  expect(needsValues({ fields })).toBe(true);
  expect(needsValues({ fields: fields.filter(({ name }) => name !== 'env') })).toBe(false);
});

test('a required switch starts as off, which the run gets', () => {
  const form = {
    fields: listParamFields([], { properties: { dry: { type: 'boolean' } }, required: ['dry'] }),
  };
  expect(startValues(form, [])).toEqual({ dry: 'false' });
});

describe('a file', () => {
  const form = {
    fields: listParamFields([], { properties: { source: { title: 'Source', format: 'file' } } }),
  };

  test('is chosen with the dialog of the system in the desktop app', async () => {
    const call = vi.fn<(name: string, input: object) => Promise<{ path: string }>>();
    call.mockResolvedValue({ path: '/data/in.csv' });
    const desktop = { call } as unknown as DesktopBridge;
    open(Object.assign(new FakeBridge({}), { desktop }), { form });
    fireEvent.change(input('Source'), { target: { value: '/data' } });
    fireEvent.click(screen.getByRole('button', { name: 'Choose file for Source' }));
    await waitUntilPasses(() => expect(input('Source').value).toBe('/data/in.csv'));
    expect(call).toHaveBeenCalledWith('files.choose', { kind: 'file', title: 'Source', current: '/data' });
  });

  test('is a path in a browser', () => {
    open(new FakeBridge({}), { form });
    expect(input('Source').type).toBe('text');
    expect(screen.queryByRole('button', { name: /Choose file/ })).toBeNull();
  });
});

describe('a folder', () => {
  const form = { fields: [{ name: 'FOLDER', type: 'string', format: 'folder', required: true }] } as const;
  const openFolder = (bridge: FakeBridge): void =>
    void open(bridge, { form: form as unknown as { fields: typeof fields } });

  test('is typed in a browser, and the field says where a relative path starts', () => {
    openFolder(new FakeBridge({}));
    expect(screen.queryByRole('button', { name: /Choose folder/ })).toBeNull();
    const type = (value: string) => fireEvent.change(input('FOLDER'), { target: { value } });
    expect(screen.getByText('Path of a folder')).toBeDefined();
    type('documents');
    expect(screen.getByText(/Relative to the workflow’s working folder/)).toBeDefined();
    type('~/documents');
    expect(screen.getByText(/~ is not expanded here/)).toBeDefined();
    type('/srv/documents');
    expect(screen.queryByText(/Relative|expanded/)).toBeNull();
  });

  test('is chosen in the dialog of the system in the desktop app', async () => {
    const asked: unknown[] = [];
    const desktop = {
      call: (...call: unknown[]) => {
        asked.push(call);
        return Promise.resolve({ path: '/srv/photos' });
      },
    };
    openFolder(Object.assign(new FakeBridge({}), { desktop }));
    fireEvent.click(screen.getByRole('button', { name: 'Choose folder for FOLDER' }));
    await waitUntilPasses(() => expect(input('FOLDER').value).toBe('/srv/photos'));
    expect(asked).toEqual([['files.choose', { kind: 'folder', title: 'FOLDER', current: '' }]]);
  });
});
