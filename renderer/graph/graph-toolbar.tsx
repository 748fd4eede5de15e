import { Maximize, Minus, MoveHorizontal, MoveVertical, Plus } from 'lucide-react';
import { Panel, useReactFlow, useStore } from 'reactflow';
import { IconButton } from '../ui/controls/icon-button.tsx';
import styles from './graph.module.css';
import type { Direction } from './layout/layout-input.ts';

interface GraphToolbarProps {
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
  readonly onFit: () => void;
  /** Called when the user changes the zoom. */
  readonly onZoom: () => void;
}

const zoomMs = 150;

/** Zoom and direction of the graph. */
export function GraphToolbar({ direction, onDirection, onFit, onZoom }: GraphToolbarProps) {
  const { zoomIn, zoomOut, zoomTo } = useReactFlow();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const zoom = (change: (options: { duration: number }) => Promise<boolean>): void => {
    onZoom();
    void change({ duration: zoomMs });
  };
  const isRight = direction === 'RIGHT';
  return (
    <Panel position="bottom-left" className={styles.toolbar}>
      <IconButton label="Zoom out" icon={Minus} size="small" onPress={() => zoom(zoomOut)} />
      <button
        type="button"
        className={styles.percent}
        title="Zoom to 100 %"
        onClick={() => zoom((options) => zoomTo(1, options))}
      >
        {percent} %
      </button>
      <IconButton label="Zoom in" icon={Plus} size="small" onPress={() => zoom(zoomIn)} />
      <IconButton label="Fit to view" icon={Maximize} size="small" onPress={onFit} />
      <IconButton
        label={isRight ? 'Vertical layout' : 'Horizontal layout'}
        icon={isRight ? MoveVertical : MoveHorizontal}
        size="small"
        onPress={() => onDirection(isRight ? 'DOWN' : 'RIGHT')}
      />
    </Panel>
  );
}
