import { Link } from 'wouter';
import type { ReceivedDeliveryView } from '../../../../core/contract/webhooks/receivers.ts';
import { paths } from '../../../app/paths.ts';
import { InlineText } from '../../../ui/text/words.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { RequestSection } from '../exchange/exchange-dialog.tsx';
import exchange from '../exchange/exchange.module.css';
import { Outcome, type OutcomeTone } from '../exchange/outcome.tsx';
import styles from './decision-list.module.css';

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
export function DecisionList({ detail }: { readonly detail: ReceivedDeliveryView }) {
  const { status, reason, decisions } = detail;
  return (
    <RequestSection title="Workflows">
      {decisions.length === 0 ? (
        <p className={exchange.note}>{whyNobody(status, reason)}</p>
      ) : (
        <ul className={styles.decisions}>
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
            , not before <RelativeTime iso={dueAt} />
          </>
        )}
        {reason !== undefined && (
          <span className={styles.reason}>
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
