import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from 'react-aria-components';
import { ButtonTooltip, WithTooltip } from '../overlay/tooltip.tsx';
import styles from './controls.module.css';

interface IconButtonProps extends Omit<ButtonProps, 'className' | 'children' | 'style'> {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'normal' | 'small';
  /** Set for a toggle button. */
  readonly pressed?: boolean;
  /**
   * Why the button is unavailable. Unlike a disabled button it stays focusable, so that the reason can be read.
   */
  readonly unavailable?: string | undefined;
}

/** A square button with an icon and a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, size = 'normal', pressed, unavailable, ...rest } = props;
  const className = `${styles.iconButton} ${size === 'small' ? styles.iconSmall : ''}`;
  const icon = <Icon size={size === 'small' ? 14 : 16} aria-hidden="true" />;
  const state = {
    'aria-label': label,
    ...(pressed !== undefined && { 'aria-pressed': pressed }),
    ...(pressed === true && { 'data-pressed-on': '' }),
  };
  if (unavailable !== undefined)
    return (
      <WithTooltip text={`${label}. ${unavailable}`}>
        <button
          type="button"
          aria-disabled="true"
          {...state}
          className={`${className} ${styles.unavailable}`}
        >
          {icon}
        </button>
      </WithTooltip>
    );
  return (
    <ButtonTooltip text={label}>
      <Button {...rest} {...state} className={className}>
        {icon}
      </Button>
    </ButtonTooltip>
  );
}
