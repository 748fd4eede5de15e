import { checkName, uniqueFileName } from './check-name.ts';
import type { ProposedWorkflow } from './propose.ts';

/** The result of creating a workflow. */
export type Outcome =
  | { readonly ok: true; readonly fileName: string }
  | { readonly ok: false; readonly reason: string };

/** The user's choices and the results, by the index of the proposed workflow. */
export interface CandidateChoices {
  readonly names: ReadonlyMap<number, string>;
  /** Indexes of unselected workflows. */
  readonly left: ReadonlySet<number>;
  readonly outcomes: ReadonlyMap<number, Outcome>;
}

export const emptyChoices: CandidateChoices = { names: new Map(), left: new Set(), outcomes: new Map() };

/** A proposed workflow with its final name and state. */
export interface Candidate extends ProposedWorkflow {
  readonly index: number;
  /** Why the name is invalid. */
  readonly nameError: string | undefined;
  readonly isChosen: boolean;
  readonly outcome: Outcome | undefined;
}

/**
 * Names the proposed workflows: as the user chose, otherwise as proposed, with a number appended if that is
 * taken.
 * @param taken names of existing workflow files
 */
export function listCandidates(
  proposed: readonly ProposedWorkflow[],
  { names, left, outcomes }: CandidateChoices,
  taken: ReadonlySet<string>,
): readonly Candidate[] {
  const used = new Set([...taken, ...names.values()]);
  const named = proposed.map((workflow, index) => {
    const outcome = outcomes.get(index);
    const typed = outcome?.ok === true ? outcome.fileName : names.get(index);
    const name = typed ?? (workflow.name === '' ? '' : uniqueFileName(workflow.name, used));
    used.add(name);
    const isCreated = outcome?.ok === true;
    return { ...workflow, index, name, outcome, isChosen: !isCreated && !left.has(index) };
  });
  return named.map((candidate) => {
    const others = named.filter((other) => other.index !== candidate.index && other.isChosen);
    const isTwice = others.some(({ name }) => name === candidate.name);
    const nameError = !candidate.isChosen
      ? undefined
      : (checkName(candidate.name, taken) ??
        (isTwice ? 'This name is already used above. Choose another name.' : undefined));
    return { ...candidate, nameError };
  });
}
