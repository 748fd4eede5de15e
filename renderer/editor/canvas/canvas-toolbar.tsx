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
  type LucideIcon,
} from 'lucide-react';
import { Panel, useStore } from 'reactflow';
import graphStyles from '../../graph/graph.module.css';
import type { Direction } from '../../graph/compute-layout.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCanvasActions } from './canvas-actions.ts';
import { shownKeyOf, type CanvasCommand } from './canvas-keys.ts';
import styles from './canvas.module.css';

interface CommandButtonProps {
  readonly command: CanvasCommand;
  readonly label: string;
  readonly text?: string;
  readonly icon: LucideIcon;
}

/** A button of the toolbar that runs a command which also has a key. */
function CommandButton({ command, ...rest }: CommandButtonProps) {
  const { run } = useCanvasActions();
  return <IconButton {...rest} keys={shownKeyOf(command)} size="small" onPress={() => run(command)} />;
}

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
      <span className={styles.paletteButton}>
        <IconButton
          label="Add step"
          text="Add step"
          icon={SquarePlus}
          size="small"
          pressed={isPaletteOpen}
          onPress={onPalette}
        />
      </span>
      <CommandButton command="zoomOut" label="Zoom out" icon={Minus} />
      <button
        type="button"
        className={graphStyles.percent}
        title={`Zoom to 100% (${shownKeyOf('actualSize')})`}
        onClick={() => run('actualSize')}
      >
        {percent}%
      </button>
      <CommandButton command="zoomIn" label="Zoom in" icon={Plus} />
      <CommandButton command="fit" label="Fit to view" text="Fit" icon={Maximize} />
      <CommandButton command="layOut" label="Auto-layout" text="Auto-layout" icon={LayoutTemplate} />
      <IconButton
        label={isRight ? 'Vertical layout' : 'Horizontal layout'}
        text={isRight ? 'Vertical' : 'Horizontal'}
        icon={isRight ? MoveVertical : MoveHorizontal}
        size="small"
        onPress={() => onDirection(isRight ? 'DOWN' : 'RIGHT')}
      />
      <CommandButton command="search" label="Search graph" text="Search" icon={Search} />
      <span className={styles.wideOnly}>
        <CommandButton command="keys" label="Keyboard shortcuts" icon={Keyboard} />
      </span>
    </Panel>
  );
}

/** The empty state of the canvas. Its button takes the focus of a page that has just opened. */
export function EmptyCanvas({ isPaletteOpen }: { readonly isPaletteOpen: boolean }) {
  const { run } = useCanvasActions();
  return (
    <div className={styles.empty}>
      <h2>No steps yet</h2>
      <p>
        {isPaletteOpen
          ? 'Drag a step from the palette, or double-click the canvas.'
          : 'Or double-click the canvas.'}
        <br />
        Press <kbd>{shownKeyOf('add')}</kbd> on a step to add the next one.
      </p>
      <Button
        variant="primary"
        icon={Plus}
        autoFocus={document.activeElement === document.body}
        onPress={() => run('add')}
      >
        Add first step
      </Button>
    </div>
  );
}
