import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarDays, FileInput, PenLine, Play, Sparkles, type LucideIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { pluralize } from '../../../core/base/text.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useCan } from '../../api/session-queries.ts';
import { useSystemInfo } from '../../api/system-queries.ts';
import { useDag } from '../../api/workflow-queries.ts';
import { lazyComponent } from '../../base/lazy-component.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Term } from '../../ui/term.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useStartRun } from '../start/start-dialog.tsx';
import styles from './tour.module.css';
import { openTour } from './tour.tsx';

const GraphPreview = lazyComponent(async () => (await import('../../graph/graph-preview.tsx')).GraphPreview);

// This module loads only before the first run, so the texts are not part of the initial load.
const texts = import.meta.glob<string>(
  '../../../resources/templates/{first-steps,parallel-with-retry,sub-workflows}.yaml',
  { query: '?raw', import: 'default', eager: true },
);

const getTemplateText = (template: string): string =>
  texts[`../../../resources/templates/${template}.yaml`] ?? '';

/** A sample workflow without special requirements. */
interface Sample {
  /** File name without extension. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** Description of what it demonstrates. */
  readonly words: string;
}

const samples: readonly Sample[] = [
  {
    name: 'parallel-with-retry',
    title: 'Parallel steps with a retry',
    text: getTemplateText('parallel-with-retry'),
    words: 'Two parallel steps. One fails twice and is retried.',
  },
  {
    name: 'hello',
    title: 'Hello',
    text: getTemplateText('first-steps'),
    words: 'Three steps with a parameter and an output used by the next step.',
  },
  {
    name: 'two-regions',
    title: 'Sub-workflows',
    text: getTemplateText('sub-workflows'),
    words: 'One workflow run for two regions, each as its own sub-run.',
  },
];

/** The tag of the bundled workflows. */
const sampleTag = 'sample';

/** The dashboard before the first run: what Stepwright is, workflows to run, and next steps. */
export function FirstScreen({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const home = useSystemInfo().data?.home;
  return (
    <div className={styles.screen}>
      <div className={styles.pitch}>
        <h2>Welcome to Stepwright</h2>
        <p className={styles.lead}>
          Stepwright runs <Term name="workflow">workflows</Term> of <Term name="step">steps</Term>, such as
          commands, scripts and HTTP requests, on demand, on a schedule or on an event.
        </p>
        <p>
          Each <Term name="run">run</Term> keeps the status and log of every step.{' '}
          <Term name="queue">Queues</Term> limit how many are active at a time. All files are in your{' '}
          <Term name="home">home</Term>
          {home === undefined ? '.' : ': '}
          {home !== undefined && <code>{home}</code>}
        </p>
      </div>
      {dags.length === 0 ? <BundledSamples /> : <InstalledWorkflows dags={dags} />}
      <NextSteps />
    </div>
  );
}

/** For a home without workflows: samples that are added and run with one click. */
function BundledSamples() {
  const { pending, run } = useRunSample();
  const mayCreate = useCan('dags.create');
  return (
    <ul className={styles.offers} aria-label="Sample workflows">
      {samples.map((sample, index) => (
        <BundledSample
          key={sample.name}
          sample={sample}
          isFirst={index === 0}
          isPending={pending === sample.name}
          unavailable={mayCreate.reason}
          onRun={() => run(sample)}
        />
      ))}
    </ul>
  );
}

interface BundledSampleProps extends Pick<OfferProps, 'isFirst' | 'isPending' | 'unavailable' | 'onRun'> {
  readonly sample: Sample;
}

function BundledSample({ sample: { name, title, words, text }, ...rest }: BundledSampleProps) {
  const bridge = useBridge();
  const workflow = useQuery({
    queryKey: ['sample', name],
    queryFn: () => bridge.call('dags.validate', { spec: text, name }),
    staleTime: Infinity,
  }).data?.dag;
  return <Offer {...rest} title={title} words={words} workflow={workflow} label={`Add and run: ${title}`} />;
}

/** Saves the sample as a workflow, starts it and opens its run. */
function useRunSample() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [pending, setPending] = useState<string>();
  const run = async ({ name, text }: Sample): Promise<void> => {
    setPending(name);
    try {
      const { fileName } = await bridge.call('dags.create', { name, spec: text });
      const started = await bridge.call('dags.start', { fileName });
      void cache.invalidateQueries({ queryKey: queryKeys.dags });
      navigate(paths.run(started.name, started.dagRunId));
    } catch (error) {
      showError(error);
    } finally {
      setPending(undefined);
    }
  };
  return { pending, run: (sample: Sample) => void run(sample) };
}

/** Returns the bundled workflows, or else the first runnable ones; those with the largest graph first. */
function chooseOffers(dags: readonly DagSummaryView[]): readonly DagSummaryView[] {
  const able = dags.filter(({ valid }) => valid);
  const bundled = able.filter(({ tags }) => tags.includes(sampleTag));
  return (bundled.length > 0 ? bundled : able)
    .slice(0, samples.length)
    .toSorted((left, right) => right.stepCount - left.stepCount);
}

/** The workflows of a home without runs. */
function InstalledWorkflows({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const start = useStartRun();
  const mayStart = useCan('dags.start');
  return (
    <>
      <ul className={styles.offers} aria-label="Sample workflows">
        {chooseOffers(dags).map((dag, index) => (
          <InstalledWorkflow
            key={dag.fileName}
            dag={dag}
            isFirst={index === 0}
            isPending={start.pending === dag.fileName}
            unavailable={mayStart.reason}
            onRun={() => start.begin(dag.fileName)}
          />
        ))}
      </ul>
      {start.dialog}
    </>
  );
}

interface InstalledWorkflowProps extends Pick<OfferProps, 'isFirst' | 'isPending' | 'unavailable' | 'onRun'> {
  readonly dag: DagSummaryView;
}

function InstalledWorkflow({ dag: { fileName, name, description = '' }, ...rest }: InstalledWorkflowProps) {
  return (
    <Offer
      {...rest}
      title={name}
      href={paths.workflow(fileName)}
      words={description}
      workflow={useDag(fileName).data?.workflow}
      label={`Run ${name}`}
    />
  );
}

interface OfferProps {
  readonly title: string;
  readonly words: string;
  /** Undefined while loading. */
  readonly workflow: Workflow | undefined;
  /** Address of the workflow, if it exists already. */
  readonly href?: string;
  /** Accessible name of the button. */
  readonly label: string;
  readonly isFirst: boolean;
  readonly isPending: boolean;
  readonly unavailable: string | undefined;
  readonly onRun: () => void;
}

/** A workflow with its graph and a button to run it. */
function Offer({ title, words, workflow, href, label, isFirst, isPending, unavailable, onRun }: OfferProps) {
  return (
    <li className={styles.firstScreenOffer}>
      <div className={styles.words}>
        <h3>{href === undefined ? title : <Link href={href}>{title}</Link>}</h3>
        <p>{words}</p>
        <div className={styles.start}>
          <Button
            variant={isFirst ? 'primary' : 'secondary'}
            icon={Play}
            isPending={isPending}
            unavailable={unavailable}
            aria-label={label}
            onPress={onRun}
          >
            Run
          </Button>
          {workflow && <span>{pluralize(workflow.steps.length, 'step')}</span>}
        </div>
      </div>
      <div className={styles.graph}>
        <Suspense fallback={null}>{workflow && <GraphPreview workflow={workflow} />}</Suspense>
      </div>
    </li>
  );
}

interface NextStep {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly words: string;
  /** Default: the tour. */
  readonly href?: string;
}

const nextSteps: readonly NextStep[] = [
  {
    icon: PenLine,
    title: 'Create a workflow',
    words: 'Start from scratch, a template or a script.',
    href: paths.newWorkflow(),
  },
  {
    icon: FileInput,
    title: 'Import a crontab',
    words: 'Turn your cron jobs into workflows.',
    href: paths.newWorkflow('crontab'),
  },
  {
    icon: CalendarDays,
    title: 'Schedule a workflow',
    words: 'Run it every hour, day or week.',
    href: paths.schedule,
  },
  { icon: Sparkles, title: 'Take the tour', words: 'Five stops, less than a minute.' },
];

function NextSteps() {
  return (
    <section className={styles.next} aria-labelledby="next-steps">
      <h2 id="next-steps">Next steps</h2>
      <ul>
        {nextSteps.map(({ icon: Icon, title, words, href }) => (
          <li key={title}>
            <Icon size={16} aria-hidden="true" />
            <span>
              {href === undefined ? (
                <button type="button" onClick={openTour}>
                  {title}
                </button>
              ) : (
                <Link href={href}>{title}</Link>
              )}
              <small>{words}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
