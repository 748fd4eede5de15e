import { FileUp, Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { importTypes, type CsvOutline, type ImportType } from '../../../core/base/csv-columns.ts';
import type { GatewayTableView } from '../../../core/contract/gateway.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useGatewayCatalog, useReloadGateway, useReloadRows } from '../../api/gateway-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { errorText } from '../../format/error-text.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, NativeSelect } from '../../ui/choices.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { Notice } from '../../ui/state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import fields from '../../ui/fields.module.css';
import { writableColumns } from './cell.tsx';
import {
  chosenColumns,
  type ColumnChoice,
  type FileHead,
  readHead,
  readOutline,
  suggestColumns,
  suggestTable,
  type ImportState,
  type ImportTarget,
  useImport,
} from './import-file.ts';
import styles from './gateway.module.css';

const keyOf = ({ schema, name }: Pick<GatewayTableView, 'schema' | 'name'>): string => `${schema}.${name}`;

/** Opens the import of a CSV file. @param table the suggested target; a new table without it */
export function ImportButton({ table }: { readonly table?: GatewayTableView }) {
  const [isOpen, setOpen] = useState(false);
  const may = useCan('gateway.finishImport');
  return (
    <>
      <Button size="small" icon={FileUp} unavailable={may.reason} onPress={() => setOpen(true)}>
        {table === undefined ? 'New table from CSV…' : 'Import CSV…'}
      </Button>
      {isOpen && <ImportDialog table={table} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ImportDialogProps {
  readonly table: GatewayTableView | undefined;
  readonly onClose: () => void;
}

function ImportDialog({ table, onClose }: ImportDialogProps) {
  const [head, setHead] = useState<FileHead>();
  const [error, setError] = useState<unknown>();
  const choose = (file: File | undefined): void => {
    if (file === undefined) return;
    readHead(file).then(setHead, setError);
  };
  return (
    <Dialog title="Import CSV" size="wide" isSticky={head !== undefined} onClose={onClose}>
      <div className={styles.dialog}>
        {error !== undefined && <Notice tone="error">{errorText(error)}</Notice>}
        <label className={styles.file}>
          <Upload size={16} aria-hidden="true" />
          <span>{head === undefined ? 'Choose a CSV file, or drop it here' : head.file.name}</span>
          <input
            type="file"
            aria-label="CSV file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            onChange={(event) => choose(event.target.files?.[0])}
          />
        </label>
        {head !== undefined && (
          <ImportForm key={head.file.name} head={head} onHead={setHead} table={table} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

interface ImportFormProps extends ImportDialogProps {
  readonly head: FileHead;
  readonly onHead: (head: FileHead) => void;
}

const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
] as const;

/** The choices for a file, with its first rows, and the progress of the import. */
function ImportForm({ head, onHead, table, onClose }: ImportFormProps) {
  const catalog = useGatewayCatalog({ isEnabled: true }).data;
  const tables = (catalog?.tables ?? []).filter(({ isInsertable }) => isInsertable);
  const [targetKey, setTargetKey] = useState(table === undefined ? '' : keyOf(table));
  const target = tables.find((each) => keyOf(each) === targetKey);
  const [name, setName] = useState(() => suggestTable(head.file));
  const [hasHeader, setHasHeader] = useState<boolean>();
  const [edited, setEdited] = useState<readonly ColumnChoice[]>();
  const outline = useMemo(() => readOutline(head, hasHeader), [head, hasHeader]);
  const choices = edited ?? suggestColumns(outline, target);
  const schema = catalog?.schemas[0] ?? 'public';
  const done = useImported(target ?? { schema, name }, target === undefined, onClose);
  const { state, start, reset } = useImport(done);
  const request: ImportTarget =
    target === undefined
      ? { schema, table: name, isNew: true, key: 'id', columns: chosenColumns(choices, true) }
      : { schema: target.schema, table: target.name, columns: chosenColumns(choices, false) };
  const restart = (change: () => void): void => {
    change();
    setEdited(undefined);
    reset();
  };
  return (
    <>
      <ImportOptions
        {...{ head, tables, targetKey, name, outline }}
        onName={setName}
        onTarget={(key) => restart(() => setTargetKey(key))}
        onDelimiter={(delimiter) => restart(() => onHead({ ...head, delimiter }))}
        onHeader={(isHeader) => restart(() => setHasHeader(isHeader))}
      />
      <Preview
        outline={outline}
        choices={choices}
        table={target}
        onChange={(index, choice) => setEdited(choices.with(index, choice))}
      />
      <p className={styles.note}>
        {target === undefined && !choices.some(({ name: column }) => column === 'id')
          ? 'Empty values become NULL. A column id numbers the rows.'
          : 'Empty values become NULL.'}
      </p>
      <Outcome state={state} />
      <ImportActions
        state={state}
        isBlocked={request.columns.length === 0 || request.table === ''}
        onImport={(skipsBroken) => void start({ head, outline, target: request, skipsBroken })}
        onClose={onClose}
      />
    </>
  );
}

/** Returns a function that shows the table after an import. */
function useImported(
  target: Pick<GatewayTableView, 'schema' | 'name'>,
  isNew: boolean,
  onClose: () => void,
): (rows: number) => void {
  const [, change] = useQueryParams();
  const [reloadCatalog, reloadRows] = [useReloadGateway(), useReloadRows()];
  return (rows) => {
    showToast('info', `Imported ${pluralize(rows, 'row')} into ${target.name}.`);
    const show = (): void => change({ table: keyOf(target), part: undefined, view: undefined });
    if (isNew) reloadCatalog.mutate(undefined, { onSuccess: show });
    else void reloadRows().then(show);
    onClose();
  };
}

interface ImportActionsProps {
  readonly state: ImportState;
  readonly isBlocked: boolean;
  readonly onImport: (skipsBroken: boolean) => void;
  readonly onClose: () => void;
}

function ImportActions({ state: { kind }, isBlocked, onImport, onClose }: ImportActionsProps) {
  return (
    <DialogActions>
      <Button onPress={onClose}>Cancel</Button>
      {kind === 'broken' && (
        <Button icon={FileUp} onPress={() => onImport(true)}>
          Import without these lines
        </Button>
      )}
      <Button
        variant="primary"
        icon={FileUp}
        isPending={kind === 'sending' || kind === 'writing'}
        isDisabled={isBlocked}
        onPress={() => onImport(false)}
      >
        {kind === 'rejected' || kind === 'failed' ? 'Try again' : 'Import'}
      </Button>
    </DialogActions>
  );
}

interface ImportOptionsProps {
  readonly head: FileHead;
  readonly tables: readonly GatewayTableView[];
  /** Empty for a new table. */
  readonly targetKey: string;
  readonly name: string;
  readonly outline: CsvOutline;
  readonly onTarget: (key: string) => void;
  readonly onName: (name: string) => void;
  readonly onDelimiter: (delimiter: string) => void;
  readonly onHeader: (hasHeader: boolean) => void;
}

/** Target and format of the file. */
function ImportOptions(props: ImportOptionsProps) {
  const { head, tables, targetKey, name, outline, onTarget, onName, onDelimiter, onHeader } = props;
  return (
    <div className={styles.options}>
      <Field label="Import into">
        <NativeSelect isField value={targetKey} onChange={(event) => onTarget(event.target.value)}>
          <option value="">New table</option>
          {tables.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)}>
              {keyOf(each)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {targetKey === '' && <TextField label="Table name" value={name} onChange={onName} />}
      <Field label="Delimiter">
        <NativeSelect isField value={head.delimiter} onChange={(event) => onDelimiter(event.target.value)}>
          {delimiters.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Checkbox label="First line is a header" isSelected={outline.hasHeader} onChange={onHeader} />
    </div>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <label className={fields.field}>
      <span className={fields.label}>{label}</span>
      {children}
    </label>
  );
}

interface PreviewProps {
  readonly outline: CsvOutline;
  readonly choices: readonly ColumnChoice[];
  /** Absent for a new table. */
  readonly table: GatewayTableView | undefined;
  readonly onChange: (index: number, choice: ColumnChoice) => void;
}

const previewRows = 8;

/** The first rows, with the target of each column above it. */
function Preview({ outline, choices, table, onChange }: PreviewProps) {
  const { columns, rows, hasHeader } = outline;
  return (
    <ScrollArea className={styles.preview} aria-label="First rows">
      <table>
        <thead>
          <tr>
            {choices.map((choice, index) => {
              const title = hasHeader ? (columns[index]?.name ?? '') : `Column ${index + 1}`;
              return (
                <th key={index} scope="col">
                  {table === undefined ? (
                    <NewColumn title={title} choice={choice} onChange={(next) => onChange(index, next)} />
                  ) : (
                    <ExistingColumn
                      title={title}
                      table={table}
                      choice={choice}
                      onChange={(next) => onChange(index, next)}
                    />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, previewRows).map(({ line, values }) => (
            <tr key={line}>
              {choices.map(({ name }, index) => (
                <td key={index} data-skipped={name === '' || undefined} title={values[index]}>
                  {values[index] === '' ? <span className={styles.null}>NULL</span> : values[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface ColumnProps {
  readonly title: string;
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

function NewColumn({ title, choice, onChange }: ColumnProps) {
  const { name, type } = choice;
  return (
    <>
      <input
        aria-label={`Name of ${title}`}
        className={styles.columnName}
        value={name}
        placeholder="not imported"
        spellCheck="false"
        onChange={(event) => onChange({ name: event.target.value, type })}
      />
      <NativeSelect
        aria-label={`Type of ${title}`}
        value={type}
        onChange={(event) => onChange({ name, type: event.target.value as ImportType })}
      >
        {importTypes.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </NativeSelect>
    </>
  );
}

function ExistingColumn({
  title,
  table,
  choice,
  onChange,
}: ColumnProps & { readonly table: GatewayTableView }) {
  return (
    <>
      <span>{title}</span>
      <NativeSelect
        aria-label={`Target of ${title}`}
        value={choice.name}
        onChange={(event) => onChange({ ...choice, name: event.target.value })}
      >
        <option value="">Not imported</option>
        {writableColumns(table).map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </NativeSelect>
    </>
  );
}

/** Progress, or what went wrong. */
function Outcome({ state }: { readonly state: ImportState }) {
  if (state.kind === 'idle') return null;
  if (state.kind === 'sending' || state.kind === 'writing')
    return (
      <div role="status" className={styles.progress}>
        <span>{state.kind === 'sending' ? 'Sending the file…' : 'Writing the rows…'}</span>
        <progress aria-label="Import" {...(state.kind === 'sending' && { value: state.share })} />
      </div>
    );
  if (state.kind === 'failed') return <Notice tone="error">{errorText(state.error)}</Notice>;
  const [problems, count] =
    state.kind === 'broken'
      ? [state.totals.problems, state.totals.problemCount]
      : [state.errors, state.errors.length];
  return (
    <Notice tone="error">
      <p>
        {state.kind === 'broken'
          ? `${pluralize(count, 'broken line')}. Nothing was imported yet.`
          : `The database rejected ${count >= 100 ? '100 or more lines' : pluralize(count, 'line')}. Nothing was imported. Change the types or the file.`}
      </p>
      <ul className={styles.errors}>
        {problems.map(({ line, message }) => (
          <li key={line}>
            Line {line}: {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
