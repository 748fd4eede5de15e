import { useCallback, useMemo, useState } from 'react';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { listCandidates, emptyChoices, type CandidateChoices, type Outcome } from './candidates.ts';
import { usePendingFiles } from './files/handed-over.ts';
import { proposeWorkflows, type Proposal } from './propose.ts';
import { templates } from './templates.ts';
import type { SourceText } from './files/text-file.ts';
import { emptyInputs, withSourceText, type NewWorkflowInputs } from './new-workflow-inputs.ts';
import type { TextSourceKind, SourceKind } from './ways.ts';

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
    // A name typed for a single workflow stays; choices among several no longer match.
    if (way === 'crontab' || way === 'makefile') setChoices(emptyChoices);
    else setChoices(({ names }) => ({ ...emptyChoices, names }));
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
        const left = new Set(before.left);
        for (const index of indexes) {
          if (isChosen) left.delete(index);
          else left.add(index);
        }
        return { ...before, left };
      }),
    note: (outcomes: ReadonlyMap<number, Outcome>): void =>
      setChoices((before) => ({ ...before, outcomes: new Map([...before.outcomes, ...outcomes]) })),
  };
}

/** Takes the files dropped on a previous page. */
function takePendingFiles(): NewWorkflowInputs {
  const [first] = usePendingFiles.getState().files;
  if (first === undefined) return emptyInputs;
  const { way, ...text } = first;
  return withSourceText(emptyInputs, way, text);
}

export type NewWorkflow = ReturnType<typeof useNewWorkflow>;
