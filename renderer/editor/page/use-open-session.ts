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
export function useOpenSession(fileName: string, saved: FileText, text: string): OpenFile | undefined {
  const bridge = useBridge();
  const [open, setOpen] = useState<OpenFile>();
  // What the file held when the page was opened is where the session begins, and no later state of it.
  const [first] = useState({ saved, text });
  useEffect(() => {
    const session = new EditorSession({
      fileName,
      ...first,
      analyst: startWorkerAnalyst(),
      clock: systemClock,
    });
    setOpen({ session, sync: new FileSync(session, bridgeFile(bridge, fileName)) });
    return () => session.dispose();
  }, [bridge, fileName, first]);
  return open;
}
