import { useQuery } from '@tanstack/react-query';
import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { DraftPort, Draft } from './draft-autosave.ts';
import type { FileText } from './file-sync.ts';

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
