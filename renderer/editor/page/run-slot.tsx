import { Play } from 'lucide-react';
import { RunButton } from '../../features/start/run-button.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';

/** Runs what is in the file. */
export function RunSlot() {
  const { fileName } = useEditorSession();
  const isDirty = useSessionView((view) => view.isDirty);
  const workflow = useSessionView((view) => view.analysis?.workflows[0]);
  if (isDirty)
    return (
      <Button icon={Play} unavailable="A run takes what is in the file. Save first.">
        Run
      </Button>
    );
  return (
    <RunButton fileName={fileName} params={workflow?.params ?? []} isDisabled={workflow === undefined} />
  );
}
