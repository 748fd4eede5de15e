import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { triggers } from '../../../core/model/run-event.ts';
import { runStatuses } from '../../../core/model/run.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Select } from '../../ui/choices.tsx';
import { TextField, SearchField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { useQueues } from '../../api/system-queries.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { triggerLabels } from '../../format/labels.ts';
import { FilterBar, ChoiceMenu } from '../../ui/list/filter-bar.tsx';
import { toStatusOptions } from '../../ui/status.tsx';
import styles from './runs.module.css';
import { readRunQuery, type RunQuery, countConditions, type RangePreset } from './run-query.ts';

interface MoreFiltersProps {
  readonly query: RunQuery;
  readonly onChange: (changes: Partial<RunQuery>) => void;
}

/** Less common filters: user, dates, durations, sub-runs, notes. */
export function MoreFilters({ query, onChange }: MoreFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const inUse =
    [query.from, query.to, query.longer, query.shorter, query.startedBy].filter((text) => text !== '')
      .length +
    Number(query.subRuns) +
    Number(query.noted);
  return (
    <>
      <Button icon={SlidersHorizontal} onPress={() => setOpen(true)}>
        {inUse === 0 ? 'More' : `More: ${inUse}`}
      </Button>
      {isOpen && <MoreDialog query={query} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  );
}

const invalidDate = 'Invalid date. Use the format 2026-01-31.';
const invalidSeconds = 'Enter seconds, such as 90 or 0.5.';

function MoreDialog({ query, onChange, onClose }: MoreFiltersProps & { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(query);
  const set = (changes: Partial<RunQuery>): void => setDraft({ ...draft, ...changes });
  const read = readRunQuery(new URLSearchParams(Object.entries(pick(draft))));
  const getError = (field: keyof ReturnType<typeof pick>, fault: string): string | undefined =>
    draft[field] === read[field] ? undefined : fault;
  const faults = {
    from: getError('from', invalidDate),
    to: getError('to', invalidDate),
    longer: getError('longer', invalidSeconds),
    shorter: getError('shorter', invalidSeconds),
  };
  const isBlocked = Object.values(faults).some((fault) => fault !== undefined);
  return (
    <FormDialog
      title="More filters"
      submit={{ label: 'Apply', icon: SlidersHorizontal, isPending: false, isBlocked }}
      error={null}
      onSubmit={() => {
        onChange({
          ...pick(draft),
          subRuns: draft.subRuns,
          noted: draft.noted,
          ...((draft.from || draft.to) && { range: '' }),
        });
        onClose();
      }}
      onClose={onClose}
    >
      <Fields draft={draft} faults={faults} set={set} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: RunQuery;
  /** Why fields are invalid. */
  readonly faults: Readonly<Record<'from' | 'to' | 'longer' | 'shorter', string | undefined>>;
  readonly set: (changes: Partial<RunQuery>) => void;
}

function Fields({ draft, faults, set }: FieldsProps) {
  return (
    <>
      <TextField
        label="Started by"
        autoFocus
        description="User, token or schedule"
        value={draft.startedBy}
        onChange={(startedBy) => set({ startedBy })}
      />
      <div className={styles.pair}>
        <TextField
          label="From"
          type="date"
          description="First day"
          value={draft.from}
          onChange={(from) => set({ from })}
          error={faults.from}
        />
        <TextField
          label="To"
          type="date"
          description="Last day"
          value={draft.to}
          onChange={(to) => set({ to })}
          error={faults.to}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          label="Minimum duration"
          description="Seconds"
          value={draft.longer}
          onChange={(longer) => set({ longer })}
          error={faults.longer}
        />
        <TextField
          label="Maximum duration"
          description="Seconds"
          value={draft.shorter}
          onChange={(shorter) => set({ shorter })}
          error={faults.shorter}
        />
      </div>
      <Checkbox
        label="Include sub-runs"
        isSelected={draft.subRuns}
        onChange={(subRuns) => set({ subRuns })}
      />
      <Checkbox label="Has a note" isSelected={draft.noted} onChange={(noted) => set({ noted })} />
    </>
  );
}

const pick = ({ from, to, longer, shorter, startedBy }: RunQuery) => ({
  from,
  to,
  longer,
  shorter,
  startedBy,
});

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
