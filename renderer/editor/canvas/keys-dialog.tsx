import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import styles from './overlays.module.css';
import {
  canvasKeys,
  nameKey,
  showKey,
  type CanvasKey,
  type KeyChoices,
  setCanvasShortcut,
  resetKeys,
  useKeyChoices,
} from './canvas-keys.ts';

/** Columns of about equal height. */
const columns = [['Steps', 'Run'], ['Selection'], ['View']] as const;
/** Shortcuts of other parts of the page; they cannot be changed here. */
const beside = [
  ['Wheel', 'Pan'],
  ['Ctrl+Wheel', 'Zoom'],
  ['Shift+Drag', 'Select an area'],
  ['Ctrl+Click', 'Add to selection'],
  ['Ctrl+Z', 'Undo'],
  ['Ctrl+Shift+Z', 'Redo'],
  ['Ctrl+S', 'Save'],
  ['Ctrl+Shift+S', 'Review changes'],
  ['Ctrl+Alt+Enter', 'Save and run'],
] as const;
const modifiers: readonly string[] = ['Control', 'Shift', 'Alt', 'Meta'];

/** Dialog that lists the keyboard shortcuts and lets the user change them. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const choices = useKeyChoices();
  const [error, setError] = useState<string>();
  return (
    <Dialog title="Keyboard shortcuts" size="wide" onClose={onClose}>
      <div className={styles.keys}>
        {columns.map((groups) => (
          <div key={groups.join()}>
            {groups.map((group) => (
              <KeyGroup key={group} group={group} choices={choices} onError={setError} />
            ))}
          </div>
        ))}
      </div>
      <DialogActions>
        <p className={styles.keysHelp} role="status">
          {error ?? 'Click a shortcut, then press the new key.'}
        </p>
        <Button onPress={resetKeys} isDisabled={Object.keys(choices).length === 0}>
          Reset all shortcuts
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface KeyGroupProps {
  readonly group: CanvasKey['group'];
  readonly choices: KeyChoices;
  readonly onError: KeyRowProps['onError'];
}

function KeyGroup({ group, choices, onError }: KeyGroupProps) {
  const rows = canvasKeys.filter((row) => row.group === group);
  return (
    <section aria-label={group}>
      <h3>{group}</h3>
      <dl>
        {rows.map((row) => (
          <KeyRow key={row.command} row={row} keys={choices[row.command] ?? row.keys} onError={onError} />
        ))}
        {group === 'View' &&
          beside.map(([key, words]) => (
            <div key={key} className={styles.keyRow}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

interface KeyRowProps {
  readonly row: CanvasKey;
  readonly keys: readonly string[];
  readonly onError: (error: string | undefined) => void;
}

function KeyRow({ row, keys, onError }: KeyRowProps) {
  const [isListening, setListening] = useState(false);
  const listen = (event: React.KeyboardEvent): void => {
    if (!isListening || modifiers.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setListening(false);
    if (event.key !== 'Escape') onError(setCanvasShortcut(row.command, nameKey(event.nativeEvent)));
  };
  const shown = keys.map((key) => <kbd key={key}>{showKey(key)} </kbd>);
  return (
    <div className={styles.keyRow}>
      <dt>
        {row.isNative ? (
          shown
        ) : (
          <button
            type="button"
            className={styles.keyButton}
            title="Change shortcut"
            aria-pressed={isListening}
            onClick={() => setListening(true)}
            onBlur={() => setListening(false)}
            onKeyDownCapture={listen}
          >
            <span className="visually-hidden">{row.words}: </span>
            {isListening ? <kbd>Press a key</kbd> : shown}
          </button>
        )}
      </dt>
      <dd>{row.words}</dd>
    </div>
  );
}
