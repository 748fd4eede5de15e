import { CalendarDays, PenLine, Play, Sparkles } from 'lucide-react';
import { Link } from 'wouter';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useStartRun } from '../start/use-start-run.tsx';
import { openTour } from '../tour/tour-store.ts';
import { NextList } from './next-list.tsx';
import { Section } from './section.tsx';
import styles from './first-view.module.css';

const maxOfferedWorkflows = 3;
/** The tag of the bundled workflows. */
const sampleTag = 'sample';

/** The dashboard before the first run: workflows to run, and next steps. */
export function GettingStarted({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const start = useStartRun();
  const mayStart = useCan('dags.start');
  const offered = offeredWorkflows(dags);
  return (
    <div className={styles.scroll}>
      <div className={styles.head}>
        <h2>No runs yet</h2>
        <p>Run a sample to get started. Your running, queued and failed workflows will appear here.</p>
      </div>
      <ul className={styles.cards} aria-label="Sample workflows">
        {offered.map(({ fileName, name, description, stepCount }) => (
          <li key={fileName} className={styles.card}>
            <Link href={paths.workflow(fileName)} className={styles.name}>
              {name}
            </Link>
            <p>{description ?? ''}</p>
            <div className={styles.cardFoot}>
              <span>{pluralize(stepCount, 'step')}</span>
              <Button
                icon={Play}
                isPending={start.pending === fileName}
                unavailable={mayStart.reason}
                aria-label={`Run ${name}`}
                onPress={() => start.begin(fileName)}
              >
                Run
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <div className={styles.columns}>
        <NextSteps />
        {dags.some(({ nextRun }) => nextRun !== undefined) && <NextList dags={dags} />}
      </div>
      {start.dialog}
    </div>
  );
}

/** Returns the bundled workflows, or else the first runnable ones. */
function offeredWorkflows(dags: readonly DagSummaryView[]): readonly DagSummaryView[] {
  const able = dags.filter(({ valid }) => valid);
  const samples = able.filter(({ tags }) => tags.includes(sampleTag));
  return (samples.length > 0 ? samples : able).slice(0, maxOfferedWorkflows);
}

function NextSteps() {
  return (
    <Section title="Next steps">
      <ul className={styles.ways}>
        <li>
          <PenLine size={16} aria-hidden="true" />
          <span>
            <Link href={paths.newWorkflow()}>Create a workflow</Link>
            <span>Start from scratch, a template, a script, a Makefile or a crontab.</span>
          </span>
        </li>
        <li>
          <CalendarDays size={16} aria-hidden="true" />
          <span>
            <Link href={paths.schedule}>Schedule a workflow</Link>
            <span>Run it automatically with cron.</span>
          </span>
        </li>
        <li>
          <Sparkles size={16} aria-hidden="true" />
          <span>
            <button type="button" className={styles.asLink} onClick={openTour}>
              Take the tour
            </button>
            <span>Four steps, less than a minute.</span>
          </span>
        </li>
      </ul>
    </Section>
  );
}
