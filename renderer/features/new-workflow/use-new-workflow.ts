import { useCallback, useMemo, useState } from 'react';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { listCandidates, noChoices, type Choices, type Outcome } from './candidates.ts';
import { useHandedOver } from './files/handed-over.ts';
import { propose, type Proposal } from './propose.ts';
import { templates } from './templates.ts';
import type { SourceText } from './files/text-file.ts';
import { emptyInputs, withText, type NewWorkflowInputs } from './new-workflow-inputs.ts';
import type { TextWay, Way } from './ways.ts';

/** State of the page: the input, and the resulting workflows. */
export function useNewWorkflow(way: Way) {
  const [requests, setWishes] = useState<NewWorkflowInputs>(takeHandedOver);
  const [choices, setChoices] = useState<Choices>(noChoices);
  const [shown, setShown] = useState(0);
  const dags = useDags().data;
  const taken = useMemo(() => new Set((dags ?? []).map(({ fileName }) => fileName)), [dags]);
  const proposal = useMemo((): Proposal => propose(way, requests, templates), [way, requests]);
  const candidates = useMemo(
    () => listCandidates(proposal.workflows, choices, taken),
    [proposal, choices, taken],
  );
  const begin = (next: NewWorkflowInputs): void => {
    setWishes(next);
    setShown(0);
    // A name typed for a single workflow stays; choices among several no longer match.
    if (way === 'crontab' || way === 'makefile') setChoices(noChoices);
    else setChoices(({ names }) => ({ ...noChoices, names }));
  };
  /** Sets another file or text. */
  const takeText = useCallback((textWay: TextWay, source: SourceText): void => {
    setWishes((before) => withText(before, textWay, source));
    setShown(0);
    setChoices(noChoices);
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
      setChoices(noChoices);
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
function takeHandedOver(): NewWorkflowInputs {
  const [first] = useHandedOver.getState().files;
  if (first === undefined) return emptyInputs;
  const { way, ...text } = first;
  return withText(emptyInputs, way, text);
}

export type NewWorkflow = ReturnType<typeof useNewWorkflow>;
