// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { Link, Router, useLocation } from 'wouter';
import {
  navigate,
  useAppLocation,
  useQueryParams,
  useLeaveGuard,
} from '../../../renderer/navigation/address.ts';

function Page({ isHeld }: { readonly isHeld: boolean }) {
  const [path] = useLocation();
  const [query] = useQueryParams();
  const guard = useLeaveGuard(() => isHeld);
  return (
    <>
      <output>{`${path} ${query.get('status') ?? ''} ${guard.target ?? ''}`.trim()}</output>
      <Link href="/dags">Workflows</Link>
      <button type="button" onClick={guard.leave}>
        Leave
      </button>
    </>
  );
}

const open = (url: string, isHeld = false): void => {
  history.replaceState(null, '', url);
  render(
    <Router hook={useAppLocation}>
      <Page isHeld={isHeld} />
    </Router>,
  );
};
const shown = (): string | null => screen.getByRole('status').textContent;

beforeEach(() => history.replaceState(null, '', '/'));

test('a plain URL is the address of a page, and links are plain', () => {
  open('/runs?status=failed');
  expect(shown()).toBe('/runs failed');
  act(() => screen.getByRole('link').click());
  expect([shown(), location.pathname + location.search + location.hash]).toEqual(['/dags', '/dags']);
  expect(screen.getByRole('link').getAttribute('href')).toBe('/dags');
});

test('an old link after # becomes plain, at the start and later', () => {
  open('/?from=mail#/runs?status=failed');
  expect([shown(), location.href]).toEqual(['/runs failed', `${location.origin}/runs?status=failed`]);
  history.pushState(null, '', '#/dags');
  act(() => void window.dispatchEvent(new HashChangeEvent('hashchange')));
  expect([shown(), location.href]).toEqual(['/dags', `${location.origin}/dags`]);
});

test('a guard holds links and moves in the history until the user leaves', () => {
  open('/new', true);
  act(() => navigate('/runs'));
  expect([shown(), location.pathname]).toEqual(['/new  /runs', '/new']);
  history.replaceState(null, '', '/schedule');
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  expect([shown(), location.pathname]).toEqual(['/new  /schedule', '/new']);
  act(() => screen.getByRole('button').click());
  expect(location.pathname).toBe('/schedule');
});
