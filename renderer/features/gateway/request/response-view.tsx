import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { formatDuration } from '../../../format/duration.ts';
import { meaningOf } from '../../../format/http-status.ts';
import { BodyView } from '../../webhooks/exchange/body-view.tsx';
import { HeaderList } from '../../webhooks/exchange/header-list.tsx';
import styles from '../gateway.module.css';

/** The response: status, time, body and headers. */
export function ResponseView({ response }: { readonly response: OperationOutput<'gateway.request'> }) {
  const { status, tookMs, headers, body = '', isCut } = response;
  return (
    <section className={styles.response} aria-label="Response">
      <p className={styles.outcome} role="status" data-tone={status < 400 ? 'good' : 'bad'}>
        <b>{status}</b> {meaningOf(status)} <span className={styles.muted}>in {formatDuration(tookMs)}</span>
      </p>
      <BodyView
        title="Body"
        body={body}
        note={isCut ? 'Response truncated. Add limit= to the path.' : undefined}
      />
      <h3>Headers</h3>
      <HeaderList headers={headers} />
    </section>
  );
}
