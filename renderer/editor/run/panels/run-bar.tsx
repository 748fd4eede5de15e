import { CircleAlert, ExternalLink, RotateCw, ScrollText, X } from 'lucide-react';
import { useNow } from '../../../app/clock.ts';
import { paths, withQuery } from '../../../app/paths.ts';
import { isActive } from '../../../format/status.ts';
import { isAsking } from '../../../format/asking.ts';
import { formatFull } from '../../../format/time.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { LinkButton } from '../../../ui/controls/link-button.tsx';
import { StatusShape } from '../../../ui/status/status-shape.tsx';
import { describeOutcome, findFailed } from '../model/run-outcome.ts';
import { describeScope, type TestRun } from '../model/test-run.ts';
import { useTestState } from '../test-store.ts';
import { useTestLoopContext } from '../use-test-loop.ts';
import styles from '../run.module.css';

/** The status and the actions of the run started here; renders nothing if there is none. */
export function RunBar() {
  const loop = useTestLoopContext();
  const error = useTestState((state) => state.startError);
  const test = useTestState((state) => state.test);
  if (error !== undefined)
    return (
      <section className={styles.bar} aria-label="Run" data-tone="refused">
        <CircleAlert size={16} aria-hidden="true" />
        <p role="alert" className={styles.outcome}>
          Run not started. {error}
        </p>
        <IconButton label="Clear" icon={X} size="small" onPress={loop.clear} />
      </section>
    );
  return test ? <ActiveRunBar test={test} /> : null;
}

function ActiveRunBar({ test }: { readonly test: TestRun }) {
  const loop = useTestLoopContext();
  const run = useTestState((state) => state.run);
  const isEarlier = useTestState((state) => state.isEarlierText);
  const isGoing = run === undefined || isActive(run);
  const now = useNow(isGoing);
  const failed = run && !isGoing ? findFailed(run) : undefined;
  const asking = run?.steps.find(isAsking);
  return (
    <section className={styles.bar} aria-label="Run" data-tone={run?.status}>
      <StatusShape status={run?.status ?? 'queued'} size={16} />
      <p className={styles.outcome}>
        <span role="status">{run && !isGoing ? describeOutcome(run, now) : ''}</span>
        {isGoing && <span>{run ? describeOutcome(run, now) : 'Starting'}</span>}
        <span className={styles.scope}> · {testStatusText(test)}</span>
        {isEarlier && <span className={styles.scope}> · from an earlier version</span>}
      </p>
      {failed && (
        <Button
          size="small"
          icon={ScrollText}
          onPress={() => loop.showLog({ section: failed.section, name: failed.name })}
        >
          Show log
        </Button>
      )}
      {!isGoing && (
        <Button size="small" icon={RotateCw} onPress={loop.runAgain}>
          Rerun
        </Button>
      )}
      <LinkButton
        href={withQuery(paths.run(test.ref.name, test.ref.dagRunId), { step: asking?.name })}
        icon={ExternalLink}
      >
        {asking === undefined ? 'Open run' : 'Open run to answer'}
      </LinkButton>
      {!isGoing && <IconButton label="Clear" icon={X} size="small" onPress={loop.clear} />}
    </section>
  );
}

/** Describes the steps that ran, and the source of a single step's inputs. */
function testStatusText({ scope, outputs }: TestRun): string {
  if (outputs === undefined) return describeScope(scope);
  const from =
    outputs === 'none'
      ? 'without outputs of earlier steps'
      : `with outputs from the run of ${formatFull(outputs.createdAt)}`;
  return `${describeScope(scope)}, ${from}`;
}
