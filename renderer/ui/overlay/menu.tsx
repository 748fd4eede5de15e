import type { LucideIcon } from 'lucide-react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import styles from './overlay.module.css';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run?: () => void;
  /** For what leaves the application. */
  readonly href?: string;
}

interface MenuProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly placement?: 'bottom end' | 'top start';
  /** The button that opens the menu. */
  readonly children: React.ReactNode;
}

/** A button with a menu of actions. */
export function ActionMenu({ label, actions, placement = 'bottom end', children }: MenuProps) {
  return (
    <MenuTrigger>
      {children}
      <Popover className={styles.popover} placement={placement} offset={4}>
        <AriaMenu
          className={styles.menu}
          aria-label={label}
          onAction={(key) => actions.find(({ id }) => id === key)?.run?.()}
        >
          {actions.map(({ id, label: text, icon: Icon, href }) => (
            <MenuItem
              key={id}
              id={id}
              className={styles.menuItem}
              textValue={text}
              {...(href !== undefined && { href })}
            >
              <Icon size={16} aria-hidden="true" />
              {text}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
