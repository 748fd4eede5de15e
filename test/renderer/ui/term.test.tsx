import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { findDocument, sectionId } from '../../../renderer/features/help/documents.ts';
import { readBlocks } from '../../../renderer/features/help/markdown.tsx';
import { Term, terms } from '../../../renderer/ui/term.tsx';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';

test('a term explains itself and leads to its documentation', async () => {
  const { location } = renderWith(new FakeBridge({}), <Term name="step">steps</Term>);
  const word = screen.getByRole('button', { name: 'steps' });
  fireEvent.click(word);
  const dialog = await screen.findByRole('dialog', { name: 'What is a step?' });
  expect(dialog.textContent).toContain('One action of a workflow');
  fireEvent.click(screen.getByRole('link', { name: 'Learn more' }));
  expect(location.history.at(-1)).toBe('/help/workflows?section=step-fields');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('every term has a section of the documentation', () => {
  const dead = Object.values(terms).filter(({ document, ...rest }) => {
    const sections = readBlocks(findDocument(document)?.body ?? '').map((block) =>
      block.kind === 'heading' ? sectionId(block.text) : '',
    );
    return sections.length === 0 || ('section' in rest && !sections.includes(rest.section));
  });
  expect(dead).toEqual([]);
});
