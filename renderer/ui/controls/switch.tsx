import { Switch as AriaSwitch } from 'react-aria-components';
import { WithTooltip } from '../overlay/tooltip.tsx';
import styles from './controls.module.css';

interface SwitchProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly isSelected: boolean;
  readonly isDisabled?: boolean;
  /** Why it is unavailable; the switch stays focusable, so that the reason can be read. */
  readonly unavailable?: string | undefined;
  readonly onChange: (isSelected: boolean) => void;
}

/** A switch with immediate effect. */
export function Switch({ label, isLabelHidden = false, unavailable, onChange, ...props }: SwitchProps) {
  const control = (
    <AriaSwitch
      {...props}
      {...(isLabelHidden && { 'aria-label': label })}
      isReadOnly={unavailable !== undefined}
      onChange={onChange}
      className={`${styles.switch} ${unavailable === undefined ? '' : styles.unavailable}`}
    >
      <span className={styles.track} aria-hidden="true" />
      {!isLabelHidden && <span>{label}</span>}
    </AriaSwitch>
  );
  if (unavailable === undefined) return control;
  return (
    <WithTooltip text={unavailable}>
      <span>{control}</span>
    </WithTooltip>
  );
}
