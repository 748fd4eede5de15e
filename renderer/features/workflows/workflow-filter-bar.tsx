import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { runStatuses } from '../../../core/model/run/status.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { FilterBar, FilterSpacer } from '../../ui/list/filter-bar.tsx';
import { ChoiceMenu } from '../../ui/list/choice-menu.tsx';
import { toStatusOptions } from '../../ui/status/status-choices.tsx';
import type { Arrangement } from './arrange.ts';
import { listGroups, listTags, type WorkflowFilter } from './workflow-filter.ts';

interface WorkflowFilterBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly filter: WorkflowFilter;
  readonly by: Arrangement;
  readonly onArrange: (by: Arrangement) => void;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

const statusChoices = toStatusOptions(runStatuses);
const toChoices = (all: string, values: readonly string[]) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: value })),
];

/** Filters and grouping of the list of workflows, stored in the address. */
export function WorkflowFilterBar({ dags, filter, by, onArrange, onChange }: WorkflowFilterBarProps) {
  const [tags, groups] = [listTags(dags), listGroups(dags)];
  const ways = [
    { value: 'none', label: 'No grouping' },
    ...(groups.length > 0 ? [{ value: 'group', label: 'By group' } as const] : []),
    ...(tags.length > 0 ? [{ value: 'tag', label: 'By tag' } as const] : []),
  ] as const;
  return (
    <FilterBar>
      <SearchField
        label="Search workflows"
        placeholder="Search workflows"
        value={filter.words}
        onChange={(text) => onChange({ text })}
      />
      <ChoiceMenu
        label="Last run"
        values={filter.status}
        choices={statusChoices}
        onChange={(status) => onChange({ status: status.join(',') })}
      />
      {groups.length > 0 && (
        <Select
          label="Group"
          value={filter.group}
          choices={toChoices('All groups', groups)}
          onChange={(group) => onChange({ group })}
        />
      )}
      {tags.length > 0 && (
        <Select
          label="Tag"
          value={filter.tag}
          choices={toChoices('All tags', tags)}
          onChange={(tag) => onChange({ tag })}
        />
      )}
      {ways.length > 1 && (
        <>
          <FilterSpacer />
          <Segmented label="Grouping" value={by} choices={ways} onChange={onArrange} />
        </>
      )}
    </FilterBar>
  );
}
