import { Children } from 'react';
import styles from './layout.module.css';

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
