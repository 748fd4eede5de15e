import {
  FileJson,
  SquareTerminal,
  ChevronDown,
  ListX,
  Skull,
  Square,
  Ellipsis,
  Workflow,
} from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { RunRef } from '../../../core/model/run.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { type MenuAction, ActionMenu } from '../../ui/menu.tsx';
import { useRun, useStopRun } from '../../api/run-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import controls from '../../ui/controls.module.css';
import { FormDialog } from '../../ui/dialog.tsx';
import { showError } from '../../ui/toasts.tsx';
import { isActive } from '../../format/labels.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { paths } from '../../navigation/address.ts';
import { openTerminal } from '../terminal/terminal-store.tsx';
import { useSaveCopy } from '../log/download.ts';
import { RerunButton } from './rerun-button.tsx';
import { AddNoteButton } from './run-note.tsx';

/** Desktop actions on a whole run; empty in a browser. */
function useRunFiles({ name, dagRunId }: RunRef): readonly MenuAction[] {
  const saveCopy = useSaveCopy();
  if (saveCopy === undefined) return [];
  return [
    {
      id: 'save run',
      label: 'Save run as JSON…',
      icon: FileJson,
      run: () => void saveCopy({ kind: 'run', name, dagRunId }),
      beginsGroup: true,
    },
    {
      id: 'terminal',
      label: 'Open terminal here',
      icon: SquareTerminal,
      run: () => openTerminal({ name, dagRunId }),
    },
  ];
}

/** Stops an active run: gracefully, with cleanup and handlers, or by force. */
function StopButton({ run }: { readonly run: RunDetailView }) {
  const [isKilling, setKilling] = useState(false);
  const stop = useStopRun();
  const may = useCan('runs.stop');
  const ref = { name: run.name, dagRunId: run.dagRunId };
  const isQueued = run.status === 'queued';
  const isStopping = run.stopRequestedBy !== undefined || stop.isPending;
  const main = (
    <Button
      variant="danger"
      icon={isQueued ? ListX : Square}
      isDisabled={isStopping}
      unavailable={may.reason}
      onPress={() => stop.mutate(ref, { onError: showError })}
    >
      {isStopping ? 'Stopping' : isQueued ? 'Remove from queue' : 'Stop'}
    </Button>
  );
  if (isQueued || !may.allowed) return main;
  return (
    <div className={controls.splitButton}>
      {main}
      <ActionMenu
        label="Stop options"
        actions={[
          { id: 'kill', label: 'Kill now…', icon: Skull, isDanger: true, run: () => setKilling(true) },
        ]}
      >
        <AriaButton className={controls.splitMore} data-variant="danger" aria-label="More stop options">
          <ChevronDown size={16} aria-hidden="true" />
        </AriaButton>
      </ActionMenu>
      {isKilling && <KillDialog run={run} onClose={() => setKilling(false)} />}
    </div>
  );
}

/** Maximum number of names in a sentence. */
const maxNamed = 5;

function KillDialog({ run, onClose }: { readonly run: RunDetailView; readonly onClose: () => void }) {
  const stop = useStopRun();
  const { name, dagRunId } = run;
  const steps = useRun(name, dagRunId).data?.steps ?? run.steps;
  const running = steps.filter(({ status }) => status === 'running').map((step) => step.name);
  const more = running.length - maxNamed;
  return (
    <FormDialog
      title={`Kill this run of ${name}?`}
      submit={{ label: 'Kill now', icon: Skull, isDanger: true, isPending: stop.isPending }}
      error={stop.error}
      onSubmit={() => stop.mutate({ name, dagRunId, force: true }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {running.length === 0
          ? 'No steps are running. '
          : `${running.length === 1 ? 'The step' : 'The steps'} ${running.slice(0, maxNamed).join(', ')}${
              more > 0 ? ` and ${more} more` : ''
            } and all ${running.length === 1 ? 'its' : 'their'} processes are killed immediately, without cleanup. `}
        Running handlers are killed too, and no handlers start.
      </p>
    </FormDialog>
  );
}

/** Actions of a run: stop while active; afterwards retry, rerun, compare or delete. */
export function RunActions({ run }: { readonly run: RunDetailView }) {
  // A run has its workflow's name; starting needs the name of an existing file.
  const dag = useDags().data?.find(({ name }) => name === run.name);
  const more = useRunFiles(run);
  const open = dag && (
    <LinkButton href={paths.workflow(dag.fileName)} icon={Workflow}>
      Workflow
    </LinkButton>
  );
  return (
    <>
      <AddNoteButton run={run} />
      {open}
      {isActive(run) ? (
        <>
          <StopButton run={run} />
          {more.length > 0 && (
            <ActionMenu label="Run actions" actions={more}>
              <IconButton label="More" icon={Ellipsis} />
            </ActionMenu>
          )}
        </>
      ) : (
        <RerunButton run={run} more={more} {...(dag && { fileName: dag.fileName })} />
      )}
    </>
  );
}
