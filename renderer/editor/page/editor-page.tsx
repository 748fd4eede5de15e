import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { loadEditor, type EditorStart } from '../save/load-editor.ts';
import { EditorSessionProvider } from '../session/use-session.ts';
import { EditorShell } from './editor-shell.tsx';
import { useOpenSession } from './use-open-session.ts';

/** The editor of one workflow file. */
export function EditorPage({ fileName }: { readonly fileName: string }) {
  const bridge = useBridge();
  const start = useQuery({
    queryKey: queryKeys.editedSpec(fileName),
    queryFn: () => loadEditor(bridge, fileName),
    // Read once for each visit; from then on the session watches the file.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <QueryState query={start} what="This workflow">
      {(begun) => <OpenEditor fileName={fileName} start={begun} />}
    </QueryState>
  );
}

interface OpenEditorProps {
  readonly fileName: string;
  readonly start: EditorStart;
}

function OpenEditor({ fileName, start }: OpenEditorProps) {
  const open = useOpenSession(fileName, start);
  return (
    <EditorSessionProvider value={open.session}>
      <EditorShell open={open} />
    </EditorSessionProvider>
  );
}
