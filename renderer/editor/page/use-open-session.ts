import { useLayoutEffect, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { systemClock } from '../../base/clock.ts';
import { bridgeDrafts, type EditorStart } from '../save/load-editor.ts';
import { bridgeFile, FileSync, watchFile } from '../save/file-sync.ts';
import { DraftAutosave } from '../save/draft-autosave.ts';
import { EditorSession } from '../session/editor-session.ts';
import { startDocumentWorker } from '../session/document-client.ts';

/** A session with the keepers of its file and its draft. */
export interface OpenFile {
  readonly session: EditorSession;
  readonly sync: FileSync;
  readonly drafts: DraftAutosave;
  /** Time of the draft that the session started from. */
  readonly restoredAt: string | undefined;
}

/** Opens a session for as long as it is on the page. */
export function useOpenSession(fileName: string, start: EditorStart): OpenFile {
  const bridge = useBridge();
  // A session starts once; later contents of the file reach it as changes.
  const [open] = useState((): OpenFile => {
    const { saved, draft, current } = start;
    const session = new EditorSession({
      fileName,
      saved,
      ...(draft && { text: draft.text }),
      startDocumentWorker,
      clock: systemClock,
    });
    const sync = new FileSync(session, bridgeFile(bridge, fileName));
    if (current) sync.notice(current);
    const drafts = new DraftAutosave(session, bridgeDrafts(bridge, fileName), systemClock, draft);
    return { session, sync, drafts, restoredAt: draft?.at };
  });
  // Before the code pane is created, so that the worker analyzes the text in the meantime.
  useLayoutEffect(() => {
    const { session, sync, drafts } = open;
    const ends = [session.start(), drafts.start(), watchFile(bridge, sync, fileName, systemClock)];
    return () => ends.forEach((end) => end());
  }, [open, bridge, fileName]);
  return open;
}
