import { useEffect, useRef } from 'react';
import styles from './list.module.css';
import { isTyping } from './use-list-keys.ts';

/** Filters above a list. The / key focuses the first field. */
export function FilterBar({ children }: { readonly children: React.ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      bar.current?.querySelector('input')?.focus();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <div ref={bar} className={styles.bar} role="search">
      {children}
    </div>
  );
}

/** Pushes the following items to the end of the bar. */
export const FilterSpacer = () => <span className={styles.space} />;
