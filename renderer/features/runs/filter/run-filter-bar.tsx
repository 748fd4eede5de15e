import { triggers } from '../../../../core/model/run/run-event.ts';
import { runStatuses } from '../../../../core/model/run/status.ts';
import { useQueues } from '../../../api/queries/operating/queue-queries.ts';
import { useDags } from '../../../api/queries/workflows/workflow-queries.ts';
import { triggerLabels } from '../../../format/trigger.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { FilterBar } from '../../../ui/list/filter-bar.tsx';
import { ChoiceMenu } from '../../../ui/list/choice-menu.tsx';
import { toStatusOptions } from '../../../ui/status/status-choices.tsx';
import { countConditions, type RunQuery, type RangePreset } from './run-query.ts';
import { MoreFilters } from './more-filters.tsx';

interface RunFilterBarProps {
  readonly query: RunQuery;
  readonly onChange: (changes: Partial<RunQuery>) => void;
  readonly onClear: () => void;
}

const statusChoices = toStatusOptions(runStatuses);
const triggerChoices = triggers.map((value) => ({ value, label: triggerLabels[value] }));
const rangeChoices: readonly { readonly value: RangePreset; readonly label: string }[] = [
  { value: '', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'today', label: 'Today' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
];

/** Filters of the list of runs, stored in the address. */
export function RunFilterBar({ query, onChange, onClear }: RunFilterBarProps) {
  const dags = useDags().data;
  const queues = useQueues().data?.queues;
  const names = toChoices('All workflows', [...(dags ?? []).map(({ name }) => name), query.name]);
  const tags = [...new Set((dags ?? []).flatMap((dag) => dag.tags))].toSorted();
  const queueNames = toChoices('All queues', [...(queues ?? []).map(({ name }) => name), query.queue]);
  return (
    <FilterBar>
      <SearchField
        label="Search runs"
        placeholder="Search runs"
        value={query.text}
        onChange={(text) => onChange({ text })}
      />
      <ChoiceMenu
        label="Status"
        values={query.status}
        choices={statusChoices}
        onChange={(status) => onChange({ status })}
      />
      <Select label="Workflow" value={query.name} choices={names} onChange={(name) => onChange({ name })} />
      <Select
        label="Time"
        value={query.range}
        choices={rangeChoices}
        onChange={(range) => onChange({ range, from: '', to: '' })}
      />
      <ChoiceMenu
        label="Trigger"
        values={query.trigger}
        choices={triggerChoices}
        onChange={(trigger) => onChange({ trigger })}
      />
      {tags.length > 0 && (
        <ChoiceMenu
          label="Tags"
          values={query.tags}
          choices={tags.map((value) => ({ value, label: value }))}
          onChange={(chosen) => onChange({ tags: chosen })}
        />
      )}
      {queueNames.length > 1 && (
        <Select
          label="Queue"
          value={query.queue}
          choices={queueNames}
          onChange={(queue) => onChange({ queue })}
        />
      )}
      <MoreFilters query={query} onChange={onChange} />
      {countConditions(query) > 0 && (
        <Button size="small" variant="quiet" onPress={onClear}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}

const toChoices = (all: string, names: readonly string[]) => [
  { value: '', label: all },
  ...[...new Set(names)]
    .filter((name) => name !== '')
    .toSorted()
    .map((name) => ({ value: name, label: name })),
];
