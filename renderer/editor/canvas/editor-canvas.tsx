import { FileWarning } from 'lucide-react';
import { useCallback } from 'react';
import { WorkflowGraph, type NodeRef } from '../../graph/workflow-graph.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';

/** The workflow as a graph, drawn from the newest text that is one. */
export function EditorCanvas() {
  const session = useEditorSession();
  const workflow = useSessionView((view) => view.validAnalysis?.workflows[0]);
  const isBehind = useSessionView(({ analysis, validAnalysis }) => analysis !== validAnalysis);
  const selected = useSessionView((view) => view.selection[0]);
  const isChecked = useSessionView((view) => view.analysis !== undefined);
  const select = useCallback((node: NodeRef) => session.select([node], 'canvas'), [session]);
  if (!isChecked) return <div role="status" aria-label="Reading the workflow" />;
  if (!workflow)
    return (
      <EmptyState icon={FileWarning} title="There is nothing to draw yet">
        <p>The text is no workflow that could run. The problems say what is missing.</p>
      </EmptyState>
    );
  return (
    <WorkflowGraph
      workflow={workflow}
      selected={selected}
      legend={isBehind && 'The text has errors: this is how it was before them.'}
      onSelect={select}
    />
  );
}
