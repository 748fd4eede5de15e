import { Children } from 'react';
import styles from './layout.module.css';
import controlsStyles from './controls.module.css';

/** A sentence in which backticks mark names and values. */
export function InlineText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

/** An item of a description list, below its name. */
export function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Short items in a row; empty items take no space. */
export function DetailList({ children }: { readonly children: React.ReactNode }) {
  return (
    <ul className={styles.facts}>
      {Children.toArray(children).map((fact, index) => (
        // The items are fixed in number and order.
        <li key={index}>{fact}</li>
      ))}
    </ul>
  );
}

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
    <span className={controlsStyles.keyCaps}>
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
