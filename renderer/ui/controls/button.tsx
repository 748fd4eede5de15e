import type { LucideIcon } from 'lucide-react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { WithTooltip } from '../overlay/tooltip.tsx';
import styles from './controls.module.css';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  /**
   * `primary` is the main action of a view; `danger` stops or deletes something, and `destroy` does so in its
   * confirmation dialog.
   */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'destroy';
  readonly size?: 'normal' | 'small';
  readonly icon?: LucideIcon;
  /**
   * Why the button is unavailable. Unlike a disabled button it stays focusable, so that the reason can be read.
   */
  readonly unavailable?: string | undefined;
  readonly children: React.ReactNode;
}

/** A button with a label. */
export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'normal', icon: Icon, unavailable, children, ...rest } = props;
  const className = `${styles.button} ${styles[variant]} ${size === 'small' ? styles.small : ''}`;
  const content = (
    <>
      {Icon && <Icon size={size === 'small' ? 14 : 16} aria-hidden="true" />}
      <span>{children}</span>
    </>
  );
  if (unavailable === undefined)
    return (
      <AriaButton {...rest} className={className}>
        {content}
      </AriaButton>
    );
  return (
    <WithTooltip text={unavailable}>
      <button
        type="button"
        aria-disabled="true"
        aria-label={rest['aria-label']}
        className={`${className} ${styles.unavailable}`}
      >
        {content}
      </button>
    </WithTooltip>
  );
}
