import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../../../renderer/app/error-boundary.tsx';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';
import { systemInfo } from '../../harness/samples.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

interface PagesProps {
  readonly page: () => string;
}

const Page = ({ page }: PagesProps): string => page();

/** A page that may throw on render, next to other content. */
function Pages({ page }: PagesProps) {
  const [place, setPlace] = useState('#/first');
  return (
    <>
      <button type="button" onClick={() => setPlace('#/second')}>
        Elsewhere
      </button>
      <ErrorBoundary resetKey={place}>
        <Page page={page} />
      </ErrorBoundary>
    </>
  );
}

test('an error on a page leaves the rest intact, shows a report to copy, and can be retried', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const page = vi.fn<() => string>(() => {
    throw new Error('nothing to draw');
  });
  renderWith(new FakeBridge({ 'system.info': () => systemInfo() }), <Pages page={page} />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Something went wrong');
  expect(alert.querySelector('pre')?.textContent).toContain('nothing to draw');
  screen.getByRole('button', { name: 'Copy report' });

  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  screen.getByRole('alert');
  page.mockReturnValue('drawn');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('drawn');
});

test('renders the next page after an error on the previous one', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  let isBroken = true;
  const page = (): string => {
    if (isBroken) throw new Error('nothing to draw');
    return 'drawn';
  };
  renderWith(new FakeBridge({ 'system.info': () => systemInfo() }), <Pages page={page} />);
  await screen.findByRole('alert');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
  await screen.findByText('drawn');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('reloads the window for a page that the server no longer has', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const page = (): string => {
    throw new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/audit-1.js');
  };
  renderWith(new FakeBridge({ 'system.info': () => systemInfo() }), <Pages page={page} />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('may have been updated');
  screen.getByRole('button', { name: 'Reload' });
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
