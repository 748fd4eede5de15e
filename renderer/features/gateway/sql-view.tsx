import { Download, History, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import type { GatewaySqlResult } from '../../../core/contract/gateway-tables.ts';
import type { OperationInput, OperationOutput } from '../../../core/contract/operations.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { toIso } from '../../../core/base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { useRunSql, useGatewayCatalog } from '../../api/gateway-queries.ts';
import { useCan, useMe } from '../../api/session-queries.ts';
import { formatDuration } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Select, Switch } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, Notice } from '../../ui/state.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { saveBlob } from '../log/download.ts';
import { type PastSql, useSqlHistory, formatCsv, SqlResultTable } from './sql-result.tsx';
import styles from './rows.module.css';

const timeouts = ['10', '30', '120', '600'] as const;
type Timeout = (typeof timeouts)[number];

const timeoutChoices = timeouts.map((value) => ({
  value,
  label: `Timeout ${Number(value) < 60 ? `${value} s` : `${Number(value) / 60} min`}`,
}));

/** Rows of a download; more are possible with COPY or in parts. */
const maxDownloadRows = 100_000;

/** SQL with its results. Ctrl+Enter runs it. */
export function SqlView() {
  const may = useCan('gateway.sql');
  const me = useMe();
  if (!may.allowed) return <Notice tone="info">{may.reason}</Notice>;
  return me.data === undefined ? null : <SqlEditor user={me.data.user?.username ?? me.data.name} />;
}

/** Runs SQL and adds it to the history. */
function useSqlRuns(user: string) {
  const history = useSqlHistory(user);
  const running = useRunSql();
  const catalog = useGatewayCatalog({ isEnabled: true });
  /** The last run, to which results and errors belong. */
  const [sent, setSent] = useState<OperationInput<'gateway.sql'>>();
  const run = (request: OperationInput<'gateway.sql'>, onError: (error: unknown) => void): void => {
    if (request.sql.trim() === '' || running.isPending) return;
    setSent(request);
    history.add(request.sql, toIso(systemClock.now()));
    running.mutate(request, {
      onError,
      onSuccess: () => request.isReadOnly === false && void catalog.refetch(),
    });
  };
  return { history, running, sent, run };
}

function SqlEditor({ user }: { readonly user: string }) {
  const { history, running, sent, run } = useSqlRuns(user);
  const [sql, setSql] = useState(history.entries[0]?.sql ?? '');
  const [isReadOnly, setReadOnly] = useState(true);
  const [timeout, setTimeoutSeconds] = useState<Timeout>('30');
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const area = (): HTMLTextAreaElement | null => box.current?.querySelector('textarea') ?? null;
  const start = (): void =>
    run({ sql, isReadOnly, timeout: Number(timeout) }, (error) => selectError(area(), sql, error));
  return (
    <div className={styles.sql}>
      {/* Ctrl+Enter in the text field runs the SQL. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={box}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          start();
        }}
      >
        <MultilineField label="SQL" rows={8} placeholder={example} text={sql} onChange={setSql} />
      </div>
      <div className={styles.sqlBar}>
        <Button
          variant="primary"
          icon={Play}
          isPending={running.isPending}
          isDisabled={sql.trim() === ''}
          onPress={start}
        >
          Run
        </Button>
        <kbd>Ctrl+Enter</kbd>
        <Switch label="Read-only" isSelected={isReadOnly} onChange={setReadOnly} />
        <Select label="Timeout" value={timeout} choices={timeoutChoices} onChange={setTimeoutSeconds} />
        <Button icon={History} onPress={() => setHistoryOpen(true)}>
          History
        </Button>
      </div>
      {!isReadOnly && <Notice tone="warning">{writeNote}</Notice>}
      {running.error !== null && <SqlError error={running.error} sql={sent?.sql ?? ''} />}
      {sent !== undefined && running.data !== undefined && (
        <SqlResults output={running.data} request={sent} />
      )}
      {isHistoryOpen && (
        <HistoryDialog
          entries={history.entries}
          onClear={history.clear}
          onChoose={(past) => {
            setSql(past);
            setHistoryOpen(false);
          }}
          onClose={() => setHistoryOpen(false)}
        />
      )}
    </div>
  );
}

const writeNote = 'Statements that write are committed together, if all of them succeed.';

const example = 'select * from orders limit 10';

interface SqlResultsProps {
  readonly output: OperationOutput<'gateway.sql'>;
  readonly request: OperationInput<'gateway.sql'>;
}

/** The result of each statement. */
function SqlResults({ output: { results, tookMs }, request }: SqlResultsProps) {
  const more = useRunSql();
  /** Reads more rows of a query; results of writes are downloaded as shown. */
  const readWhole = async (result: GatewaySqlResult, index: number): Promise<GatewaySqlResult> => {
    if (result.rows.length >= result.count) return result;
    const whole = { ...request, isReadOnly: true, maxRows: maxDownloadRows };
    return (await more.mutateAsync(whole)).results[index] ?? result;
  };
  const download = async (result: GatewaySqlResult, index: number): Promise<void> => {
    try {
      saveBlob(new Blob([formatCsv(await readWhole(result, index))], { type: 'text/csv' }), 'result.csv');
    } catch (error) {
      showError(error);
    }
  };
  return results.map((result, index) => (
    // Statements keep their order.
    <section key={index} className={styles.result} aria-label={`Result ${index + 1}`}>
      <header className={styles.resultHead}>
        <span role="status">
          {describeResult(result)}
          <span className={styles.took}> in {formatDuration(tookMs)}</span>
        </span>
        {result.columns.length > 0 && (
          <Button
            size="small"
            icon={Download}
            isPending={more.isPending}
            onPress={() => void download(result, index)}
          >
            Download CSV
          </Button>
        )}
      </header>
      {result.columns.length > 0 && <SqlResultTable result={result} label={`Rows of result ${index + 1}`} />}
    </section>
  ));
}

const formatCount = (count: number): string => count.toLocaleString('en');

function describeResult({ columns, rows, count, isCountCapped }: GatewaySqlResult): string {
  const all = `${formatCount(count)}${isCountCapped ? '+' : ''} ${count === 1 ? 'row' : 'rows'}`;
  if (columns.length === 0) return count === 0 ? 'Done' : `${all} affected`;
  return rows.length < count ? `First ${formatCount(rows.length)} of ${all}` : all;
}

interface ErrorPlace {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

function placeOf(error: unknown): ErrorPlace | undefined {
  const { position, line, column } = toAppError(error).details ?? {};
  return typeof position === 'number' && typeof line === 'number' && typeof column === 'number'
    ? { position, line, column }
    : undefined;
}

/** Selects the word at the position of an error. */
function selectError(area: HTMLTextAreaElement | null, sql: string, error: unknown): void {
  const place = placeOf(error);
  if (area === null || place === undefined) return;
  // PostgreSQL counts code points, JavaScript counts UTF-16 code units.
  const start = [...sql].slice(0, place.position - 1).join('').length;
  const [word = ''] = /^(\w+|\S)?/.exec(sql.slice(start)) ?? [];
  area.focus();
  area.setSelectionRange(start, start + word.length);
}

/** The error of PostgreSQL, with its line marked. */
function SqlError({ error, sql }: { readonly error: unknown; readonly sql: string }) {
  const { message, details = {} } = toAppError(error);
  const place = placeOf(error);
  const { detail, hint } = details;
  return (
    <Notice tone="error">
      <p>
        {place && `Line ${place.line}, column ${place.column}: `}
        {message}
      </p>
      {place && (
        <pre className={styles.place}>
          {`${sql.split('\n')[place.line - 1] ?? ''}\n${' '.repeat(place.column - 1)}^`}
        </pre>
      )}
      {typeof detail === 'string' && <p>{detail}</p>}
      {typeof hint === 'string' && <p>{hint}</p>}
    </Notice>
  );
}

interface HistoryDialogProps {
  readonly entries: readonly PastSql[];
  readonly onChoose: (sql: string) => void;
  readonly onClear: () => void;
  readonly onClose: () => void;
}

function HistoryDialog({ entries, onChoose, onClear, onClose }: HistoryDialogProps) {
  return (
    <Dialog title="SQL history" size="wide" onClose={onClose}>
      {entries.length === 0 ? (
        <EmptyState icon={History} title="No history">
          <p>SQL that you run is stored here, in this browser.</p>
        </EmptyState>
      ) : (
        <div className={styles.history}>
          <ul>
            {entries.map(({ sql, at }) => (
              <li key={sql}>
                <button type="button" onClick={() => onChoose(sql)}>
                  <code>{sql}</code>
                  <RelativeTime iso={at} />
                </button>
              </li>
            ))}
          </ul>
          <Button size="small" onPress={onClear}>
            Clear history
          </Button>
        </div>
      )}
    </Dialog>
  );
}
