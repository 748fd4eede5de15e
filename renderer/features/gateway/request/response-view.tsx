import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { formatDuration } from '../../../format/duration.ts';
import { BodyView } from '../../webhooks/exchange/body-view.tsx';
import { HeaderList } from '../../webhooks/exchange/header-list.tsx';
import styles from '../gateway.module.css';

/** What came back: status, time, body and headers. */
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
        note={
          isCut ? 'This is its beginning: a client would get the whole. Add limit= to the path.' : undefined
        }
      />
      <h3>Headers</h3>
      <HeaderList headers={headers} />
    </section>
  );
}

const meanings: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  206: 'Partial Content',
  300: 'Multiple Choices',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Content Too Large',
  416: 'Range Not Satisfiable',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

const meaningOf = (status: number): string => meanings[status] ?? '';
