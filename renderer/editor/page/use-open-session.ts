import { useEffect, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { systemClock } from '../../app/clock.ts';
import { bridgeFile } from '../save/bridge-file.ts';
import { FileSync, type FileText } from '../save/file-sync.ts';
import { EditorSession } from '../session/editor-session.ts';
import { startWorkerAnalyst } from '../session/worker-analyst.ts';

/** A session with what keeps its file. */
export interface OpenFile {
  readonly session: EditorSession;
  readonly sync: FileSync;
}

/** Opens a session for as long as the page shows it. */
export function useOpenSession(fileName: string, saved: FileText, text: string): OpenFile {
  const bridge = useBridge();
  // What the file held when the page was opened is where the session begins, and no later state of it.
  const [open] = useState((): OpenFile => {
    const session = new EditorSession({
      fileName,
      saved,
      text,
      startAnalyst: startWorkerAnalyst,
      clock: systemClock,
    });
    return { session, sync: new FileSync(session, bridgeFile(bridge, fileName)) };
  });
  useEffect(() => open.session.start(), [open]);
  return open;
}
