import { Link } from 'wouter';
import { Inbox } from 'lucide-react';
import { pluralize } from '../../../core/base/text.ts';
import type { ReceivedDeliveryView, ReceiverView } from '../../../core/contract/receivers.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { InlineText } from '../../ui/detail-list.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useReceivedDelivery, useWebhookMutation, useReceivedDeliveries } from '../../api/webhook-queries.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/toasts.tsx';
import { EmptyState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import type { Column } from '../../ui/list/virtual-table.tsx';
import {
  type OutcomeTone,
  RequestSection,
  Outcome,
  RequestDialog,
  eventColumn,
  RequestTable,
  timeColumn,
} from './request-table.tsx';
import exchange from './webhooks.module.css';
import styles from './webhooks.module.css';
import { BodyView, HeaderList } from './message-table.tsx';

/** Describes the result of a request in a few words. */
function deliveryOutcome(delivery: ReceivedDeliveryView): {
  readonly tone: OutcomeTone;
  readonly children: string;
} {
  const { status, reason, runs, decisions } = delivery;
  if (status === 'refused') return { tone: 'bad', children: reason ?? 'Rejected' };
  if (status === 'duplicate') return { tone: 'quiet', children: 'Duplicate' };
  if (runs.length > 0) return { tone: 'good', children: `Started ${pluralize(runs.length, 'run')}` };
  if (decisions.some(({ outcome }) => outcome === 'pending'))
    return { tone: 'quiet', children: 'Starting a run' };
  if (decisions.length === 0) return { tone: 'quiet', children: 'No workflow uses this receiver' };
  return { tone: 'quiet', children: 'No runs started' };
}

type Decision = ReceivedDeliveryView['decisions'][number];

const outcomeLabels: Readonly<
  Record<Decision['outcome'], { readonly tone: OutcomeTone; readonly word: string }>
> = {
  started: { tone: 'good', word: 'Started' },
  pending: { tone: 'quiet', word: 'Will start' },
  replaced: { tone: 'quiet', word: 'Replaced by a later request' },
  refused: { tone: 'bad', word: 'Failed to start' },
  passed_over: { tone: 'quiet', word: 'Not matched' },
};

/** The result for each listening workflow, which answers why a request did not start it. */
function DecisionList({ detail }: { readonly detail: ReceivedDeliveryView }) {
  const { status, reason, decisions } = detail;
  return (
    <RequestSection title="Workflows">
      {decisions.length === 0 ? (
        <p className={exchange.note}>{whyNobody(status, reason)}</p>
      ) : (
        <ul className={exchange.decisions}>
          {decisions.map((decision) => (
            <DecisionLine key={`${decision.workflow} ${decision.trigger}`} decision={decision} />
          ))}
        </ul>
      )}
    </RequestSection>
  );
}

function DecisionLine({ decision }: { readonly decision: Decision }) {
  const { workflow, outcome, reason, run, dueAt } = decision;
  const { tone, word } = outcomeLabels[outcome];
  return (
    <li>
      <Outcome tone={tone}>{word}</Outcome>
      <span>
        <Link href={paths.workflow(workflow)}>{workflow}</Link>
        {run !== undefined && (
          <>
            : <Link href={paths.run(run.name, run.dagRunId)}>run</Link>
          </>
        )}
        {outcome === 'pending' && dueAt !== undefined && (
          <>
            , <RelativeTime iso={dueAt} />
          </>
        )}
        {reason !== undefined && (
          <span className={exchange.reason}>
            {' '}
            <InlineText text={reason} />
          </span>
        )}
      </span>
    </li>
  );
}

function whyNobody(status: ReceivedDeliveryView['status'], reason: string | undefined): string {
  if (status === 'refused') return reason ?? 'Request rejected.';
  if (status === 'duplicate') return 'Duplicate request. No run started.';
  return 'No workflow uses this receiver. Add "on: webhook:" to a workflow.';
}

interface ReceivedDialogProps {
  readonly receiverId: string;
  readonly id: string;
  /** Opens another delivery. */
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** One received request: its sender, its authentication, and what it started or why not. */
function ReceivedDialog({ receiverId, id, onOpen, onClose }: ReceivedDialogProps) {
  const delivery = useReceivedDelivery(receiverId, id);
  const replay = useWebhookMutation('receivers.replay');
  const again = (): void =>
    replay.mutate(
      { receiverId, id },
      {
        onSuccess: (made) => onOpen(made.id),
        onError: showError,
      },
    );
  return (
    <RequestDialog
      title={`Request ${id}`}
      what="This request"
      query={delivery}
      again={{
        label: 'Replay',
        operation: 'receivers.replay',
        isPending: replay.isPending,
        run: again,
      }}
      onClose={onClose}
    >
      {(detail) => <Exchange detail={detail} onOpen={onOpen} />}
    </RequestDialog>
  );
}

interface ExchangeProps {
  readonly detail: OperationOutput<'receivers.delivery'>;
  readonly onOpen: (id: string) => void;
}

const verificationLabels: Readonly<Record<string, string>> = {
  sha256: 'SHA-256 signature',
  sha1: 'SHA-1 signature',
  standard: 'Standard Webhooks signature',
  bearer: 'bearer token',
  slack: 'Slack signature',
  stripe: 'Stripe signature',
  gitlab: 'GitLab token',
  microsoft: 'client state of Microsoft Graph',
  basic: 'basic authentication',
  header: 'header',
};

function Exchange({ detail, onOpen }: ExchangeProps) {
  const { receivedAt, method, address, verified, proof, duplicateOf, replayOf, headers, body, isCut } =
    detail;
  const former = duplicateOf ?? replayOf;
  return (
    <>
      <div className={styles.exchangeFacts}>
        <Outcome {...deliveryOutcome(detail)} /> · {method} received <RelativeTime iso={receivedAt} />
        {address !== undefined && ` from ${address}`}.{' '}
        {verified && proof !== undefined && `Verified by ${verificationLabels[proof] ?? proof}.`}{' '}
        {former !== undefined && (
          <Button variant="quiet" size="small" onPress={() => onOpen(former)}>
            {duplicateOf === undefined ? 'Original request' : 'First request'}
          </Button>
        )}
      </div>
      <DecisionList detail={detail} />
      <RequestSection title="Headers">
        <HeaderList headers={headers} />
      </RequestSection>
      {body !== undefined && <BodyView title="Body" body={body} note={isCut ? 'Truncated.' : undefined} />}
    </>
  );
}

interface ReceivedTableProps {
  readonly receiver: ReceiverView;
  readonly filter: { readonly verified?: boolean };
}

/** The deliveries to a receiver, newest first; each row opens one. */
export function ReceivedTable({ receiver, filter }: ReceivedTableProps) {
  const received = useReceivedDeliveries(receiver.id, filter);
  const [query, change] = useQueryParams();
  const open = query.get('received');
  return (
    <>
      <RequestTable
        label="Received requests"
        what="The received requests"
        query={received}
        empty={
          <EmptyState icon={Inbox} title="No requests yet">
            <p>Configure the URL and the secret in the sending service.</p>
          </EmptyState>
        }
        columns={columns}
        getKey={getKey}
        getName={getName}
        onOpen={({ id }) => change({ received: id })}
      />
      {open !== null && (
        <ReceivedDialog
          receiverId={receiver.id}
          id={open}
          onOpen={(id) => change({ received: id })}
          onClose={() => change({ received: undefined })}
        />
      )}
    </>
  );
}

const getKey = ({ id }: ReceivedDeliveryView): string => id;
const getName = ({ event, id }: ReceivedDeliveryView): string => `${event ?? 'request'} ${id}`;

const columns: readonly Column<ReceivedDeliveryView>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '34%',
    cell: (delivery) => <Outcome {...deliveryOutcome(delivery)} />,
  },
  eventColumn,
  {
    id: 'runs',
    header: 'Runs',
    width: '24%',
    cell: ({ runs }) =>
      runs.length === 0 ? (
        <span className={table.faint}>None</span>
      ) : (
        <span className={styles.runs}>
          {runs.map(({ name, dagRunId }) => (
            <Link key={`${name}/${dagRunId}`} href={paths.run(name, dagRunId)} className={styles.cut}>
              {name}
            </Link>
          ))}
        </span>
      ),
  },
  timeColumn(({ receivedAt }) => receivedAt),
];
