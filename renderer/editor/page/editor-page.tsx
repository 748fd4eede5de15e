import { useQuery } from '@tanstack/react-query';
import { Eye, Lock } from 'lucide-react';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { loadEditor, type EditorStart } from '../save/load-editor.ts';
import { EditorSessionProvider } from '../session/use-session.ts';
import { EditorShell } from './editor-shell.tsx';
import { useOpenSession } from './use-open-session.ts';

/** The editor of one workflow file. */
export function EditorPage({ fileName }: { readonly fileName: string }) {
  const may = useMay('dags.updateSpec');
  if (may.allowed) return <EditorOfFile fileName={fileName} />;
  return (
    <EmptyState icon={Lock} title="You may not edit workflows">
      <p>{may.reason}</p>
      <LinkButton href={paths.workflow(fileName)} icon={Eye}>
        Look at {fileName}
      </LinkButton>
    </EmptyState>
  );
}

function EditorOfFile({ fileName }: { readonly fileName: string }) {
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
