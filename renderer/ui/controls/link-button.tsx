import type { LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import styles from './controls.module.css';

interface LinkButtonProps {
  readonly href: string;
  readonly icon: LucideIcon;
  readonly children: React.ReactNode;
}

/** A link styled as a button, for button groups. */
export function LinkButton({ href, icon: Icon, children }: LinkButtonProps) {
  return (
    <Link href={href} className={`${styles.button} ${styles.quiet} ${styles.link}`}>
      <Icon size={16} aria-hidden="true" />
      <span>{children}</span>
    </Link>
  );
}
