import { type ApprovalState, stateStyles } from './approval-state.ts';
import styles from './state-mark.module.css';

/** State of an approval as icon and label. */
export function ApprovalStateBadge({ state }: { readonly state: ApprovalState }) {
  const { icon: Icon, word } = stateStyles[state];
  return (
    <span className={styles.mark} data-state={state}>
      <Icon size={14} aria-hidden="true" />
      {word}
    </span>
  );
}
