import { Plus, Save, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { GatewayColumnView, GatewayTableView } from '../../../core/contract/gateway.ts';
import type { GatewayRowView } from '../../../core/contract/gateway-tables.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useDeleteRows, useInsertRow, useRowValue } from '../../api/gateway-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { CopyButton, showToast } from '../../ui/toasts.tsx';
import { shortType, writableColumns, valueErrorText } from './cell.tsx';
import styles from './rows.module.css';

interface InsertDialogProps {
  readonly table: GatewayTableView;
  readonly onClose: () => void;
}

const isText = ({ baseType }: GatewayColumnView): boolean => /^(text|character)/.test(baseType);

/** What an empty field becomes. */
const emptyMeaning = (column: GatewayColumnView): string => {
  if (column.default !== undefined) return `Default: ${column.default}`;
  if (column.isNullable) return 'Default: NULL';
  return isText(column) ? 'Default: empty string' : 'Required';
};

/** A form for a new row, with a field for each column. */
export function InsertRowDialog({ table, onClose }: InsertDialogProps) {
  const insert = useInsertRow();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const columns = writableColumns(table);
  const submit = (): void => {
    const typed = columns.flatMap((column) => {
      const value = values[column.name] ?? '';
      const isNeeded = column.default === undefined && !column.isNullable && isText(column);
      return value === '' && !isNeeded ? [] : [[column.name, value] as const];
    });
    insert.mutate(
      { schema: table.schema, table: table.name, values: Object.fromEntries(typed) },
      {
        onSuccess: () => {
          showToast('info', `Inserted a row into ${table.name}.`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Insert row into ${table.name}`}
      submit={{ label: 'Insert', icon: Plus, isPending: insert.isPending }}
      error={insert.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {columns.map((column) => (
        <TextField
          key={column.name}
          name={`values.${column.name}`}
          label={`${column.name} (${shortType(column)})`}
          description={emptyMeaning(column)}
          value={values[column.name] ?? ''}
          onChange={(value) => setValues({ ...values, [column.name]: value })}
        />
      ))}
    </FormDialog>
  );
}

interface DeleteDialogProps {
  readonly table: GatewayTableView;
  readonly keys: readonly (readonly string[])[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Confirms the deletion of the selected rows. */
export function DeleteRowsDialog({ table, keys, onDone, onClose }: DeleteDialogProps) {
  const remove = useDeleteRows();
  const count = pluralize(keys.length, 'row');
  const submit = (): void =>
    remove.mutate(
      { schema: table.schema, table: table.name, keys: keys.map((key) => [...key]) },
      {
        onSuccess: ({ deleted }) => {
          const missing = keys.length - deleted;
          const note = missing === 0 ? '' : ` ${pluralize(missing, 'row')} had already been deleted.`;
          showToast('info', `Deleted ${pluralize(deleted, 'row')} of ${table.name}.${note}`);
          onDone();
        },
      },
    );
  return (
    <FormDialog
      title={`Delete ${count} of ${table.name}?`}
      submit={{ label: `Delete ${count}`, icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>This cannot be undone.</p>
    </FormDialog>
  );
}

interface ValueDialogProps {
  readonly table: GatewayTableView;
  readonly row: GatewayRowView;
  readonly column: GatewayColumnView;
  /** Whether it is edited as it is stored. */
  readonly isStored: boolean;
  /** Absent if the value cannot be changed. */
  readonly onSave: ((value: string, expected: string | null) => Promise<unknown>) | undefined;
  readonly onClose: () => void;
}

/** A value in full, which can be copied and changed. */
export function ValueDialog({ table, row, column, isStored, onSave, onClose }: ValueDialogProps) {
  const index = table.columns.indexOf(column);
  const cell = row.cells[index] ?? { text: null };
  const isCut = cell.isCut === true;
  const request = { schema: table.schema, table: table.name, key: row.key, column: column.name };
  const query = useRowValue(request, isCut && row.key.length > 0);
  const stored = cell.stored === undefined ? cell.text : cell.stored;
  const known = isCut && row.key.length > 0 ? query.data : { text: cell.text, stored, isCut };
  return (
    <Dialog title={`${column.name} (${shortType(column)})`} size="wide" onClose={onClose}>
      <QueryState query={{ ...query, data: known }} what="The value">
        {(value) => (
          <ValueEditor
            value={value}
            initial={(isStored ? value.stored : value.text) ?? ''}
            name={column.name}
            onSave={onSave}
            onClose={onClose}
          />
        )}
      </QueryState>
    </Dialog>
  );
}

interface ValueEditorProps extends Pick<ValueDialogProps, 'onSave' | 'onClose'> {
  readonly name: string;
  readonly initial: string;
  readonly value: { readonly text: string | null; readonly stored: string | null; readonly isCut: boolean };
}

function ValueEditor({ name, value, initial, onSave, onClose }: ValueEditorProps) {
  const [text, setText] = useState(initial);
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      await onSave?.(text, value.stored);
      onClose();
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  };
  return (
    <div className={styles.valueDialog}>
      {value.isCut && <Notice tone="warning">Only the beginning of this value is shown.</Notice>}
      {value.text === null && <p className={styles.null}>NULL</p>}
      {value.stored !== value.text && value.stored !== null && (
        <p className={styles.storedLine}>
          Stored as <code>{value.stored}</code>
        </p>
      )}
      <MultilineField
        label={name}
        rows={14}
        text={text}
        error={error === undefined ? undefined : valueErrorText(error)}
        onChange={onSave === undefined ? () => {} : setText}
      />
      <DialogActions>
        <CopyButton label="Copy value" text={text} />
        <Button onPress={onClose}>Close</Button>
        {onSave !== undefined && !value.isCut && (
          <Button
            variant="primary"
            icon={Save}
            isPending={isSaving}
            isDisabled={text === initial}
            onPress={() => void save()}
          >
            Save
          </Button>
        )}
      </DialogActions>
    </div>
  );
}
