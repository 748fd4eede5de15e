import {
  Focusable,
  Tooltip,
  TooltipTrigger,
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components';
import type { LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import styles from './overlay.module.css';
import controlsStyles from './controls.module.css';

const delayMs = 500;

/** A tooltip on hover and focus for an element that is not a control. */
export function WithTooltip({
  text,
  children,
}: {
  readonly text: string;
  readonly children: React.ReactElement;
}) {
  return (
    <TooltipTrigger delay={delayMs} closeDelay={0}>
      <Focusable>{children as React.ComponentProps<typeof Focusable>['children']}</Focusable>
      <TooltipBox text={text} />
    </TooltipTrigger>
  );
}

/** The same for a button of the design system, which is focusable itself. */
export function ButtonTooltip({
  text,
  children,
}: {
  readonly text: string;
  readonly children: React.ReactNode;
}) {
  return (
    <TooltipTrigger delay={delayMs} closeDelay={0}>
      {children}
      <TooltipBox text={text} />
    </TooltipTrigger>
  );
}

function TooltipBox({ text }: { readonly text: string }) {
  return (
    <Tooltip className={styles.tooltip} offset={6}>
      {text}
    </Tooltip>
  );
}

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
  const className = `${controlsStyles.button} ${controlsStyles[variant]} ${size === 'small' ? controlsStyles.small : ''}`;
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
        className={`${className} ${controlsStyles.unavailable}`}
      >
        {content}
      </button>
    </WithTooltip>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'normal' | 'small';
  /** Part of the label shown next to the icon, in toolbars that set `--tool-text` where they have room. */
  readonly text?: string;
  /** Keyboard shortcut, shown in the tooltip. */
  readonly keys?: string;
  /** Set for a toggle button. */
  readonly pressed?: boolean;
  /**
   * Why the button is unavailable. Unlike a disabled button it stays focusable, so that the reason can be read.
   */
  readonly unavailable?: string | undefined;
}

/** A square button with an icon and a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, size = 'normal', text, keys, pressed, unavailable, ...rest } = props;
  const className = `${controlsStyles.iconButton} ${size === 'small' ? controlsStyles.iconSmall : ''}`;
  const icon = (
    <>
      <Icon size={size === 'small' ? 14 : 16} aria-hidden="true" />
      {text !== undefined && <span className={controlsStyles.iconText}>{text}</span>}
    </>
  );
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
          className={`${className} ${controlsStyles.unavailable}`}
        >
          {icon}
        </button>
      </WithTooltip>
    );
  return (
    <ButtonTooltip text={keys === undefined ? label : `${label} (${keys})`}>
      <AriaButton {...rest} {...state} className={className}>
        {icon}
      </AriaButton>
    </ButtonTooltip>
  );
}

interface LinkButtonProps {
  readonly href: string;
  readonly icon: LucideIcon;
  readonly children: React.ReactNode;
}

/** A link styled as a button, for button groups. */
export function LinkButton({ href, icon: Icon, children }: LinkButtonProps) {
  return (
    <Link
      href={href}
      className={`${controlsStyles.button} ${controlsStyles.secondary} ${controlsStyles.link}`}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{children}</span>
    </Link>
  );
}
