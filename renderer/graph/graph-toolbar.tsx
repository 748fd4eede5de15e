import { Maximize, Minus, MoveHorizontal, MoveVertical, Plus } from 'lucide-react';
import { Panel, useReactFlow, useStore } from 'reactflow';
import { IconButton } from '../ui/controls/icon-button.tsx';
import styles from './graph.module.css';
import type { Direction } from './layout-input.ts';

interface GraphToolbarProps {
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
  readonly onFit: () => void;
}

const zoomMs = 150;

/** Zoom and direction of the graph. */
export function GraphToolbar({ direction, onDirection, onFit }: GraphToolbarProps) {
  const { zoomIn, zoomOut, zoomTo } = useReactFlow();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const isRight = direction === 'RIGHT';
  return (
    <Panel position="bottom-left" className={styles.toolbar}>
      <IconButton
        label="Zoom out"
        icon={Minus}
        size="small"
        onPress={() => void zoomOut({ duration: zoomMs })}
      />
      <button
        type="button"
        className={styles.percent}
        title="Zoom to 100 %"
        onClick={() => void zoomTo(1, { duration: zoomMs })}
      >
        {percent} %
      </button>
      <IconButton
        label="Zoom in"
        icon={Plus}
        size="small"
        onPress={() => void zoomIn({ duration: zoomMs })}
      />
      <IconButton label="Fit to view" icon={Maximize} size="small" onPress={onFit} />
      <IconButton
        label={isRight ? 'Draw from top to bottom' : 'Draw from left to right'}
        icon={isRight ? MoveVertical : MoveHorizontal}
        size="small"
        onPress={() => onDirection(isRight ? 'DOWN' : 'RIGHT')}
      />
    </Panel>
  );
}
