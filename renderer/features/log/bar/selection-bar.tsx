import { Copy, Link2, X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import type { SelectedLines } from '../lines/line-choice.ts';
import styles from '../log.module.css';

interface SelectionBarProps {
  readonly chosen: SelectedLines;
  readonly onCopyLines: () => void;
  readonly onCopyReference: () => void;
  readonly onClear: () => void;
}

/** Actions on the selected lines. */
export function SelectionBar({ chosen, onCopyLines, onCopyReference, onClear }: SelectionBarProps) {
  const { from, to, stream } = chosen;
  const lines = from === to ? `Line ${from + 1}` : `Lines ${from + 1} to ${to + 1}`;
  return (
    <div className={styles.chosenBar}>
      <span>{stream === 'stderr' ? `${lines} of stderr` : lines}</span>
      <Button size="small" icon={Copy} onPress={onCopyLines}>
        {from === to ? 'Copy line' : 'Copy lines'}
      </Button>
      <Button size="small" icon={Link2} onPress={onCopyReference}>
        Copy reference
      </Button>
      <IconButton label="Clear selection" icon={X} size="small" onPress={onClear} />
    </div>
  );
}
