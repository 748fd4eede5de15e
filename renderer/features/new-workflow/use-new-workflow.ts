import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { useBridge } from '../../api/bridge.ts';
import { systemClock } from '../../base/clock.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Permission } from '../../api/session-queries.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { paths } from '../../navigation/address.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import {
  type Candidate,
  type Outcome,
  listCandidates,
  emptyChoices,
  type CandidateChoices,
  proposeWorkflows,
  type Proposal,
  templates,
  emptyInputs,
  withSourceText,
  type NewWorkflowInputs,
} from './proposals.ts';
import {
  usePendingFiles,
  type SourceText,
  recordRecentFiles,
  readDroppedFiles,
  type ImportedFile,
} from './dropped-files.tsx';
import type { TextSourceKind, SourceKind } from './new-workflow-button.tsx';

/** Pause after the last key press before the text is validated. */
const pauseMs = 250;

export interface ValidationResult {
  /** The engine's result; undefined while validating or after a failure. */
  readonly answer: OperationOutput<'dags.validate'> | undefined;
  readonly error: unknown;
  /** Even a valid text cannot run: the base configuration has an error. */
  readonly isBlockedByBaseConfig: boolean;
}

/**
 * Validates a text in the engine, which includes the base configuration; nothing is written.
 * @param baseConfigIssue error of the base configuration; the text is validated again once it is fixed
 */
export function useCheck(
  name: string,
  text: string | undefined,
  baseConfigIssue: Diagnostic | undefined,
): ValidationResult {
  const bridge = useBridge();
  const settled = useDebounced(text);
  const { data, error } = useQuery({
    queryKey: ['new-workflow-check', name, settled, baseConfigIssue?.message],
    queryFn: () => bridge.call('dags.validate', { spec: settled ?? '', ...(name !== '' && { name }) }),
    enabled: settled !== undefined,
    staleTime: Infinity,
    gcTime: 30_000,
  });
  const isBlockedByBaseConfig = baseConfigIssue !== undefined;
  return settled === text
    ? { answer: data, error, isBlockedByBaseConfig }
    : { answer: undefined, error: null, isBlockedByBaseConfig };
}

/** Returns the value once it has not changed for a moment; the first value immediately. */
function useDebounced(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => systemClock.after(pauseMs, () => setSettled(value)), [value]);
  return settled === undefined || value === undefined ? value : settled;
}

/** Creates workflows one after the other; a rejected one does not stop the others. */
export function useCreate() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [isPending, setPending] = useState(false);
  const [done, setDone] = useState(0);
  const create = async (chosen: readonly Candidate[]): Promise<ReadonlyMap<number, Outcome>> => {
    setPending(true);
    setDone(0);
    const outcomes = new Map<number, Outcome>();
    try {
      for (const { index, name, text, isBlank } of chosen) {
        try {
          const { fileName } = await bridge.call('dags.create', {
            ...{ name, spec: text },
            ...(isBlank && { allowInvalid: true }),
          });
          outcomes.set(index, { ok: true, fileName });
        } catch (failure) {
          outcomes.set(index, { ok: false, reason: toAppError(failure).message });
        }
        setDone(outcomes.size);
      }
      await cache.invalidateQueries({ queryKey: queryKeys.dags });
      await notifyRecipients(bridge, chosen, outcomes);
    } finally {
      setPending(false);
    }
    return outcomes;
  };
  return { create, isPending, done };
}

/** Creates notification rules for the recipients of cron's mails. */
async function notifyRecipients(
  bridge: ReturnType<typeof useBridge>,
  chosen: readonly Candidate[],
  outcomes: ReadonlyMap<number, Outcome>,
): Promise<void> {
  const created = chosen.filter(({ index }) => outcomes.get(index)?.ok === true);
  if (created.every(({ mailTo = [] }) => mailTo.length === 0)) return;
  try {
    const { createMailRules } = await import('../../../core/edit/import/mail-rules.ts');
    const rules = await createMailRules((name, input) => bridge.call(name, input), created);
    for (const rule of rules) showToast('info', rule);
  } catch (failure) {
    showError(failure);
  }
}

/** Returns why nothing can be created; undefined if it can. */
export function creationBlocker(
  { proposal, candidates, shown }: NewWorkflow,
  check: ValidationResult,
  may: Permission,
): string | undefined {
  if (may.reason !== undefined) return may.reason;
  if (candidates.length === 0) return proposal.reason ?? 'Nothing to create yet.';
  const chosen = candidates.filter(({ isChosen }) => isChosen);
  if (chosen.length === 0) return 'Select at least one job.';
  const misnamed = chosen.find(({ nameError }) => nameError !== undefined);
  if (misnamed) return misnamed.nameError;
  const error = check.answer?.diagnostics.find(({ severity }) => severity === 'error');
  if (shown?.isChosen === true && error) return `Fix the error on line ${error.line} first.`;
  return undefined;
}

/** State of the page: the input, and the resulting workflows. */
export function useNewWorkflow(way: SourceKind) {
  const [requests, setWishes] = useState<NewWorkflowInputs>(takePendingFiles);
  const [choices, setChoices] = useState<CandidateChoices>(emptyChoices);
  const [shown, setShown] = useState(0);
  const dags = useDags().data;
  const taken = useMemo(() => new Set((dags ?? []).map(({ fileName }) => fileName)), [dags]);
  const proposal = useMemo((): Proposal => proposeWorkflows(way, requests, templates), [way, requests]);
  const candidates = useMemo(
    () => listCandidates(proposal.workflows, choices, taken),
    [proposal, choices, taken],
  );
  const begin = (next: NewWorkflowInputs): void => {
    setWishes(next);
    setShown(0);
    // A name typed for a single workflow stays; choices among several no longer match other jobs.
    if (way === 'makefile' || (way === 'crontab' && !hasSameJobs(requests.crontab, next.crontab)))
      setChoices(emptyChoices);
    else if (way !== 'crontab') setChoices(({ names }) => ({ ...emptyChoices, names }));
  };
  /** Sets another file or text. */
  const takeText = useCallback((textWay: TextSourceKind, source: SourceText): void => {
    setWishes((before) => withSourceText(before, textWay, source));
    setShown(0);
    setChoices(emptyChoices);
  }, []);
  return {
    requests,
    proposal,
    candidates,
    /** Typed names, by index of the workflow. */
    typed: choices.names,
    shown: candidates[shown] ?? candidates[0],
    show: setShown,
    /** Updates the input of one of the kinds. */
    change: (part: Partial<NewWorkflowInputs>): void => begin({ ...requests, ...part }),
    takeText,
    startAnew: (): void => {
      setShown(0);
      setChoices(emptyChoices);
    },
    rename: (index: number, name: string): void =>
      setChoices((before) => ({ ...before, names: new Map([...before.names, [index, name]]) })),
    choose: (indexes: readonly number[], isChosen: boolean): void =>
      setChoices((before) => {
        const excluded = new Set(before.excluded);
        for (const index of indexes) {
          if (isChosen) excluded.delete(index);
          else excluded.add(index);
        }
        return { ...before, excluded };
      }),
    note: (outcomes: ReadonlyMap<number, Outcome>): void =>
      setChoices((before) => ({ ...before, outcomes: new Map([...before.outcomes, ...outcomes]) })),
  };
}

const hasSameJobs = (before: NewWorkflowInputs['crontab'], after: NewWorkflowInputs['crontab']): boolean =>
  before.text === after.text && before.kind === after.kind;

/** Takes the files dropped on a previous page. */
function takePendingFiles(): NewWorkflowInputs {
  const [first] = usePendingFiles.getState().files;
  if (first === undefined) return emptyInputs;
  const { way, ...text } = first;
  return withSourceText(emptyInputs, way, text);
}

export type NewWorkflow = ReturnType<typeof useNewWorkflow>;

/** Several dropped files, from which workflows are created one after the other. */
export interface WaitingFiles {
  /** Names of the remaining files. */
  readonly names: readonly string[];
  /** Accepts dropped files: the first immediately, the others after it. */
  readonly drop: (files: readonly File[]) => Promise<void>;
  /** Continues with the next file. @returns false if there is none */
  readonly next: () => boolean;
}

export function useWaitingFiles(way: SourceKind, { takeText }: Pick<NewWorkflow, 'takeText'>): WaitingFiles {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  // The page starts with the first file that was dropped elsewhere.
  const [waiting, setWaiting] = useState<readonly ImportedFile[]>(() =>
    usePendingFiles.getState().files.slice(1),
  );
  const begin = useCallback(
    ([first, ...others]: readonly ImportedFile[]): boolean => {
      setWaiting(others);
      if (first === undefined) return false;
      takeText(first.way, { fileName: first.fileName, text: first.text });
      navigate(paths.newWorkflow(first.way), { replace: true });
      return true;
    },
    [takeText, navigate],
  );
  useEffect(() => {
    usePendingFiles.setState({ files: [] });
    // Files can also arrive while the page is open, from the system or dropped next to the page.
    return usePendingFiles.subscribe(({ files }) => {
      if (files.length === 0) return;
      usePendingFiles.setState({ files: [] });
      begin(files);
    });
  }, [begin]);
  return {
    names: waiting.map(({ fileName }) => fileName),
    async drop(files) {
      const taken = await readDroppedFiles(files, way === 'blank' || way === 'template' ? undefined : way);
      if (taken.length === 0) return;
      recordRecentFiles(bridge, files, taken);
      begin(taken);
    },
    next: () => begin(waiting),
  };
}
