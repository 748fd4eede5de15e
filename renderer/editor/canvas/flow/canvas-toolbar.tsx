import {
  Keyboard,
  LayoutTemplate,
  Maximize,
  Minus,
  MoveHorizontal,
  MoveVertical,
  Plus,
  Search,
  SquarePlus,
} from 'lucide-react';
import { Panel, useStore } from 'reactflow';
import graphStyles from '../../../graph/graph.module.css';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useCanvasActions } from '../commands/canvas-actions.ts';

interface CanvasToolbarProps {
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
  readonly isPaletteOpen: boolean;
  readonly onPalette: () => void;
}

/** Toolbar with zoom, layout and other actions on the whole canvas. */
export function CanvasToolbar({ direction, onDirection, isPaletteOpen, onPalette }: CanvasToolbarProps) {
  const { run } = useCanvasActions();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const isRight = direction === 'RIGHT';
  return (
    <Panel position="bottom-left" className={graphStyles.toolbar}>
      <IconButton
        label="Add step"
        icon={SquarePlus}
        size="small"
        pressed={isPaletteOpen}
        onPress={onPalette}
      />
      <IconButton label="Zoom out" icon={Minus} size="small" onPress={() => run('zoomOut')} />
      <button
        type="button"
        className={graphStyles.percent}
        title="Zoom to 100 %"
        onClick={() => run('actualSize')}
      >
        {percent} %
      </button>
      <IconButton label="Zoom in" icon={Plus} size="small" onPress={() => run('zoomIn')} />
      <IconButton label="Fit to view" icon={Maximize} size="small" onPress={() => run('fit')} />
      <IconButton label="Auto-layout" icon={LayoutTemplate} size="small" onPress={() => run('layOut')} />
      <IconButton
        label={isRight ? 'Vertical layout' : 'Horizontal layout'}
        icon={isRight ? MoveVertical : MoveHorizontal}
        size="small"
        onPress={() => onDirection(isRight ? 'DOWN' : 'RIGHT')}
      />
      <IconButton label="Search graph" icon={Search} size="small" onPress={() => run('search')} />
      <IconButton label="Keyboard shortcuts" icon={Keyboard} size="small" onPress={() => run('keys')} />
    </Panel>
  );
}
