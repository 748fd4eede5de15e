import { ChevronDown } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import controls from '../controls/controls.module.css';
import overlay from '../overlay/overlay.module.css';
import styles from './list.module.css';

interface ChoiceMenuProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly choices: readonly {
    readonly value: Value;
    readonly label: string;
    readonly mark?: React.ReactNode;
  }[];
  readonly onChange: (values: Value[]) => void;
}

/** A filter by any number of values; the button shows the selected ones. */
export function ChoiceMenu<Value extends string>({
  label,
  values,
  choices,
  onChange,
}: ChoiceMenuProps<Value>) {
  const chosen = choices.filter(({ value }) => values.includes(value));
  const words = chosen.length === 1 ? chosen[0]!.label : `${label}: ${chosen.length}`;
  return (
    <MenuTrigger>
      <Button
        className={controls.select}
        aria-label={
          chosen.length === 0 ? label : `${label}: ${chosen.map((choice) => choice.label).join(', ')}`
        }
        data-chosen={chosen.length > 0 || undefined}
      >
        <span className={styles.choiceWords}>
          {chosen.length === 1 && chosen[0]!.mark}
          {chosen.length === 0 ? label : words}
        </span>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Popover className={overlay.popover} offset={4}>
        <Menu
          className={overlay.menu}
          aria-label={label}
          selectionMode="multiple"
          selectedKeys={values}
          onSelectionChange={(keys) =>
            onChange(choices.map(({ value }) => value).filter((value) => keys === 'all' || keys.has(value)))
          }
        >
          {choices.map((choice) => (
            <MenuItem
              key={choice.value}
              id={choice.value}
              textValue={choice.label}
              className={overlay.menuItem}
            >
              {({ isSelected }) => (
                <>
                  <span className={styles.tick} data-on={isSelected || undefined} aria-hidden="true" />
                  {choice.mark}
                  <span>{choice.label}</span>
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
