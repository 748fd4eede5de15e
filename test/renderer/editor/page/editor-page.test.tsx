import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EditorPage } from '../../../../renderer/editor/page/editor-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';

it('explains to a user without permission why editing is disabled', async () => {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('vera', 'viewer'),
    'dags.spec': () => new Promise(() => undefined),
    'drafts.get': () => new Promise(() => undefined),
  });
  renderWith(bridge, <EditorPage fileName="etl" />);
  expect(await screen.findByText('You do not have permission to edit workflows')).toBeTruthy();
  expect(screen.getByText(/Requires the \w+ role/)).toBeTruthy();
});
