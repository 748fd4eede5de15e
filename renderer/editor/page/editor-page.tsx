import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { EditorSessionProvider } from '../session/use-session.ts';
import type { FileText } from '../save/file-sync.ts';
import { EditorShell } from './editor-shell.tsx';
import { useOpenSession } from './use-open-session.ts';

/** The editor of one workflow file. */
export function EditorPage({ fileName }: { readonly fileName: string }) {
  const bridge = useBridge();
  const opened = useQuery({
    queryKey: queryKeys.editedSpec(fileName),
    queryFn: async () => {
      const { spec, hash } = await bridge.call('dags.spec', { fileName });
      return { text: spec, hash };
    },
    // Read once for each visit; from then on the session watches the file.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <QueryState query={opened} what="This workflow">
      {(saved) => <OpenEditor fileName={fileName} saved={saved} text={saved.text} />}
    </QueryState>
  );
}

interface OpenEditorProps {
  readonly fileName: string;
  readonly saved: FileText;
  readonly text: string;
}

function OpenEditor({ fileName, saved, text }: OpenEditorProps) {
  const open = useOpenSession(fileName, saved, text);
  return (
    <EditorSessionProvider value={open.session}>
      <EditorShell sync={open.sync} />
    </EditorSessionProvider>
  );
}
