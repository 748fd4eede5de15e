import { Link } from 'wouter';
import { useState } from 'react';
import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { paths } from '../../../app/paths.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { DetailList } from '../../../ui/layout/detail-list.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import styles from '../webhooks.module.css';
import { ReceiverReachabilityNotice } from './reach-notice.tsx';
import { ReceivedTable } from './received-table.tsx';
import { ReceiverActions } from './receiver-actions.tsx';
import { schemeLabels } from './scheme-labels.ts';

const signatureFilterOptions = [
  { value: 'all', label: 'All' },
  { value: 'verified', label: 'Verified' },
  { value: 'refused', label: 'Rejected' },
] as const;
type DeliveryFilter = (typeof signatureFilterOptions)[number]['value'];

/** One receiver: its address, its listening workflows, and its deliveries. */
export function ReceiverDetail({ receiver }: { readonly receiver: ReceiverView }) {
  const [shown, setShown] = useState<DeliveryFilter>('all');
  return (
    <section className={styles.detail} aria-label={`Receiver ${receiver.name}`}>
      <header className={styles.detailHead}>
        <div className={styles.detailTitle}>
          <h2>{receiver.name}</h2>
          <span className={`${styles.facts} ${styles.address}`}>
            <code>{receiver.url}</code>
            <CopyButton label="Copy URL" text={receiver.url} />
          </span>
          <ReceiverDetails receiver={receiver} />
        </div>
        <div className={styles.detailActions}>
          <ReceiverActions receiver={receiver} />
        </div>
      </header>
      <ReceiverReachabilityNotice />
      {!receiver.active && <Notice tone="info">This receiver is disabled. Requests are rejected.</Notice>}
      <div className={styles.bar}>
        <Segmented label="Filter" value={shown} choices={signatureFilterOptions} onChange={setShown} />
      </div>
      <ReceivedTable receiver={receiver} filter={shown === 'all' ? {} : { verified: shown === 'verified' }} />
    </section>
  );
}

function ReceiverDetails({ receiver }: { readonly receiver: ReceiverView }) {
  const { scheme, secrets, allowSha1, workflows } = receiver;
  const former = secrets.find(({ until }) => until !== undefined)?.until;
  return (
    <div className={styles.facts}>
      <DetailList>
        <span>{schemeLabels[scheme].label}</span>
        {allowSha1 && <span>SHA-1 accepted</span>}
        {former !== undefined && (
          <span>
            previous secret valid until <RelativeTime iso={former} />
          </span>
        )}
        {workflows.length === 0 ? (
          <span>no workflows</span>
        ) : (
          <span className={styles.runs}>
            {' '}
            triggers{' '}
            {workflows.map((fileName) => (
              <Link key={fileName} href={paths.workflow(fileName)}>
                {fileName}
              </Link>
            ))}
          </span>
        )}
      </DetailList>
    </div>
  );
}
