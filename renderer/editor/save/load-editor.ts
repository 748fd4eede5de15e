import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { analyzeBase } from '../../../core/edit/build-outline.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { systemClock } from '../../base/clock.ts';
import type { DocumentWorker } from '../session/analysis-feed.ts';
import { EditorSession } from '../session/editor-session.ts';
import type { DraftPort, Draft } from './draft-autosave.ts';
import { type FileText, FileSync, type FilePort } from './file-sync.ts';

/** Access to the draft of a workflow file, which the engine stores next to it. */
export function bridgeDrafts(bridge: Bridge, fileName: string): DraftPort {
  const load: DraftPort['load'] = async () => {
    const { draft } = await bridge.call('drafts.get', { fileName });
    return draft && { text: draft.spec, ...draft, baseHash: draft.baseHash };
  };
  const put = async (text: string, baseHash: string, revision: number): Promise<number> =>
    (await bridge.call('drafts.put', { fileName, spec: text, baseHash, revision })).revision;
  return {
    load,
    async save(text, baseHash, revision) {
      try {
        return await put(text, baseHash, revision);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        // Another window has saved a draft: the last write wins, as for the file.
        return put(text, baseHash, (await load())?.revision ?? 0);
      }
    },
    async discard() {
      await bridge.call('drafts.delete', { fileName });
    },
  };
}

/** Initial data of the editor. */
export interface EditorStart {
  /** The base of the edits: the file, or its contents when the draft was started. */
  readonly saved: FileText;
  /** The current contents of the file, if different. */
  readonly current: FileText | undefined;
  readonly draft: Draft | undefined;
}

/** Loads a workflow file and its draft. */
async function loadEditor(bridge: Bridge, fileName: string): Promise<EditorStart> {
  const [{ spec, hash }, draft] = await Promise.all([
    bridge.call('dags.spec', { fileName }),
    bridgeDrafts(bridge, fileName).load().catch(ignoreAppError),
  ]);
  const file = { text: spec, hash };
  if (!draft || draft.text === spec) return { saved: file, current: undefined, draft: undefined };
  if (draft.baseHash === undefined || draft.baseHash === hash)
    return { saved: file, current: undefined, draft };
  const base = await findVersion(bridge, fileName, draft.baseHash);
  return base ? { saved: base, current: file, draft } : { saved: file, current: undefined, draft };
}

/** Without permission for drafts there is none; an unreadable draft must not prevent opening the file. */
function ignoreAppError(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

async function findVersion(bridge: Bridge, fileName: string, hash: string): Promise<FileText | undefined> {
  const { versions } = await bridge.call('versions.list', { fileName, limit: 100 });
  const found = versions.find((version) => version.hash === hash);
  if (!found) return undefined;
  const { spec } = await bridge.call('versions.get', { fileName, versionId: found.id });
  return { text: spec, hash };
}

/** Loads the initial data of the editor. */
export function useEditorStart(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.editedSpec(fileName),
    queryFn: () => loadEditor(bridge, fileName),
    // Read once per visit; after that the session watches the file.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

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

/** Analyzes the base configuration, which is small enough to need no worker. */
function startBaseAnalysis(): DocumentWorker {
  let latest: EditableText | undefined;
  return {
    async analyze(text, file) {
      latest = readEditable(text, latest);
      return analyzeBase(latest, file);
    },
    dispose: () => undefined,
  };
}

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
      startDocumentWorker: startBaseAnalysis,
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
