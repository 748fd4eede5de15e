import { create } from 'zustand';
import { arrangements, type Arrangement } from './arrange.ts';

const storageKey = 'stepwright.workflows';

interface ArrangementState {
  readonly by: Arrangement;
  /** Ids of the sets that are folded away. */
  readonly folded: readonly string[];
}

/** How the list of workflows was left in this browser. */
export const useArrangement = create<ArrangementState>(() => readStored());

/** Whatever is not understood counts as never stored. */
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

/** Folds sets away, or shows what is in them. */
export function setFolded(ids: readonly string[], isFolded: boolean): void {
  const others = useArrangement.getState().folded.filter((id) => !ids.includes(id));
  change({ folded: isFolded ? [...others, ...ids] : others });
}
