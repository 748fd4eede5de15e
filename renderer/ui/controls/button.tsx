import type { LucideIcon } from 'lucide-react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './controls.module.css';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  /** `primary` is for the one main action of a place; `danger` for what stops or destroys. */
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  readonly icon?: LucideIcon;
  readonly children: React.ReactNode;
}

/** A button with a label. */
export function Button({ look = 'secondary', size = 'normal', icon: Icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      className={`${styles.button} ${styles[look]} ${size === 'small' ? styles.small : ''}`}
    >
      {Icon && <Icon size={size === 'small' ? 14 : 16} aria-hidden="true" />}
      <span>{children}</span>
    </AriaButton>
  );
}
