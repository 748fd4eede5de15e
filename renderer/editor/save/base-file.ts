import { useLayoutEffect, useState } from 'react';
import { AppError } from '../../../core/base/errors.ts';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { useBridge } from '../../api/bridge.ts';
import { systemClock } from '../../base/clock.ts';
import { startDocumentWorker } from '../session/document-client.ts';
import { EditorSession } from '../session/editor-session.ts';
import { FileSync, type FilePort, type FileText } from './file-sync.ts';

/** The base configuration when its editor opens. */
interface BaseStart extends FileText {
  /** Absolute path on the engine's machine. */
  readonly file: string;
}

/** Loads the base configuration; its text is empty if there is none. */
export async function loadBase(bridge: Bridge): Promise<BaseStart> {
  const { spec, hash, file } = await bridge.call('config.base', {});
  return { text: spec, hash, file };
}

const bridgeBase = (bridge: Bridge): FilePort => ({
  read: () => loadBase(bridge),
  async write(text, baseHash) {
    try {
      const { hash } = await bridge.call('config.setBase', { spec: text, baseHash });
      return { kind: 'written', hash, errors: 0 };
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return { kind: 'conflict' };
      throw error;
    }
  },
});

/** The file is polled at this interval, and when the window gets the focus. */
const pollIntervalMs = 5000;

function watchBase(sync: FileSync, clock: Clock): Dispose {
  // A failed read is retried on the next occasion.
  const checkFile = (): void => void sync.checkFile().catch(() => undefined);
  const stop = clock.every(pollIntervalMs, checkFile);
  window.addEventListener('focus', checkFile);
  return () => {
    stop();
    window.removeEventListener('focus', checkFile);
  };
}

/** A session of the base configuration with the keeper of its file. */
export interface OpenBase {
  readonly session: EditorSession;
  readonly sync: FileSync;
  /** Absolute path on the engine's machine. */
  readonly file: string;
}

/** Opens a session for as long as the page shows it. */
export function useBaseSession(start: BaseStart): OpenBase {
  const bridge = useBridge();
  // A session starts once; later contents of the file reach it as changes.
  const [open] = useState((): OpenBase => {
    const session = new EditorSession({
      kind: 'base',
      fileName: 'base',
      saved: { text: start.text, hash: start.hash },
      startDocumentWorker,
      clock: systemClock,
    });
    return { session, sync: new FileSync(session, bridgeBase(bridge)), file: start.file };
  });
  useLayoutEffect(() => {
    const ends = [open.session.start(), watchBase(open.sync, systemClock)];
    return () => ends.forEach((end) => end());
  }, [open]);
  return open;
}
