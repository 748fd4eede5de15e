import { create } from 'zustand';
import { arrangements, type Arrangement } from './arrange.ts';

const storageKey = 'stepwright.workflows';

interface ArrangementState {
  readonly by: Arrangement;
  /** Ids of collapsed sections. */
  readonly folded: readonly string[];
}

/** Layout of the list of workflows, stored in this browser. */
export const useArrangement = create<ArrangementState>(() => readStored());

/** Reads the stored layout; invalid values are ignored. */
function readStored(): ArrangementState {
  try {
    const { by, folded } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<ArrangementState>;
    return {
      by: arrangements.find((one) => one === by) ?? 'none',
      folded: Array.isArray(folded) ? folded.filter((id) => typeof id === 'string') : [],
    };
  } catch {
    return { by: 'none', folded: [] };
  }
}

function change(changes: Partial<ArrangementState>): void {
  useArrangement.setState(changes);
  localStorage.setItem(storageKey, JSON.stringify(useArrangement.getState()));
}

export const chooseArrangement = (by: Arrangement): void => change({ by });

/** Collapses or expands sections. */
export function setFolded(ids: readonly string[], isFolded: boolean): void {
  const others = useArrangement.getState().folded.filter((id) => !ids.includes(id));
  change({ folded: isFolded ? [...others, ...ids] : others });
}
