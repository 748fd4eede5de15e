import type { OperationInput } from '../../../core/contract/operations.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { Select } from '../../ui/choices.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { GroupAndTagFilter } from '../organize/workflow-filter.tsx';

const frequencies = ['', 'frequent', 'infrequent'] as const;
type Frequency = (typeof frequencies)[number];

/** Filters of the schedule; an empty string means no filter. */
export interface ScheduleFilter {
  readonly words: string;
  readonly tag: string;
  readonly group: string;
  readonly frequency: Frequency;
}

/** Parses the filters in an address. */
export const readScheduleFilter = (params: URLSearchParams): ScheduleFilter => ({
  words: params.get('text') ?? '',
  tag: params.get('tag') ?? '',
  group: params.get('group') ?? '',
  frequency: frequencies.find((one) => one === params.get('frequency')) ?? '',
});

/** Converts the filters to those of the API. */
export const toCalendarFilter = ({
  words,
  tag,
  group,
  frequency,
}: ScheduleFilter): Pick<OperationInput<'schedules.counts'>, 'name' | 'tags' | 'group' | 'frequency'> => ({
  ...(words.trim() !== '' && { name: words.trim() }),
  ...(tag !== '' && { tags: [tag] }),
  ...(group !== '' && { group }),
  ...(frequency !== '' && { frequency }),
});

interface ScheduleFilterBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly filter: ScheduleFilter;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

const frequencyChoices = [
  { value: '', label: 'All frequencies' },
  { value: 'infrequent', label: 'Hourly or less' },
  { value: 'frequent', label: 'More than hourly' },
] as const;

/** Filters of the schedule by name, group, tag and frequency, stored in the address. */
export function ScheduleFilterBar({ dags, filter, onChange }: ScheduleFilterBarProps) {
  return (
    <FilterBar>
      <SearchField
        label="Filter by workflow"
        placeholder="Filter by workflow"
        value={filter.words}
        onChange={(text) => onChange({ text })}
      />
      <GroupAndTagFilter dags={dags} filter={filter} onChange={onChange} />
      <Select
        label="Frequency"
        value={filter.frequency}
        choices={frequencyChoices}
        onChange={(frequency) => onChange({ frequency })}
      />
    </FilterBar>
  );
}
