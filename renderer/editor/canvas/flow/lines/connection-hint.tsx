import { useEffect, useRef } from 'react';
import { useConnection } from 'reactflow';
import type { OutlineDocument } from '../../../../../core/edit/outline.ts';
import { checkConnection } from '../../../../../core/edit/steps/wiring/check-connection.ts';
import type { CanvasGraph } from '../../model/canvas-graph.ts';
import styles from '../../canvas.module.css';

interface ConnectionHintProps {
  readonly graph: CanvasGraph;
  readonly document: OutlineDocument;
}

/** Hint at the pointer while a connection is drawn: why the step below cannot be its other end. */
export function ConnectionHint({ graph, document }: ConnectionHintProps) {
  const pair = useConnection((connection) => {
    if (!connection.inProgress || !connection.toNode) return undefined;
    const [from, to] = [connection.fromNode.id, connection.toNode.id];
    return JSON.stringify(connection.fromHandle.type === 'source' ? [from, to] : [to, from]);
  });
  const box = useRef<HTMLParagraphElement>(null);
  const reason =
    pair === undefined ? undefined : explain(graph, document, JSON.parse(pair) as [string, string]);
  useEffect(() => {
    const follow = ({ clientX, clientY }: PointerEvent | MouseEvent): void => {
      if (box.current) box.current.style.transform = `translate(${clientX + 14}px, ${clientY + 16}px)`;
    };
    window.addEventListener('pointermove', follow);
    return () => window.removeEventListener('pointermove', follow);
  }, []);
  return (
    <p ref={box} role="status" className={styles.hint} hidden={reason === undefined}>
      {reason}
    </p>
  );
}

function explain(
  graph: CanvasGraph,
  document: OutlineDocument,
  [from, to]: readonly [string, string],
): string | undefined {
  const [source, target] = [graph.byId.get(from), graph.byId.get(to)];
  return source && target && checkConnection(document, source.ref, target.ref)?.reason;
}
