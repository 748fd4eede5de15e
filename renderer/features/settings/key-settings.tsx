import { RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Dispose } from '../../../core/base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import {
  type Binding,
  setKeyBinding,
  keysForBinding,
  resetKeys,
  formatChord,
  useBindings,
} from '../../navigation/key-bindings.ts';
import { usePreferences } from '../../base/preferences.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { KeyCaps } from '../../ui/detail-list.tsx';
import { SettingRow, SettingSection } from './setting-row.tsx';
import styles from './settings.module.css';

/** Time to wait for the second key of a sequence. */
const settleMs = 1_000;

/** The keyboard shortcuts, each of which can be changed. */
export function KeySettings() {
  const chosen = usePreferences((state) => state.keys);
  const bindings = useBindings();
  const [error, setError] = useState<string>();
  const reset = (
    <Button
      size="small"
      icon={RotateCcw}
      isDisabled={Object.keys(chosen).length === 0}
      onPress={() => resetKeys()}
    >
      Reset all shortcuts
    </Button>
  );
  return (
    <SettingSection title="Keyboard shortcuts" action={reset}>
      <p className={styles.keysHelp} role="status">
        {error ?? 'Click a shortcut, then press the new keys.'}
      </p>
      {bindings
        .filter(({ isFixed }) => !isFixed)
        .map((binding) => (
          <KeyRow
            key={binding.id}
            binding={binding}
            isCustom={chosen[binding.id] !== undefined}
            keys={keysForBinding(binding, chosen)}
            onError={setError}
          />
        ))}
    </SettingSection>
  );
}

interface KeyRowProps {
  readonly binding: Binding;
  readonly keys: readonly string[];
  /** Whether they differ from the default. */
  readonly isCustom: boolean;
  readonly onError: (error: string | undefined) => void;
}

function KeyRow({ binding, keys, isCustom, onError }: KeyRowProps) {
  const { id, group, words } = binding;
  const name = group === 'Go to' ? `Go to ${words}` : words;
  const { isListening, start, stop, take } = useKeyCapture((sequence) =>
    onError(setKeyBinding(id, sequence)),
  );
  return (
    <SettingRow label={name}>
      <span className={styles.keyCell}>
        {isCustom && (
          <IconButton
            label={`Reset shortcut: ${name}`}
            icon={RotateCcw}
            size="small"
            onPress={() => resetKeys(id)}
          />
        )}
        <button
          type="button"
          className={styles.keyButton}
          aria-pressed={isListening}
          onClick={start}
          onBlur={stop}
          onKeyDownCapture={take}
        >
          <span className="visually-hidden">Change shortcut: {name} </span>
          {isListening ? 'Press keys' : keys.map((each) => <KeyCaps key={each} keys={each} />)}
        </button>
      </span>
    </SettingRow>
  );
}

/** Records one chord, or a sequence of two; Escape cancels. */
function useKeyCapture(onTaken: (sequence: string) => void) {
  const [isListening, setListening] = useState(false);
  const first = useRef<string>(undefined);
  const timer = useRef<Dispose>(undefined);
  const stop = (): void => {
    timer.current?.();
    first.current = undefined;
    setListening(false);
  };
  useEffect(() => () => timer.current?.(), []);
  const finish = (sequence: string): void => {
    stop();
    onTaken(sequence);
  };
  const take = (event: React.KeyboardEvent): void => {
    const chord = formatChord(event.nativeEvent);
    if (!isListening || chord === undefined || chord === 'Tab' || chord === 'Shift+Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (chord === 'Escape') stop();
    else if (first.current !== undefined) finish(`${first.current} ${chord}`);
    else {
      first.current = chord;
      timer.current = systemClock.after(settleMs, () => finish(chord));
    }
  };
  return { isListening, start: () => setListening(true), stop, take };
}
