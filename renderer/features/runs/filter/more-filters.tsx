import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import styles from '../runs.module.css';
import { readRunQuery, type RunQuery } from './run-query.ts';

interface MoreFiltersProps {
  readonly query: RunQuery;
  readonly onChange: (changes: Partial<RunQuery>) => void;
}

/** Less common filters: user, dates, durations, sub-runs. */
export function MoreFilters({ query, onChange }: MoreFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const inUse =
    [query.from, query.to, query.longer, query.shorter, query.startedBy].filter((text) => text !== '')
      .length + Number(query.subRuns);
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
  const faultOf = (field: keyof ReturnType<typeof pick>, fault: string): string | undefined =>
    draft[field] === read[field] ? undefined : fault;
  const faults = {
    from: faultOf('from', invalidDate),
    to: faultOf('to', invalidDate),
    longer: faultOf('longer', invalidSeconds),
    shorter: faultOf('shorter', invalidSeconds),
  };
  const isBlocked = Object.values(faults).some((fault) => fault !== undefined);
  return (
    <FormDialog
      title="More filters"
      submit={{ label: 'Apply', icon: SlidersHorizontal, isPending: false, isBlocked }}
      error={null}
      onSubmit={() => {
        onChange({ ...pick(draft), subRuns: draft.subRuns, ...((draft.from || draft.to) && { range: '' }) });
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
          description="First day, such as 2026-01-31"
          value={draft.from}
          onChange={(from) => set({ from })}
          error={faults.from}
        />
        <TextField
          label="To"
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
