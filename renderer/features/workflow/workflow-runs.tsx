import { History } from 'lucide-react';
import { useRuns } from '../../api/queries/runs/run-list-queries.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { IdleQuote } from '../idle-quote/idle-quote.tsx';
import { RunTable } from '../runs/list/run-table.tsx';

/** The runs of one workflow. */
export function WorkflowRuns({ name }: { readonly name: string }) {
  const runs = useRuns({ name });
  return (
    <QueryState query={runs} what="The history">
      {({ pages }) => {
        const all = pages.flatMap(({ dagRuns }) => dagRuns);
        if (all.length === 0)
          return (
            <EmptyState icon={History} title="No runs yet">
              <IdleQuote />
            </EmptyState>
          );
        return <RunTable runs={all} withName={false} foot={<LoadMore query={runs} />} />;
      }}
    </QueryState>
  );
}
