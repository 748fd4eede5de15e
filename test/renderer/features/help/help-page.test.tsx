import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HelpPage } from '../../../../renderer/features/help/help-page.tsx';
import { documents, toHelpAddress } from '../../../../renderer/features/help/documents.ts';
import { readBlocks } from '../../../../renderer/features/help/markdown.tsx';
import { FakeBridge, renderWith } from '../../renderer-harness.tsx';

const list = () => screen.getByRole('navigation', { name: 'Help pages' });

test('shows a page of the documentation with links to the others', () => {
  renderWith(new FakeBridge({}), <HelpPage name="schedules" />);
  expect(screen.getByRole('region', { name: 'Schedules' }).textContent).toContain('@reboot');
  expect(within(list()).getByRole('link', { name: 'Schedules' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getAllByRole('table').length).toBeGreaterThan(0);
});

test('lists every page once, by the headings of the start page', () => {
  renderWith(new FakeBridge({}), <HelpPage />);
  const groups = within(list()).getAllByRole('region');
  expect(groups[0]!.textContent).toMatch(/^Get startedDocumentation/);
  expect(within(list()).getByRole('region', { name: 'Schedule' }).textContent).toContain('Queues');
  const links = within(list()).getAllByRole('link');
  expect(links).toHaveLength(documents.length);
  expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(
    new Set(documents.map(({ name }) => `/help/${name}`)),
  );
});

test('searches titles and texts, with the line that matches', () => {
  renderWith(new FakeBridge({}), <HelpPage />);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'crontab' } });
  expect(within(list()).getAllByRole('link').length).toBeLessThan(documents.length);
  expect(list().textContent?.toLowerCase()).toContain('crontab');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zzzz' } });
  expect(within(list()).getByRole('status').textContent).toBe('No matches');
});

test('shows the images of a page', () => {
  renderWith(new FakeBridge({}), <HelpPage name="operating" />);
  const image = screen.getByRole('img', { name: 'The dashboard' });
  expect(image.getAttribute('src')).toMatch(/dashboard-light.*\.png/);
});

test('an unknown page leads to the list', () => {
  renderWith(new FakeBridge({}), <HelpPage name="nowhere" />);
  expect(screen.getByRole('heading', { name: 'Page not found' })).toBeTruthy();
});

test('every link between documents leads to a page', () => {
  const dead = documents.flatMap(({ name, body }) =>
    [...body.matchAll(/\]\((?!https?:)([^)\s]+\.md)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/adr\/|\.\.\/[A-Z]|deploy/.test(link) && toHelpAddress(name, link) === undefined)
      .map((link) => `${name} -> ${link}`),
  );
  expect(dead).toEqual([]);
  expect(toHelpAddress('executors/http', '../schedules.md#reboot')).toBe('/help/schedules?section=reboot');
});

test('reads the blocks of Markdown', () => {
  expect(
    readBlocks('## A\n\none\ntwo\n- x\n  y\n\n```sh\n# z\n```\n| a | b |\n|---|---|\n| 1 \\| 2 | 3 |'),
  ).toEqual([
    { kind: 'heading', level: 2, text: 'A' },
    { kind: 'paragraph', text: 'one two' },
    { kind: 'list', isOrdered: false, items: ['x y'] },
    { kind: 'code', text: '# z' },
    { kind: 'table', head: ['a', 'b'], rows: [['1 | 2', '3']] },
  ]);
});
