import { render, screen } from '@testing-library/react';
import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { preferenceOptions, setPreferences } from '../../../../renderer/base/preferences.ts';
import { IdleQuote } from '../../../../renderer/ui/list/list-end.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';

beforeEach(() => setPreferences({ quotes: 'on' }));
afterEach(() => localStorage.clear());

const quote = (message: string) => ({ message, nlp_attributes: { quote_structure: [] } });

function show(answer: () => ReturnType<typeof quote>) {
  const bridge = new FakeBridge({ 'quotes.random': answer });
  const page = (
    <BridgeProvider value={bridge}>
      <IdleQuote />
    </BridgeProvider>
  );
  return { bridge, page, ...render(page) };
}

test('a quote is shown in reserved space, and stays the same while viewed', async () => {
  let count = 0;
  const { rerender, page, container } = show(() => quote(`Number ${(count += 1)}`));
  expect(container.querySelector('figure')?.getAttribute('aria-hidden')).toBe('true');
  await screen.findByText('Number 1');
  expect(screen.getByRole('figure', { name: 'Quote' }).textContent).toBe('Number 1');
  // Neither focusable nor announced automatically.
  expect(container.querySelector('[tabindex], a, button, [aria-live]')).toBeNull();
  rerender(page);
  expect(screen.getByText('Number 1')).toBeTruthy();
  expect(count).toBe(1);
});

test('without a response the space stays empty, without an error', async () => {
  const { container } = show(() => {
    throw new AppError('too_many_requests', 'Too many.');
  });
  await act(async () => {});
  expect(container.querySelector('figure')?.textContent).toBe('');
});

test('by default, none is shown or requested', () => {
  setPreferences({ quotes: preferenceOptions.quotes[0] });
  const { bridge, container } = show(() => quote('x'));
  expect(container.innerHTML).toBe('');
  expect(bridge.calls).toEqual([]);
});
