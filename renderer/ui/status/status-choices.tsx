import type { StepStatus } from '../../../core/model/run/status.ts';
import { statusLabels } from '../../format/status.ts';
import { StatusShape } from './status-shape.tsx';

/** Status options with labels and icons. */
export const toStatusOptions = <Status extends StepStatus>(statuses: readonly Status[]) =>
  statuses.map((value) => ({ value, label: statusLabels[value], mark: <StatusShape status={value} /> }));
