import { Dialog } from '../../../ui/overlay/dialog.tsx';
import styles from '../canvas.module.css';
import { canvasKeys, showKey } from './canvas-keys.ts';

const groups = ['Steps', 'Selection', 'View'] as const;
const beside = [
  ['Wheel', 'Pan'],
  ['Ctrl+Wheel', 'Zoom'],
  ['Shift+Drag', 'Select what is in a frame'],
  ['Ctrl+Click', 'Select one more'],
  ['Ctrl+Z', 'Undo'],
  ['Ctrl+Shift+Z', 'Redo'],
  ['Ctrl+S', 'Save'],
] as const;

/** The table of keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys of the canvas" size="wide" onClose={onClose}>
      <div className={styles.keys}>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {canvasKeys
                .filter((key) => key.group === group)
                .map(({ command, words, keys }) => (
                  <KeyRow key={command} keys={keys.map(showKey)} words={words} />
                ))}
              {group === 'View' &&
                beside.map(([key, words]) => <KeyRow key={key} keys={[key]} words={words} />)}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyRow({ keys, words }: { readonly keys: readonly string[]; readonly words: string }) {
  return (
    <div className={styles.keyRow}>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{words}</dd>
    </div>
  );
}
