import { useQueryClient } from '@tanstack/react-query';
import { Play, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { type Sample, samples } from './sample-texts.ts';
import { openTour } from './tour-store.ts';
import styles from './tour.module.css';

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
