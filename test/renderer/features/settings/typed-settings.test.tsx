import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DesktopSettings } from '../../../../core/contract/desktop-calls.ts';
import { defaultSettings } from '../../../../main/settings.ts';
import type { DesktopBridge } from '../../../../core/contract/transport.ts';
import { NotificationRows } from '../../../../renderer/features/settings/desktop-settings.tsx';
import { NetworkRows } from '../../../../renderer/features/settings/system-settings.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

/** Types into a field and leaves it. */
function enter(field: HTMLElement, value: string): void {
  fireEvent.change(field, { target: { value } });
  fireEvent.blur(field);
}

/** The network settings of the app. @param answer the app's response to a change */
function openNetwork(answer: () => Promise<DesktopSettings>): unknown[] {
  const settings: DesktopSettings = {
    ...defaultSettings,
    network: { ...defaultSettings.network, proxyMode: 'manual' },
  };
  const changes: unknown[] = [];
  const desktop = {
    call: (name: string, input: unknown) => {
      if (name !== 'settings.change') return Promise.resolve(settings);
      changes.push(input);
      return answer();
    },
    follow: () => () => undefined,
    noteFiles: () => undefined,
  } as unknown as DesktopBridge;
  renderWith(Object.assign(new FakeBridge({}), { desktop }), <NetworkRows />);
  return changes;
}

test.each(['', '0', '-5', '1.5', '99999', 'x'])(
  'invalid minutes, %j, are reported on blur, and stay as typed',
  (text) => {
    const changes: unknown[] = [];
    renderWith(
      new FakeBridge({}),
      <NotificationRows settings={defaultSettings} change={(change) => void changes.push(change)} />,
    );
    const field = screen.getByLabelText<HTMLInputElement>('Minimum minutes');
    enter(field, text);
    expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 1 to 10080.');
    expect(field.value).toBe(text);
    expect(changes).toEqual([]);
    enter(field, '90');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(changes).toEqual([{ notifications: { longRunMinutes: 90 } }]);
  },
);

test('a proxy without a scheme is reported at its field and not set', async () => {
  const changes = openNetwork(() => Promise.resolve(defaultSettings));
  const field = await screen.findByLabelText('Proxy URL');
  enter(field, 'proxy.example:3128');
  expect(screen.getByRole('alert').textContent).toMatch(/^Enter a URL such as http:/);
  expect(changes).toEqual([]);
  enter(field, ' http://proxy.example:3128 ');
  await waitUntilPasses(() =>
    expect(changes).toEqual([{ change: { network: { proxy: 'http://proxy.example:3128' } } }]),
  );
});

test('a setting rejected by the app is reported, and the input stays', async () => {
  openNetwork(() => Promise.reject(new Error('It is too long.')));
  const field = await screen.findByLabelText<HTMLInputElement>('Additional CA certificates');
  const path = `/${'x'.repeat(10_000)}`;
  enter(field, path);
  expect(await screen.findByText('It is too long.')).toBeTruthy();
  expect(field.value).toBe(path);
});
