import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { oneLine } from './plain-text.ts';

/** Returns the outcome of a run: `run 01a1… of etl failed: step load failed`. */
export const describeOutcome = ({ name, dagRunId, status, error }: RunDetailView): string =>
  `run ${dagRunId} of ${name} ${status}${error === undefined ? '' : `: ${oneLine(error)}`}`;
