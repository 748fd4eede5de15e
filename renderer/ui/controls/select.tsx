import { Check, ChevronDown } from 'lucide-react';
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components';
import overlay from '../overlay/overlay.module.css';
import styles from './controls.module.css';

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly mark?: React.ReactNode;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  /** Shows the label above the control, as in a form; otherwise it is for screen readers only. */
  readonly isLabelled?: boolean;
  /** Shown below the control in a form. */
  readonly description?: string | undefined;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one among a few options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelled = false, description, value, choices, onChange } = props;
  return (
    <AriaSelect
      {...(isLabelled ? { className: `${styles.field} ${styles.choice}` } : { 'aria-label': label })}
      value={value}
      onChange={(key) => onChange(key as Value)}
    >
      {isLabelled && <Label className={styles.label}>{label}</Label>}
      <Button className={styles.select}>
        <SelectValue className={styles.selectValue} />
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      {description !== undefined && (
        <Text slot="description" className={styles.help}>
          {description}
        </Text>
      )}
      <Popover className={overlay.popover} offset={4}>
        <ListBox className={overlay.menu} aria-label={label}>
          {choices.map((choice) => (
            <ListBoxItem
              key={choice.value}
              id={choice.value}
              textValue={choice.label}
              className={overlay.menuItem}
            >
              {({ isSelected, selectionMode }) => (
                <>
                  {choice.mark}
                  <span>{choice.label}</span>
                  {selectionMode !== 'none' && isSelected && (
                    <Check className={styles.tick} size={14} aria-hidden="true" />
                  )}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
