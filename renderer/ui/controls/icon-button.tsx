import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from 'react-aria-components';
import { ButtonTooltip } from '../overlay/tooltip.tsx';
import styles from './controls.module.css';

interface IconButtonProps extends Omit<ButtonProps, 'className' | 'children' | 'style'> {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'normal' | 'small';
  /** Given for a button that switches something on and off. */
  readonly pressed?: boolean;
}

/** A square button with an icon and a tooltip. */
export function IconButton({ label, icon: Icon, size = 'normal', pressed, ...props }: IconButtonProps) {
  return (
    <ButtonTooltip text={label}>
      <Button
        {...props}
        aria-label={label}
        {...(pressed !== undefined && { 'aria-pressed': pressed })}
        className={`${styles.iconButton} ${size === 'small' ? styles.iconSmall : ''}`}
        {...(pressed === true && { 'data-pressed-on': '' })}
      >
        <Icon size={size === 'small' ? 14 : 16} aria-hidden="true" />
      </Button>
    </ButtonTooltip>
  );
}
