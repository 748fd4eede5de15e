import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components';
import styles from './overlay.module.css';

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
