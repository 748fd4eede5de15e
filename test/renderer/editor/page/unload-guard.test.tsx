import { expect, it } from 'vitest';
import { useUnloadGuard } from '../../../../renderer/editor/page/editor-dialogs.tsx';
import { DraftAutosave } from '../../../../renderer/editor/save/draft-autosave.ts';
import type { EditorSession } from '../../../../renderer/editor/session/editor-session.ts';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';
import { openSession, type } from '../editor-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

function Guard({ session, drafts }: { readonly session: EditorSession; readonly drafts: DraftAutosave }) {
  useUnloadGuard(session, drafts);
  return null;
}

it('saves the changes of the last second when the page is closed or hidden', async () => {
  const { session, clock } = openSession('a\n');
  const kept: string[] = [];
  const drafts = new DraftAutosave(
    session,
    {
      load: () => Promise.resolve(undefined),
      save: (text) => Promise.resolve(kept.push(text)),
      discard: () => Promise.resolve(),
    },
    clock,
  );
  const stop = drafts.start();
  const bridge = new FakeBridge({ 'auth.me': () => makeCurrentUser('ada', 'admin') });
  renderWith(bridge, <Guard session={session} drafts={drafts} />);
  type(session, 0, 'x');
  window.dispatchEvent(new Event('pagehide'));
  await waitUntilPasses(() => expect(kept).toEqual(['xa\n']));
  type(session, 0, 'y');
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  Reflect.deleteProperty(document, 'visibilityState');
  await waitUntilPasses(() => expect(kept).toEqual(['xa\n', 'yxa\n']));
  stop();
});
