import { FilePlus2 } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { useBaseConfigIssue } from '../../api/queries/workflows/base-config-issue-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { BaseConfigErrorNotice } from '../workflow/base-fault-notice.tsx';
import { AbandonDialog, useUnsavedPrompt } from './abandon.tsx';
import { DropArea } from './files/drop-area.tsx';
import styles from './new-workflow.module.css';
import { ResultPane } from './result/result-pane.tsx';
import { useCheck, type ValidationResult } from './result/use-check.ts';
import { SourcePane } from './source-pane.tsx';
import { useCreate } from './use-create.ts';
import { useNewWorkflow, type NewWorkflow } from './use-new-workflow.ts';
import { useWaitingFiles, type WaitingFiles } from './files/use-waiting-files.ts';
import { isSourceKind, sourceKindLabels, sourceKinds, type SourceKind } from './ways.ts';
import { creationBlocker } from './why-not.ts';

/** Creates a workflow: blank, from a template, or from an existing file. */
export function NewWorkflowPage({ way: word }: { readonly way: string | undefined }) {
  const way: SourceKind = isSourceKind(word) ? word : 'blank';
  const [, navigate] = useLocation();
  const model = useNewWorkflow(way);
  const { proposal, shown } = model;
  const baseConfigIssue = useBaseConfigIssue();
  const check = useCheck(proposal.workflows[shown?.index ?? 0]?.name ?? '', shown?.text, baseConfigIssue);
  const waiting = useWaitingFiles(way, model);
  const heldRef = useRef(false);
  const submission = useSubmission(model, check, { waiting, heldRef });
  const guard = useUnsavedPrompt(model, heldRef);
  const turnTo = (next: SourceKind): void => {
    model.startAnew();
    navigate(paths.newWorkflow(next), { replace: true });
  };
  const panes = (id: SourceKind) => (
    <div className={styles.panes}>
      <SourcePane way={id} model={model} onSubmit={submission.submit} />
      <ResultPane candidate={shown} check={check} notes={proposal.notes} reason={proposal.reason} />
    </div>
  );
  return (
    <DropArea hint="Drop files to create workflows" onFiles={(files) => void waiting.drop(files)}>
      <Page
        title="New workflow"
        above={<Breadcrumb trail={[{ label: 'Workflows', href: paths.workflows }]} />}
        actions={<Actions {...submission} />}
      >
        {baseConfigIssue && <BaseConfigErrorNotice diagnostic={baseConfigIssue} />}
        {waiting.names.length > 0 && <WaitingNotice {...waiting} />}
        <Tabs
          label="Source"
          value={way}
          onChange={turnTo}
          tabs={sourceKinds.map((id) => ({ id, label: sourceKindLabels[id], content: panes(id) }))}
        />
      </Page>
      {guard.target !== undefined && <AbandonDialog guard={guard} />}
    </DropArea>
  );
}

interface PageContext {
  readonly waiting: WaitingFiles;
  /** Whether leaving would lose anything. */
  readonly heldRef: React.RefObject<boolean>;
}

/**
 * Creates the selected workflows; then continues with the next file, or opens the workflow if it is the only
 * one.
 */
function useSubmission(model: NewWorkflow, check: ValidationResult, { waiting, heldRef }: PageContext) {
  const [, navigate] = useLocation();
  const may = useCan('dags.create');
  const { create, isPending } = useCreate();
  const { candidates } = model;
  const chosen = candidates.filter(({ isChosen }) => isChosen);
  const obstacle = creationBlocker(model, check, may);
  const submit = async (): Promise<void> => {
    if (obstacle !== undefined || isPending) return;
    const outcomes = await create(chosen);
    const [only] = outcomes.values();
    if (candidates.length !== 1 || only?.ok !== true) return model.note(outcomes);
    if (waiting.next()) return showToast('info', `${only.fileName} created.`);
    heldRef.current = false;
    navigate(paths.editor(only.fileName));
  };
  const isDone = chosen.length === 0 && candidates.some(({ outcome }) => outcome?.ok === true);
  return { submit: () => void submit(), obstacle, isPending, isDone, count: chosen.length };
}

function WaitingNotice({ names, next }: WaitingFiles) {
  return (
    <Notice
      tone="info"
      action={
        <Button size="small" onPress={next}>
          Skip
        </Button>
      }
    >
      <strong>{names.length === 1 ? '1 more file' : `${names.length} more files`}</strong> waiting:{' '}
      {names.join(', ')}.
    </Notice>
  );
}

function Actions({ submit, obstacle, isPending, isDone, count }: ReturnType<typeof useSubmission>) {
  const [, navigate] = useLocation();
  return (
    <>
      <Button onPress={() => navigate(paths.workflows)}>{isDone ? 'Done' : 'Cancel'}</Button>
      {!isDone && (
        <Button
          variant="primary"
          icon={FilePlus2}
          unavailable={obstacle}
          isPending={isPending}
          onPress={submit}
        >
          {count > 1 ? `Create ${count} workflows` : 'Create'}
        </Button>
      )}
    </>
  );
}
