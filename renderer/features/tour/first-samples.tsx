import { useQueryClient } from '@tanstack/react-query';
import { Play, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/toasts.tsx';
import { openTour } from './tour.tsx';
import styles from './tour.module.css';

// This module loads only when there are no workflows, so the texts are not part of the initial load.
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
    name: 'hello',
    title: 'Hello',
    text: getTemplateText('first-steps'),
    words: 'Three steps with a parameter and an output used by the next step.',
  },
  {
    name: 'parallel-with-retry',
    title: 'Parallel steps with a retry',
    text: getTemplateText('parallel-with-retry'),
    words: 'Two parallel steps. One fails twice and is retried.',
  },
  {
    name: 'two-regions',
    title: 'Sub-workflows',
    text: getTemplateText('sub-workflows'),
    words: 'One workflow run for two regions, each as its own sub-run.',
  },
];

interface FirstSamplesProps {
  /** Links to create a workflow, next to the tour. */
  readonly children: React.ReactNode;
}

/** For a home directory without workflows: three samples to run with one click, and the tour. */
export function SampleWorkflows({ children }: FirstSamplesProps) {
  const { pending, run } = useRunSample();
  const mayCreate = useCan('dags.create');
  return (
    <>
      <div className={styles.samples}>
        {samples.map((sample) => (
          <section key={sample.name} className={styles.sample}>
            <div>
              <h3>{sample.title}</h3>
              <p>{sample.words}</p>
            </div>
            <Button
              icon={Play}
              isPending={pending === sample.name}
              unavailable={mayCreate.reason}
              aria-label={`Add and run: ${sample.title}`}
              onPress={() => run(sample)}
            >
              Run
            </Button>
          </section>
        ))}
      </div>
      <div className={styles.ways}>
        {children}
        <Button icon={Sparkles} onPress={openTour}>
          Take the tour
        </Button>
      </div>
    </>
  );
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
