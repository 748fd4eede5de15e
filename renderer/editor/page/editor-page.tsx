import { Eye, Lock } from 'lucide-react';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { MissingWorkflow } from '../../features/workflow/missing-workflow.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import type { EditorStart } from '../save/load-editor.ts';
import { EditorSessionProvider } from '../session/use-session.ts';
import { EditorShell } from './editor-shell.tsx';
import { useEditorStart } from './opening/use-editor-start.ts';
import { useOpenSession } from './opening/use-open-session.ts';

/** The editor of one workflow file. */
export function EditorPage({ fileName }: { readonly fileName: string }) {
  const may = useCan('dags.updateSpec');
  if (may.allowed) return <EditorOfFile fileName={fileName} />;
  return (
    <EmptyState icon={Lock} title="You do not have permission to edit workflows">
      <p>{may.reason}</p>
      <LinkButton href={paths.workflow(fileName)} icon={Eye}>
        View {fileName}
      </LinkButton>
    </EmptyState>
  );
}

function EditorOfFile({ fileName }: { readonly fileName: string }) {
  const start = useEditorStart(fileName);
  return (
    <QueryState query={start} what="This workflow" missing={<MissingWorkflow fileName={fileName} />}>
      {(started) => <OpenEditor fileName={fileName} start={started} />}
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
