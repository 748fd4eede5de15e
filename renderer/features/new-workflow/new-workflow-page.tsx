import { useCallback, useEffect, useRef, useState } from 'react';
import { FileInput, FilePlus2, List } from 'lucide-react';
import { useLocation } from 'wouter';
import { useBridge } from '../../api/bridge.ts';
import { useLeaveGuard, type LeaveGuard, paths, withQuery } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { useBaseConfigIssue } from '../../api/version-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { showToast } from '../../ui/toasts.tsx';
import { Notice } from '../../ui/state.tsx';
import { Breadcrumb, Tabs } from '../../ui/tabs.tsx';
import { Page } from '../../ui/page.tsx';
import { BaseConfigErrorNotice } from '../workflow/workflow-notices.tsx';
import styles from './new-workflow.module.css';
import {
  type NewWorkflow,
  useCheck,
  type ValidationResult,
  useCreate,
  useNewWorkflow,
  useWaitingFiles,
  type WaitingFiles,
  creationBlocker,
} from './use-new-workflow.ts';
import { fileDropTarget } from './dropped-files.tsx';
import { CrontabResult } from './job-list.tsx';
import { ResultPane } from './result-pane.tsx';
import { SourcePane, TemplateParams, useTemplateForm, type TemplateForm } from './source-pane.tsx';
import { getCrontabGroup, templates } from './proposals.ts';
import { isSourceKind, sourceKindLabels, sourceKinds, type SourceKind } from './new-workflow-button.tsx';

/**
 * Asks before the entered text is lost by navigation or by closing the window.
 * @param heldRef updated here; set it to false once the text has been saved
 */
function useUnsavedPrompt(
  { requests, candidates }: Pick<NewWorkflow, 'requests' | 'candidates'>,
  heldRef: React.RefObject<boolean>,
): LeaveGuard {
  // The desktop window would refuse to close.
  const { transport } = useBridge();
  const isEntered = [requests.shell, requests.crontab, requests.makefile, requests.yaml].some(
    ({ text }) => text.trim() !== '',
  );
  const isDone = candidates.some(({ outcome }) => outcome?.ok === true);
  useEffect(() => {
    heldRef.current = isEntered && !isDone;
  }, [heldRef, isEntered, isDone]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (heldRef.current && transport === 'http') event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [heldRef, transport]);
  // Navigation within this page does not ask.
  return useLeaveGuard(
    useCallback((target: string) => heldRef.current && !/^\/new(?:\/|$)/.test(target), [heldRef]),
  );
}

/** Asks whether to discard the entered text. */
function AbandonDialog({ guard }: { readonly guard: LeaveGuard }) {
  return (
    <Dialog title="Discard this workflow?" onClose={guard.stay}>
      <p className={styles.question}>Your changes will be lost.</p>
      <DialogActions>
        <Button variant="danger" onPress={guard.leave}>
          Discard
        </Button>
        <Button variant="primary" autoFocus onPress={guard.stay}>
          Keep editing
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface DropAreaProps {
  /** The effect of dropping files. */
  readonly hint: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: React.ReactNode;
}

const holdsFiles = ({ dataTransfer }: React.DragEvent): boolean => dataTransfer.types.includes('Files');

/** A drop target for files; other drags are ignored. */
function DropArea({ hint, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  // Enter and leave events fire for each element inside.
  const depth = useRef(0);
  const change = (event: React.DragEvent, by: number): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return (
    <div
      className={styles.dropArea}
      {...fileDropTarget}
      onDragEnter={(event) => change(event, 1)}
      onDragOver={(event) => change(event, 0)}
      onDragLeave={(event) => change(event, -1)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className={styles.dropHint}>
          <FileInput size={28} strokeWidth={1.5} aria-hidden="true" />
          <span>{hint}</span>
        </div>
      )}
    </div>
  );
}

/** Creates a workflow: blank, from a template, or from an existing file. */
export function NewWorkflowPage({ way: word }: { readonly way: string | undefined }) {
  const way: SourceKind = isSourceKind(word) ? word : 'blank';
  const [, navigate] = useLocation();
  const model = useNewWorkflow(way);
  const { proposal, shown } = model;
  const baseConfigIssue = useBaseConfigIssue();
  const check = useCheck(
    proposal.workflows[shown?.index ?? 0]?.name ?? '',
    shown?.isBlank ? undefined : shown?.text,
    baseConfigIssue,
  );
  const waiting = useWaitingFiles(way, model);
  const template = way === 'template' ? model.requests.template : undefined;
  const form = useTemplateForm(
    templates.find(({ id }) => id === template),
    model.requests.templateValues,
  );
  const heldRef = useRef(false);
  const submission = useSubmission(model, check, { waiting, heldRef, missing: form?.missing });
  const guard = useUnsavedPrompt(model, heldRef);
  const turnTo = (next: SourceKind): void => {
    model.startAnew();
    navigate(paths.newWorkflow(next), { replace: true });
  };
  const panes = (id: SourceKind) => (
    <div className={styles.panes}>
      <SourcePane way={id} model={model} onSubmit={submission.submit} />
      {id === 'crontab' && submission.isDone ? (
        <CrontabResult crontab={model.requests.crontab} candidates={model.candidates} />
      ) : (
        <Preview model={model} check={check} form={form} />
      )}
    </div>
  );
  return (
    <DropArea hint="Drop files to create workflows" onFiles={(files) => void waiting.drop(files)}>
      <Page
        title="New workflow"
        above={<Breadcrumb trail={[{ href: paths.workflows }]} />}
        actions={<Actions {...submission} listHref={getListAddress(way, model)} />}
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

interface PreviewProps {
  readonly model: NewWorkflow;
  readonly check: ValidationResult;
  readonly form: TemplateForm | undefined;
}

/** The workflow to be created, below the parameters of its template. */
function Preview({ model: { proposal, shown, requests, change }, check, form }: PreviewProps) {
  return (
    <ResultPane
      candidate={shown}
      check={check}
      notes={proposal.notes}
      reason={proposal.reason}
      fields={
        form && (
          <TemplateParams
            form={form}
            onChange={(changed) => change({ templateValues: { ...requests.templateValues, ...changed } })}
          />
        )
      }
    />
  );
}

interface PageContext {
  readonly waiting: WaitingFiles;
  /** Whether leaving would lose anything. */
  readonly heldRef: React.RefObject<boolean>;
  /** Why the form of a template is incomplete. */
  readonly missing: string | undefined;
}

/**
 * Creates the selected workflows; then continues with the next file, or opens the workflow if it is the only
 * one.
 */
function useSubmission(
  model: NewWorkflow,
  check: ValidationResult,
  { waiting, heldRef, missing }: PageContext,
) {
  const [, navigate] = useLocation();
  const may = useCan('dags.create');
  const { create, isPending, done } = useCreate();
  const { candidates } = model;
  const chosen = candidates.filter(({ isChosen }) => isChosen);
  const obstacle = creationBlocker(model, check, may) ?? missing;
  const submit = async (): Promise<void> => {
    if (obstacle !== undefined || isPending) return;
    const outcomes = await create(chosen);
    const [only] = outcomes.values();
    if (candidates.length !== 1 || only?.ok !== true) return model.note(outcomes);
    if (waiting.next()) return showToast('info', `${only.fileName} created.`);
    heldRef.current = false;
    navigate(paths.editor(only.fileName));
  };
  const created = candidates.flatMap(({ outcome }) => (outcome?.ok === true ? outcome.fileName : []));
  const isDone = chosen.length === 0 && created.length > 0;
  const count = chosen.length;
  return { submit: () => void submit(), obstacle, isPending, done, isDone, created, count };
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

/** Returns the address of the list with the created workflows: the group of a crontab, or the workflows by name. */
function getListAddress(way: SourceKind, { requests, candidates }: NewWorkflow): string {
  const group = way === 'crontab' ? getCrontabGroup(requests.crontab).trim() : '';
  if (group !== '') return withQuery(paths.workflows, { group });
  const created = candidates.flatMap(({ outcome }) => (outcome?.ok === true ? outcome.fileName : []));
  return withQuery(paths.workflows, { files: created.join(',') });
}

type ActionsProps = ReturnType<typeof useSubmission> & { readonly listHref: string };

function Actions({ submit, obstacle, isPending, done, isDone, created, count, listHref }: ActionsProps) {
  const [, navigate] = useLocation();
  return (
    <>
      <Button onPress={() => navigate(paths.workflows)}>{isDone ? 'Done' : 'Cancel'}</Button>
      {created.length > 0 && (
        <Button variant={isDone ? 'primary' : 'secondary'} icon={List} onPress={() => navigate(listHref)}>
          See them in Workflows
        </Button>
      )}
      {!isDone && (
        <Button
          variant="primary"
          icon={FilePlus2}
          unavailable={obstacle}
          isPending={isPending}
          onPress={submit}
        >
          {count <= 1 ? 'Create' : isPending ? `Created ${done} of ${count}` : `Create ${count} workflows`}
        </Button>
      )}
    </>
  );
}
