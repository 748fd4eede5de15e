import { Clock3, Ellipsis, Maximize2, Minimize2, Search, WrapText, CornerDownRight } from 'lucide-react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ActionMenu, type MenuAction } from '../../../ui/overlay/menu.tsx';
import { setLogOptions, useLogOptions, type TimestampMode } from '../use-log-options.ts';
import styles from '../log.module.css';

interface LogBarProps {
  /** Path from the run to the step, shown where the context does not name the log. */
  readonly whose: readonly string[];
  /** The attempt and stream selectors. */
  readonly controls: React.ReactNode;
  readonly state: string;
  readonly isFull: boolean;
  readonly actions: readonly MenuAction[];
  readonly onSearch: () => void;
  readonly onGo: () => void;
  readonly onFull: () => void;
}

const nextTimes: Record<TimestampMode, TimestampMode> = {
  none: 'relative',
  relative: 'absolute',
  absolute: 'none',
};
const timesLabels: Record<TimestampMode, string> = {
  none: 'Show elapsed times',
  relative: 'Show timestamps',
  absolute: 'Hide timestamps',
};

/** The toolbar above a log. */
export function LogBar({ whose, controls, state, isFull, actions, onSearch, onGo, onFull }: LogBarProps) {
  const { wrap, times } = useLogOptions();
  return (
    <div className={styles.bar}>
      {isFull && <b className={styles.whose}>{whose.join(' › ')}</b>}
      {controls}
      <span className={styles.size} role="status">
        {state}
      </span>
      <span className={styles.tools}>
        <IconButton label="Search (Ctrl+F)" icon={Search} size="small" onPress={onSearch} />
        <IconButton label="Go to line or time" icon={CornerDownRight} size="small" onPress={onGo} />
        <IconButton
          label={timesLabels[times]}
          icon={Clock3}
          size="small"
          pressed={times !== 'none'}
          onPress={() => setLogOptions({ times: nextTimes[times] })}
        />
        <IconButton
          label="Wrap lines"
          icon={WrapText}
          size="small"
          pressed={wrap}
          onPress={() => setLogOptions({ wrap: !wrap })}
        />
        <IconButton
          label={isFull ? 'Exit full screen' : 'Full screen'}
          icon={isFull ? Minimize2 : Maximize2}
          size="small"
          onPress={onFull}
        />
        <ActionMenu label="More log actions" actions={actions}>
          <IconButton label="More log actions" icon={Ellipsis} size="small" />
        </ActionMenu>
      </span>
    </div>
  );
}
