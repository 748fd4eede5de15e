import { useEffect, useEffectEvent, useState, useRef } from 'react';
import { ChevronDown } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import controls from '../fields.module.css';
import overlay from '../overlay.module.css';
import styles from './list.module.css';

interface ListKeys {
  readonly count: number;
  readonly open: (index: number) => void;
  /** Absent for a list without a selection. @param index with `isRange`, the end of the range */
  readonly select?: (index: number, isRange: boolean) => void;
  readonly clear?: () => void;
  /** For a list with sections. @returns the row to go to, if something was collapsed or expanded */
  readonly fold?: (index: number, isFolded: boolean) => number | undefined;
  readonly reveal?: (index: number) => void;
}

/** Whether keys are text input, or belong to an open overlay. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(
    'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"], [role="menu"], [role="dialog"]',
  ) !== null;
/** Whether Enter and Space belong to the focused control. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, [role="tab"], [role="radio"]') !== null;

/**
 * Keyboard shortcuts of all lists: j, k and arrow keys, Enter, x and Escape; left and right in lists with
 * sections. Returns the current row.
 */
export function useListKeys(keys: ListKeys): {
  readonly active: number;
  readonly setActive: (index: number) => void;
} {
  const [at, setActive] = useState(-1);
  const active = Math.min(at, keys.count - 1);
  const go = (index: number, isRange: boolean): void => {
    if (keys.count === 0) return;
    const next = Math.min(keys.count - 1, Math.max(0, index));
    if (isRange) keys.select?.(next, true);
    setActive(next);
    keys.reveal?.(next);
  };
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (document.querySelector('[role="dialog"]')) return;
    const act = actions(event, { active, go, keys });
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return { active, setActive };
}

interface ListState {
  readonly active: number;
  readonly go: (index: number, isRange: boolean) => void;
  readonly keys: ListKeys;
}

function actions(event: KeyboardEvent, { active, go, keys }: ListState): (() => void) | undefined {
  const isArrow = event.key.startsWith('Arrow');
  // Arrow keys inside a button group or tab bar belong to it.
  if (
    isArrow &&
    event.target instanceof HTMLElement &&
    event.target.closest('[role="tablist"], [role="radiogroup"], [role="toolbar"]')
  )
    return undefined;
  switch (event.key) {
    case 'j':
    case 'ArrowDown':
      return () => go(active + 1, isArrow && event.shiftKey);
    case 'k':
    case 'ArrowUp':
      return () => go(active - 1, isArrow && event.shiftKey);
    case 'ArrowLeft':
    case 'ArrowRight': {
      const to = active < 0 ? undefined : keys.fold?.(active, event.key === 'ArrowLeft');
      return to === undefined ? undefined : () => go(to, false);
    }
    case 'Home':
      return () => go(0, false);
    case 'End':
      return () => go(keys.count - 1, false);
    case 'Enter':
      return active < 0 || isControl(event.target) ? undefined : () => keys.open(active);
    case 'x':
      return active < 0 || !keys.select ? undefined : () => keys.select?.(active, false);
    case 'Escape':
      return keys.clear;
    default:
      return undefined;
  }
}

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

/** A filter by any number of values; the button lists the selected ones. */
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

/** Filters above a list. The / key focuses the first field. */
export function FilterBar({ children }: { readonly children: React.ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      bar.current?.querySelector('input')?.focus();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <div ref={bar} className={styles.bar} role="search">
      {children}
    </div>
  );
}

/** Pushes the following items to the end of the bar. */
export const FilterSpacer = () => <span className={styles.space} />;
