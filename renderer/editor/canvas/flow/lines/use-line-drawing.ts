import { useMemo } from 'react';
import {
  useReactFlow,
  type Connection,
  type FinalConnectionState,
  type OnConnectStartParams,
} from 'reactflow';
import type { OutlineDocument } from '../../../../../core/edit/outline.ts';
import { checkConnection } from '../../../../../core/edit/steps/wiring/check-connection.ts';
import { cardSize } from '../../../../graph/layout/layout-input.ts';
import { useCanvasActions } from '../../commands/canvas-actions.ts';
import type { CanvasGraph } from '../../model/canvas-graph.ts';
import { listInvalidTargets } from '../../model/check-targets.ts';
import { useCanvasStore } from '../../state/canvas-store.ts';

type Pair = Pick<Connection, 'source' | 'target'>;

/** Draws a connection from one step to another by dragging. */
export function useConnectionDrag(graph: CanvasGraph, document: OutlineDocument) {
  const store = useCanvasStore();
  const actions = useCanvasActions();
  const { screenToFlowPosition } = useReactFlow();
  return useMemo(() => {
    const check = ({ source, target }: Pair) => {
      const [from, to] = [graph.byId.get(source), graph.byId.get(target)];
      return from && to && checkConnection(document, from.ref, to.ref);
    };
    return {
      isValidConnection: (pair: Pair) => check(pair) === undefined,
      onConnectStart(_event: unknown, { nodeId, handleType }: OnConnectStartParams) {
        if (nodeId === null || handleType === null) return;
        store.setState({
          notice: undefined,
          drawing: { end: handleType, invalidTargets: listInvalidTargets(graph, nodeId, handleType) },
        });
      },
      onConnect({ source, target }: Pair) {
        const [from, to] = [graph.byId.get(source), graph.byId.get(target)];
        if (from && to) actions.connect({ source: from.ref, target: to.ref });
      },
      onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
        store.setState({ drawing: undefined });
        const { fromNode, toNode, isValid, fromHandle } = state;
        if (!fromNode || isValid === true) return;
        const isFromSource = fromHandle?.type === 'source';
        if (toNode) {
          const [source, target] = isFromSource ? [fromNode.id, toNode.id] : [toNode.id, fromNode.id];
          const error = source === target ? undefined : check({ source, target });
          // The reason was shown at the pointer; the notice only adds the way out.
          if (error?.offer) actions.notify(error);
          return;
        }
        const at = pointOf(event);
        const { x, y } = screenToFlowPosition(at);
        const ref = graph.byId.get(fromNode.id)?.ref;
        const dropPosition = { x: isFromSource ? x : x - cardSize.width, y: y - cardSize.height / 2 };
        if (ref)
          store.setState({
            overlay: {
              kind: 'picker',
              target: { at, place: dropPosition, ...(isFromSource ? { after: ref } : { before: ref }) },
            },
          });
      },
    };
  }, [graph, document, store, actions, screenToFlowPosition]);
}

function pointOf(event: MouseEvent | TouchEvent) {
  const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event;
  return { x: clientX, y: clientY };
}
