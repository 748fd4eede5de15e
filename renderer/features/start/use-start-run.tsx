import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { RunRef } from '../../../core/model/run/run.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { paths } from '../../app/paths.ts';
import { showError } from '../../ui/overlay/show-error.ts';
import { StartDialog } from './start-dialog.tsx';

interface Question {
  readonly fileName: string;
  readonly name: string;
  readonly params: readonly Parameter[];
  readonly runConfig: RunConfig | undefined;
  readonly initial: readonly Parameter[];
  readonly checkFirst: boolean;
}

interface BeginOptions {
  /** Parameters of the run to repeat. */
  readonly initial?: readonly Parameter[];
  /** Starts with the defaults even if there are parameters. */
  readonly withoutAsking?: boolean;
  /** Opens the dialog with the dry run. */
  readonly checkFirst?: boolean;
  /** If no dialog is needed: queues the run instead of starting it. */
  readonly inQueue?: boolean;
}

/**
 * Starts a workflow: immediately without parameters, otherwise after asking for them. The new run is then
 * opened. The caller renders `dialog`.
 */
export function useStartRun() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [question, setQuestion] = useState<Question>();
  const [pending, setPending] = useState<string>();

  const show = (run: RunRef): void => {
    setQuestion(undefined);
    navigate(paths.run(run.name, run.dagRunId));
  };
  const begin = async (fileName: string, options: BeginOptions = {}) => {
    const { initial = [], withoutAsking = false, checkFirst = false, inQueue = false } = options;
    setPending(fileName);
    try {
      const { workflow } = await cache.fetchQuery({
        queryKey: queryKeys.dag(fileName),
        queryFn: () => bridge.call('dags.get', { fileName }),
      });
      if (workflow && (checkFirst || (workflow.params.length > 0 && !withoutAsking))) {
        const { name, params, runConfig } = workflow;
        setQuestion({ fileName, name, params, runConfig, initial, checkFirst });
      } else {
        show(await bridge.call(inQueue ? 'dags.enqueue' : 'dags.start', { fileName }));
      }
    } catch (error) {
      showError(error);
    } finally {
      setPending(undefined);
    }
  };
  const dialog = question && (
    <StartDialog {...question} onClose={() => setQuestion(undefined)} onStarted={show} />
  );
  return {
    begin: (fileName: string, options?: BeginOptions) => void begin(fileName, options),
    dialog,
    pending,
  };
}
