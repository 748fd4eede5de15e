import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { DagSummaryView } from '../../contract/workflows/dags.ts';
import type { OperationInput } from '../../contract/operations.ts';
import { readPages } from '../read-pages.ts';

/** Lists every matching workflow in the home's workflow directory. */
export const listAllDags = (
  api: EngineApi,
  caller: Caller,
  filter: Omit<OperationInput<'dags.list'>, 'limit' | 'cursor'> = {},
): Promise<DagSummaryView[]> =>
  readPages(async (page) => {
    const { dags, nextCursor } = await api.call('dags.list', { ...filter, ...page }, caller);
    return { entries: dags, nextCursor };
  });
