import { ChevronRight } from 'lucide-react';
import styles from '../canvas.module.css';
import type { Crumb } from './use-drill-down-state.ts';

interface BreadcrumbsProps {
  readonly trail: readonly Crumb[];
  /** @param place number of steps from the main workflow */
  readonly onChoose: (crumbIndex: number) => void;
}

/** Path from the main workflow to the shown one; renders nothing for the main workflow. */
export function Breadcrumbs({ trail, onChoose }: BreadcrumbsProps) {
  if (trail.length < 2) return null;
  return (
    <nav className={styles.crumbs} data-crumbs="" aria-label="Workflows in this file">
      <ol>
        {trail.map(({ label }, crumbIndex) => (
          <li key={`${crumbIndex}${label}`}>
            {crumbIndex > 0 && <ChevronRight size={14} aria-hidden="true" />}
            {crumbIndex === trail.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : (
              <button type="button" onClick={() => onChoose(crumbIndex)}>
                {label}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
