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

/** The filters that one seldom needs: who, dates, durations, sub-runs. */
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

function MoreDialog({ query, onChange, onClose }: MoreFiltersProps & { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(query);
  const set = (changes: Partial<RunQuery>): void => setDraft({ ...draft, ...changes });
  const read = readRunQuery(new URLSearchParams(Object.entries(pick(draft))));
  const isBlocked = Object.entries(pick(draft)).some(
    ([field, text]) => text !== pick(read)[field as keyof ReturnType<typeof pick>],
  );
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
      <TextField
        label="Started by"
        description="Part of the name of a user or a token, or schedule"
        value={draft.startedBy}
        onChange={(startedBy) => set({ startedBy })}
      />
      <div className={styles.pair}>
        <TextField
          label="From"
          description="A date such as 2026-01-31"
          value={draft.from}
          onChange={(from) => set({ from })}
        />
        <TextField label="To" description="The last day" value={draft.to} onChange={(to) => set({ to })} />
      </div>
      <div className={styles.pair}>
        <TextField
          label="Took at least"
          description="Seconds"
          value={draft.longer}
          onChange={(longer) => set({ longer })}
        />
        <TextField
          label="Took at most"
          description="Seconds"
          value={draft.shorter}
          onChange={(shorter) => set({ shorter })}
        />
      </div>
      <Checkbox
        label="Show sub-runs as well"
        isSelected={draft.subRuns}
        onChange={(subRuns) => set({ subRuns })}
      />
    </FormDialog>
  );
}

const pick = ({ from, to, longer, shorter, startedBy }: RunQuery) => ({
  from,
  to,
  longer,
  shorter,
  startedBy,
});
