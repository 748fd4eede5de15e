import { useQuery } from '@tanstack/react-query';
import { visibleText } from '../../../core/base/text.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { isFinal } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { nodeId } from '../../graph/build-graph.ts';
import type { StepAppearance } from '../../graph/step-card.tsx';
import { statusLabels } from '../../format/labels.ts';
import { StatusShape } from '../../ui/status.tsx';
import { useEditorCommands } from './editor-commands.ts';
import { useTestState } from './test-store.ts';
import styles from './run.module.css';

const peekLines = 2;
const pollIntervalMs = 1000;

interface OutputPeekProps {
  readonly step: NodeRef;
  /** `simple` has larger letters, for a card at medium zoom. */
  readonly size: 'near' | 'simple';
}

/** The last output lines of a step, below its card; opens the full log. */
export function OutputPeek({ step, size }: OutputPeekProps) {
  const appearance = useTestState(({ appearances }) => appearances.get(nodeId(step.section, step.name)));
  if (!appearance || appearance.attempts === 0) return null;
  return <Peek step={step} size={size} appearance={appearance} />;
}

function Peek({ step, size, appearance }: OutputPeekProps & { readonly appearance: StepAppearance }) {
  const lines = useLastLines(step, appearance);
  const { run } = useEditorCommands();
  if (lines.length === 0) return null;
  return (
    <button
      type="button"
      // The menu and a shortcut of the card do the same.
      tabIndex={-1}
      className={`${styles.peek} nodrag`}
      data-size={size}
      data-failed={appearance.status === 'failed' || undefined}
      aria-label={`Log of ${step.name}: ${lines.join(' ')}`}
      onClick={(event) => {
        event.stopPropagation();
        run.showLog(step);
      }}
    >
      {lines.map((line, index) => (
        <span key={`${index}:${line}`}>{line}</span>
      ))}
    </button>
  );
}

/** Returns the last lines of stdout, or of stderr for a failed step that wrote to it. */
function useLastLines({ section, name: step }: NodeRef, appearance: StepAppearance): readonly string[] {
  const bridge = useBridge();
  const ref = useTestState(({ test }) => test?.ref);
  const isOver = isFinal(appearance.status);
  const { data } = useQuery({
    queryKey: ['output-peek', ref, section, step, appearance.attempts, appearance.status],
    queryFn: async () => {
      const read = (stream: 'stdout' | 'stderr') =>
        bridge.call('logs.lines', { ...ref!, section, step, stream, from: -peekLines, count: peekLines });
      const errors = appearance.status === 'failed' ? await read('stderr') : undefined;
      return errors && errors.totalLines > 0 ? errors : read('stdout');
    },
    enabled: ref !== undefined,
    retry: false,
    refetchInterval: isOver ? false : pollIntervalMs,
    placeholderData: (before) => before,
  });
  return data?.lines.map((line) => visibleText(line).trimEnd()).filter((line) => line !== '') ?? [];
}

/** The status of a step in the shown run, for a row of a list. */
export function RowStatus({ step }: { readonly step: NodeRef }) {
  const status = useTestState(({ appearances }) => appearances.get(nodeId(step.section, step.name))?.status);
  const isEarlier = useTestState((state) => state.isEarlierText);
  if (!status) return null;
  const words = `${statusLabels[status]}${isEarlier ? ', from an earlier version' : ''}`;
  return (
    <span className={styles.rowStatus} data-earlier={isEarlier || undefined} title={words}>
      <StatusShape status={status} size={14} />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
