import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Rail } from '../../../renderer/app/rail.tsx';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';
import { systemInfo, makeApprovalView } from '../../harness/samples.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

test('shows the configured name and colour of the installation', async () => {
  const { ui } = systemInfo();
  const info = systemInfo({
    activeRuns: 1,
    ui: { ...ui, navbarTitle: 'Night shift', navbarColor: '#0b7285' },
  });
  renderWith(new FakeBridge({ 'system.info': () => info }), <Rail />);
  const brand = await screen.findByRole('link', { name: 'Night shift, go to dashboard' });
  expect(brand.style.boxShadow).toContain('4px');
  await waitUntilPasses(() => expect(document.title).toBe('1 running · Night shift'));
});

test('shows the product by default', async () => {
  renderWith(new FakeBridge({ 'system.info': () => systemInfo({ activeRuns: 1 }) }), <Rail />);
  await screen.findByTitle('1 active');
  expect(screen.getByRole('link', { name: 'Stepwright, go to dashboard' }).style.boxShadow).toBe('');
  await waitUntilPasses(() => expect(document.title).toBe('1 running · Stepwright'));
});

test('shows the number of open approvals next to their link, and in the title', async () => {
  const bridge = new FakeBridge({
    'system.info': () => systemInfo(),
    'approvals.list': () => ({ approvals: [makeApprovalView({ id: 'q2' }), makeApprovalView()] }),
  });
  renderWith(bridge, <Rail />);
  expect((await screen.findByTitle('2 waiting for approval')).textContent).toBe('2');
  expect(screen.getByRole('link', { name: /^Approvals/ }).textContent).toBe('Approvals2');
  await waitUntilPasses(() => expect(document.title).toBe('2 waiting for approval · Stepwright'));
});
