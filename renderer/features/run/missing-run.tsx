import type { RunRef } from '../../../core/model/run/run.ts';
import { paths } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { MissingState } from '../../ui/state/missing-state.tsx';

/** Shown for a run that is not in the history. */
export const MissingRun = ({ name, dagRunId }: RunRef) => (
  <MissingState
    what={`run ${shortenRunId(dagRunId)} of “${name}”`}
    explanation="It may have been deleted, or the link is wrong."
    list={{ href: paths.runs, label: 'All runs' }}
  />
);
