import styles from './controls.module.css';

const isMac = (): boolean => /mac/i.test(navigator.platform);

const named: Readonly<Record<string, string>> = {
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  ' ': 'Space',
};

function nameKey(key: string): string {
  if (key === 'Mod') return isMac() ? '⌘' : 'Ctrl';
  return named[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** Keys as labeled on the keyboard: a chord, `Mod+Shift+p`, or a sequence, `g w`. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.keyCaps}>
      {keys.split(' ').map((chord, index) => (
        // A sequence is fixed and short.
        <span key={index}>
          {chord.split(/(?<=.)\+/).map((key) => (
            <kbd key={key}>{nameKey(key)}</kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
