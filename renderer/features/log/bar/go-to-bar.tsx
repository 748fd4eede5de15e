import { CornerDownRight, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { readTimeZone } from '../../../format/time-formats.ts';
import { parseGoToTarget, type GoToTarget } from './read-goal.ts';
import styles from '../log.module.css';

interface GoToBarProps {
  readonly startedAt: number | undefined;
  readonly onGo: (goal: GoToTarget) => void;
  readonly onClose: () => void;
}

/** Asks for a line or a time to go to. */
export function GoToBar({ startedAt, onGo, onClose }: GoToBarProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const go = (): void => {
    const goal = parseGoToTarget(text, startedAt, readTimeZone());
    setWrong(goal === undefined);
    if (goal) onGo(goal);
  };
  return (
    <form
      className={styles.searchBar}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <CornerDownRight size={14} aria-hidden="true" />
      <input
        autoFocus
        aria-label="Line or time"
        aria-invalid={isWrong || undefined}
        placeholder="1200, 14:03:05, +90s"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
      />
      <span className={styles.searchState} role="status" data-error={isWrong ? '' : undefined}>
        {isWrong ? 'Enter a line (1200), a time (14:03:05) or an offset (+90s)' : ''}
      </span>
      <Button size="small" type="submit" isDisabled={text.trim() === ''}>
        Go
      </Button>
      <IconButton label="Close" icon={X} size="small" onPress={onClose} />
    </form>
  );
}
