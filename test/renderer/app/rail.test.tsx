import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Rail } from '../../../renderer/app/rail.tsx';
import { FakeBridge } from '../../rig/fake-bridge.ts';
import { renderWith } from '../../rig/render-with.tsx';
import { systemInfo } from '../../rig/run-views.ts';

afterEach(cleanup);

/** The machine may be busy with other tests. */
const patient = { timeout: 10_000 };

test('an installation shows the name and the colour that its configuration gives it', async () => {
  const { ui } = systemInfo();
  const info = systemInfo({
    activeRuns: 1,
    ui: { ...ui, navbarTitle: 'Night shift', navbarColor: '#0b7285' },
  });
  renderWith(new FakeBridge({ 'system.info': () => info }), <Rail />);
  const brand = await screen.findByRole('link', { name: 'Night shift, to the dashboard' }, patient);
  expect(brand.style.boxShadow).toContain('4px');
  await vi.waitFor(() => expect(document.title).toBe('1 running · Night shift'), patient);
});

test('without one it is the product', async () => {
  renderWith(new FakeBridge({ 'system.info': () => systemInfo({ activeRuns: 1 }) }), <Rail />);
  await screen.findByTitle('1 active', undefined, patient);
  expect(screen.getByRole('link', { name: 'Stepwright, to the dashboard' }).style.boxShadow).toBe('');
  await vi.waitFor(() => expect(document.title).toBe('1 running · Stepwright'), patient);
});
