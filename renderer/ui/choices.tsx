import { Check, Minus, ChevronDown } from 'lucide-react';
import {
  Checkbox as AriaCheckbox,
  Switch as AriaSwitch,
  ToggleButton,
  ToggleButtonGroup,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components';
import styles from './controls.module.css';
import { WithTooltip } from './button.tsx';
import overlay from './overlay.module.css';
import fieldsStyles from './fields.module.css';

interface CheckboxProps {
  /** Shown next to the box; in a table, only its accessible name. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly isSelected: boolean;
  /** Some but not all of its items are selected. */
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A checkbox for a selection or a condition. */
export function Checkbox({ label, isLabelHidden = false, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      {...(isLabelHidden && { 'aria-label': label })}
      className={styles.checkbox}
      data-bare={isLabelHidden || undefined}
    >
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : null}
            {isSelected && !isIndeterminate ? <Check size={12} strokeWidth={3} /> : null}
          </span>
          {!isLabelHidden && <span>{label}</span>}
        </>
      )}
    </AriaCheckbox>
  );
}

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

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: string;
    readonly content?: React.ReactNode;
  }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one among a few visible options. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.segmented}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = [...keys];
        if (key !== undefined) onChange(key as Value);
      }}
    >
      {choices.map((choice) => (
        <ToggleButton
          key={choice.value}
          id={choice.value}
          className={styles.segment}
          {...(choice.content !== undefined && { 'aria-label': choice.label })}
        >
          {choice.content ?? choice.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly mark?: React.ReactNode;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  /** Puts the label above the control, as in a form; otherwise it is for screen readers only. */
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
      {...(isLabelled
        ? { className: `${fieldsStyles.field} ${fieldsStyles.choice}` }
        : { 'aria-label': label })}
      value={value}
      onChange={(key) => onChange(key as Value)}
    >
      {isLabelled && <Label className={fieldsStyles.label}>{label}</Label>}
      <Button className={fieldsStyles.select}>
        <SelectValue className={fieldsStyles.selectValue} />
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      {description !== undefined && (
        <Text slot="description" className={fieldsStyles.help}>
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
                    <Check className={fieldsStyles.tick} size={14} aria-hidden="true" />
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

type NativeSelectProps = React.ComponentProps<'select'> & {
  /** In a form: as wide as the other fields. */
  readonly isField?: boolean;
};

/** A native select, styled like `Select`, with the system's list; for many options or in forms. */
export function NativeSelect({ isField = false, ...rest }: NativeSelectProps) {
  return (
    <span className={fieldsStyles.nativeSelect} data-field={isField || undefined}>
      <select {...rest} className={fieldsStyles.select} />
      <ChevronDown size={14} aria-hidden="true" />
    </span>
  );
}
