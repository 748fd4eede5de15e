import { ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import styles from './layout.module.css';

interface BreadcrumbProps {
  readonly trail: readonly { readonly label: string; readonly href: string }[];
}

/** Breadcrumbs of the page. */
export function Breadcrumb({ trail }: BreadcrumbProps) {
  return (
    <nav className={styles.breadcrumb} aria-label="Breadcrumb">
      {trail.map(({ label, href }, crumbIndex) => (
        <span key={href}>
          {crumbIndex > 0 && <ChevronRight size={14} aria-hidden="true" />}
          <Link href={href}>{label}</Link>
        </span>
      ))}
    </nav>
  );
}
