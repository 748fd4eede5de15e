import { Children } from 'react';
import styles from './layout.module.css';

/** Short facts in a row, set apart by space; empty ones leave no trace. */
export function FactList({ children }: { readonly children: React.ReactNode }) {
  return (
    <ul className={styles.facts}>
      {Children.toArray(children).map((fact, index) => (
        // Facts are fixed in number and order.
        <li key={index}>{fact}</li>
      ))}
    </ul>
  );
}
