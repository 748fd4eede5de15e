import type { LucideIcon } from 'lucide-react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import styles from './overlay.module.css';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The shortcut of the same action, for display. */
  readonly keys?: string | undefined;
  readonly run?: () => void;
  /** For links out of the application. */
  readonly href?: string;
  /** Whether it stops or deletes something. */
  readonly isDanger?: boolean;
  /** Why it is unavailable; shown below the label. */
  readonly unavailable?: string | undefined;
  /** Shows a separator above it. */
  readonly beginsGroup?: boolean;
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
          {actions.flatMap((action) => [
            ...(action.beginsGroup === true
              ? [<Separator key={`${action.id} line`} className={styles.menuLine} />]
              : []),
            <ActionItem key={action.id} action={action} />,
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function ActionItem({ action }: { readonly action: MenuAction }) {
  const { id, label, icon: Icon, keys, href, isDanger = false, unavailable } = action;
  return (
    <MenuItem
      id={id}
      className={styles.menuItem}
      textValue={label}
      isDisabled={unavailable !== undefined}
      data-danger={isDanger || undefined}
      {...(href !== undefined && { href })}
    >
      <Icon size={16} aria-hidden="true" />
      <span>
        {label}
        {unavailable !== undefined && <small>{unavailable}</small>}
      </span>
      {keys !== undefined && <kbd className={styles.menuKey}>{keys}</kbd>}
    </MenuItem>
  );
}
