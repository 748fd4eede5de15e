import { FilterX, History } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { runStatuses, type RunStatus } from '../../../core/model/status.ts';
import { dagNamePattern } from '../../../core/base/ids.ts';
import { useDags, useRuns } from '../../api/queries.ts';
import { statusWords } from '../../format/status.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { LoadMore } from './load-more.tsx';
import { RunTable } from './run-table.tsx';

type StatusFilter = RunStatus | '';

/** The history of all workflows. */
export function RunsPage() {
  const [status, setStatus] = useState<StatusFilter>('');
  const [name, setName] = useState('');
  const runs = useRuns(
    useDeferredValue({ ...(status !== '' && { status: [status] }), ...(isDagName(name) && { name }) }),
  );
  const filtered = status !== '' || name !== '';
  return (
    <Page
      title="Runs"
      actions={
        <>
          <NameFilter value={name} onChange={setName} />
          <Select
            label="Status"
            value={status}
            onChange={setStatus}
            choices={[
              { value: '', label: 'All statuses' },
              ...runStatuses.map((value) => ({
                value,
                label: statusWords[value],
                mark: <StatusShape status={value} />,
              })),
            ]}
          />
        </>
      }
    >
      <QueryState query={runs} what="The history">
        {({ pages }) => {
          const all = pages.flatMap(({ dagRuns }) => dagRuns);
          if (all.length > 0) return <RunTable runs={all} foot={<LoadMore query={runs} />} />;
          return filtered ? <NoMatch onClear={() => (setStatus(''), setName(''))} /> : <NoRuns />;
        }}
      </QueryState>
    </Page>
  );
}

const isDagName = (name: string): boolean => new RegExp(dagNamePattern).test(name);

/** The workflows there are; the engine filters by whole names. */
function NameFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (name: string) => void;
}) {
  const names = [...new Set(useDags().data?.map(({ name }) => name))].sort();
  return (
    <Select
      label="Workflow"
      value={value}
      onChange={onChange}
      choices={[
        { value: '', label: 'All workflows' },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
    />
  );
}

function NoRuns() {
  return (
    <EmptyState icon={History} title="Nothing has run yet">
      <p>
        Every run is kept here, however it was started: from this window, on the command line, or by its
        schedule.
      </p>
    </EmptyState>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState icon={FilterX} title="No run matches">
      <Button onPress={onClear}>Clear the filter</Button>
    </EmptyState>
  );
}
