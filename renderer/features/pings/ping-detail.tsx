import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PingCheckView, PingView } from '../../../core/contract/pings.ts';
import { usePingAddress, usePingHistory, usePingMutation } from '../../api/expectation-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { formatDuration, formatFull } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/detail-list.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import table from '../../ui/list/list.module.css';
import { ScrollArea, TagList } from '../../ui/page.tsx';
import { QueryState } from '../../ui/state.tsx';
import { StatusShape } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { CopyButton, showToast } from '../../ui/toasts.tsx';
import { PingDialog, formatExpected, PingStatus } from './ping-dialog.tsx';
import styles from './pings.module.css';

interface PingDetailProps {
  readonly check: PingCheckView;
  /** Called with the name of the check to show after a change; undefined after its deletion. */
  readonly onChange: (name: string | undefined) => void;
}

/** One check: its status, its address, and its pings. */
export function PingDetail({ check, onChange }: PingDetailProps) {
  const { name, tags } = check;
  return (
    <ScrollArea className={styles.detail} role="region" aria-label={`Ping check ${name}`}>
      <header className={styles.head}>
        <h2>{name}</h2>
        <PingStatus status={check.status} />
        <TagList tags={tags} />
        <PingActions check={check} onChange={onChange} />
      </header>
      <dl className={styles.details}>
        <Fact name="Expected">{formatExpected(check)}</Fact>
        <Fact name="Last ping">
          {check.lastPingAt === undefined ? 'Never' : <RelativeTime iso={check.lastPingAt} />}
        </Fact>
        {check.expectedAt !== undefined && (
          <Fact name={check.status === 'running' ? 'Started' : 'Next ping'}>
            <RelativeTime iso={check.expectedAt} />
          </Fact>
        )}
        {check.missingAt !== undefined && (
          <Fact name="Missing from">
            <RelativeTime iso={check.missingAt} />
          </Fact>
        )}
      </dl>
      <PingAddress name={name} />
      <PingHistory name={name} />
    </ScrollArea>
  );
}

function PingActions({ check, onChange }: PingDetailProps) {
  const [asking, setAsking] = useState<'edit' | 'delete'>();
  const may = useCan('pings.update');
  const remove = usePingMutation('pings.delete');
  const { name } = check;
  const close = (): void => setAsking(undefined);
  const done = (): void => {
    onChange(undefined);
    showToast('info', `Ping check ${name} deleted.`);
    close();
  };
  return (
    <span className={styles.actions}>
      <Button size="small" icon={Pencil} unavailable={may.reason} onPress={() => setAsking('edit')}>
        Edit…
      </Button>
      <Button size="small" icon={Trash2} unavailable={may.reason} onPress={() => setAsking('delete')}>
        Delete…
      </Button>
      {asking === 'edit' && <PingDialog check={check} onDone={onChange} onClose={close} />}
      {asking === 'delete' && (
        <FormDialog
          title={`Delete ping check ${name}?`}
          submit={{ label: 'Delete check', icon: Trash2, isDanger: true, isPending: remove.isPending }}
          error={remove.error}
          onSubmit={() => remove.mutate({ name }, { onSuccess: done })}
          onClose={close}
        >
          <p>The URL stops working and the history is deleted. This cannot be undone.</p>
        </FormDialog>
      )}
    </span>
  );
}

/** The address, and a command line that pings it. */
function PingAddress({ name }: Pick<PingCheckView, 'name'>) {
  const may = useCan('pings.get');
  const address = usePingAddress(name, may.allowed);
  if (!may.allowed) return <p className={styles.note}>{may.reason}</p>;
  return (
    <QueryState query={address} what="The URL">
      {(url) => (
        <div className={styles.address}>
          <CopyLine label="URL" text={url} />
          <CopyLine
            label="End of the crontab line"
            text={`&& curl -fsS -m 10 --retry 5 -o /dev/null ${url}`}
          />
          <p className={styles.note}>
            Append <code>/start</code> when the job starts, and <code>/fail</code> or its exit code when it
            ends. The request body is stored as its log.
          </p>
        </div>
      )}
    </QueryState>
  );
}

const CopyLine = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div>
    <span className={styles.note}>{label}</span>
    <div className={styles.line}>
      <code>{text}</code>
      <CopyButton label={`Copy: ${label}`} text={text} />
    </div>
  </div>
);

function PingHistory({ name }: Pick<PingCheckView, 'name'>) {
  const history = usePingHistory(name);
  return (
    <section aria-label="History" className={styles.history}>
      <QueryState query={history} what="The pings">
        {(pings) =>
          pings.length === 0 ? (
            <p className={styles.note}>No pings yet. Request the URL to send the first one.</p>
          ) : (
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Ping</th>
                  <th scope="col">Took</th>
                  <th scope="col">Log</th>
                </tr>
              </thead>
              <tbody>
                {pings.map((ping) => (
                  <PingRow key={ping.id} ping={ping} />
                ))}
              </tbody>
            </table>
          )
        }
      </QueryState>
    </section>
  );
}

const kindShapes = { success: 'succeeded', start: 'running', fail: 'failed', missing: 'skipped' } as const;
const kindLabels = { success: 'Success', start: 'Started', fail: 'Failed', missing: 'Missing' } as const;

function PingRow({ ping }: { readonly ping: PingView }) {
  const { at, kind, exitCode, durationMs, body, method, address, userAgent } = ping;
  const source = [method, address, userAgent].filter((text) => text !== undefined).join(' · ');
  return (
    <tr title={source === '' ? undefined : source}>
      <td>{formatFull(at)}</td>
      <td>
        <span className={styles.status}>
          <StatusShape status={kindShapes[kind]} size={12} />
          {kindLabels[kind]}
          {exitCode !== undefined && ` (${exitCode})`}
        </span>
      </td>
      <td>{durationMs !== undefined && formatDuration(durationMs)}</td>
      <td>{body !== undefined && <PingLog body={body} />}</td>
    </tr>
  );
}

/** A log of one line as text; a longer one opens. */
function PingLog({ body }: { readonly body: string }) {
  const [first = '', ...more] = body.trimEnd().split('\n');
  if (more.length === 0) return <span dir="auto">{first}</span>;
  return (
    <details>
      <summary dir="auto">{first}</summary>
      <pre className={styles.log}>{body}</pre>
    </details>
  );
}
