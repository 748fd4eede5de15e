import { DatabaseZap } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useSystemInfo, useCheckDatabase, useStorage } from '../../api/system-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import { Fact } from '../../ui/detail-list.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './system.module.css';
import { formatBytes } from '../../../core/base/text.ts';

/** Disk usage of the home directory, health of its database, and maintenance. */
export function StoragePanel() {
  const storage = useStorage();
  return (
    <section className={styles.block} aria-label="Storage">
      <div className={styles.blockHead}>
        <h2>Storage</h2>
        <CheckButton />
      </div>
      <QueryState query={storage} what="The storage details">
        {(data) => <StorageDetails storage={data} />}
      </QueryState>
      <Maintenance />
    </section>
  );
}

function StorageDetails({ storage }: { readonly storage: OperationOutput<'system.storage'> }) {
  const { database, rows, disk, logsDir } = storage;
  const info = useSystemInfo().data;
  const count = (value: number): string => value.toLocaleString('en');
  return (
    <dl className={styles.storage}>
      <Fact name="Version">{info?.version ?? '–'}</Fact>
      <Fact name="Home">
        <code>{info?.home}</code>
      </Fact>
      <Fact name="Database">
        {databaseNames[database.kind]} {database.release} · latency {formatAnswer(database.answerMs)}
        {database.connectedAt !== undefined && (
          <>
            {' '}
            · connected <RelativeTime iso={database.connectedAt} />
          </>
        )}
      </Fact>
      <Fact name={database.kind === 'sqlite' ? 'File' : 'Server'}>
        <code>{database.file}</code>
      </Fact>
      <Fact name="Size">
        {formatBytes(database.bytes)}
        {database.freeBytes > 0 && `, ${formatBytes(database.freeBytes)} free`} · schema {database.version}
      </Fact>
      {database.kind === 'sqlite' && <Fact name="Write-ahead log">{formatBytes(database.logBytes)}</Fact>}
      <Fact name="Rows">
        {count(rows.runs)} runs · {count(rows.audit)} audit entries
      </Fact>
      <Fact name="Disk">
        {formatBytes(disk.freeBytes)} free of {formatBytes(disk.bytes)}
      </Fact>
      <Fact name="Logs">
        <code>{logsDir}</code>
      </Fact>
    </dl>
  );
}

const databaseNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** Two decimals are meaningful for a local database, but not for a remote server. */
const formatAnswer = (milliseconds: number): string =>
  `${milliseconds.toFixed(milliseconds < 1 ? 2 : milliseconds < 10 ? 1 : 0)} ms`;

function CheckButton() {
  const { mutate, isPending, data, error } = useCheckDatabase();
  const may = useCan('system.check');
  return (
    <>
      <Button
        size="small"
        icon={DatabaseZap}
        isPending={isPending}
        unavailable={may.reason}
        onPress={() => mutate()}
      >
        Check database
      </Button>
      {error !== null && <Notice tone="error">{toAppError(error).message}</Notice>}
      {data && (
        <span className={styles.result} role="status" data-bad={data.findings.length > 0 || undefined}>
          {data.findings.length === 0 ? `No problems (${data.milliseconds} ms)` : data.findings.join('; ')}
        </span>
      )}
    </>
  );
}

const commands = [
  { text: 'engine backup home.tar.gz', does: 'Back up the home while it is in use' },
  { text: 'engine cleanup WORKFLOW --keep 100', does: 'Delete old runs and their logs' },
  { text: 'engine check', does: 'Check database, files and references' },
] as const;

/** Maintenance commands to run on the machine itself. */
function Maintenance() {
  return (
    <ul className={styles.commands} aria-label="Maintenance commands">
      {commands.map(({ text, does }) => (
        <li key={text}>
          <code>{text}</code>
          <CopyButton label={`Copy ${text}`} text={text} />
          <span className={styles.note}>{does}</span>
        </li>
      ))}
    </ul>
  );
}
