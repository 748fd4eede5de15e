import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { statusLabels } from '../../../format/status.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import { StatusShape } from '../../../ui/status/status-shape.tsx';
import { useTestState } from '../test-store.ts';
import styles from '../run.module.css';

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
