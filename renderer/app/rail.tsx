import { memo, useEffect, useState } from 'react';
import { Menu, Monitor, Moon, Sun, X } from 'lucide-react';
import { Link, useLocation, useRoute } from 'wouter';
import { useOpenApprovals } from '../api/approval-queries.ts';
import { useRecentRuns } from '../api/run-queries.ts';
import { useSystemInfo } from '../api/system-queries.ts';
import { appRoot } from '../base/app-root.ts';
import { systemClock } from '../base/clock.ts';
import { useConnection, type Connection } from '../api/connection.ts';
import { UserMenu } from '../features/account/user-menu.tsx';
import { TourOffer } from '../features/tour/tour.tsx';
import { Segmented } from '../ui/choices.tsx';
import { IconButton } from '../ui/button.tsx';
import { useIntersection } from '../ui/page.tsx';
import { Logo } from '../features/account/session-gate.tsx';
import {
  showWindow,
  useOpenWindow,
  footerItems,
  isActiveItem,
  systemItems,
  workItems,
  type NavigationItem,
  useIsItemVisible,
} from '../navigation/navigation-items.ts';
import { paths, routePatterns } from '../navigation/address.ts';
import { preferenceOptions, setPreferences, usePreferences, type Preferences } from '../base/preferences.ts';
import styles from './shell.module.css';

/** Returns a title such as `1 failed, 1 waiting for approval, 2 running · Stepwright`. */
export function formatTitle(name: string, { running = 0, failed = 0, asking = 0 }): string {
  const counted = [
    [failed, 'failed'],
    [asking, 'waiting for approval'],
    [running, 'running'],
  ] as const;
  const labels = counted.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return labels.length === 0 ? name : `${labels.join(', ')} · ${name}`;
}

/** Returns since when the page has been hidden, in epoch milliseconds; undefined while it is visible. */
function useHiddenSince(): number | undefined {
  const [since, setSince] = useState<number>();
  useEffect(() => {
    const updateHiddenSince = (): void => setSince(document.hidden ? systemClock.now() : undefined);
    document.addEventListener('visibilitychange', updateHiddenSince);
    return () => document.removeEventListener('visibilitychange', updateHiddenSince);
  }, []);
  return since;
}

/**
 * Updates title and icon of the tab: active runs, open approvals, and failures since the page was last visible.
 */
function useTitle(name: string): void {
  const running = useSystemInfo().data?.activeRuns ?? 0;
  const asking = useOpenApprovals().data?.length ?? 0;
  const hiddenSince = useHiddenSince();
  const recent = useRecentRuns().data;
  const failed =
    hiddenSince === undefined
      ? 0
      : (recent ?? []).filter(
          ({ status, finishedAt }) =>
            status === 'failed' && finishedAt !== undefined && Date.parse(finishedAt) > hiddenSince,
        ).length;
  useEffect(() => {
    document.title = formatTitle(name, { running, failed, asking });
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const mark = failed > 0 ? 'mark-failed' : running > 0 ? 'mark-running' : 'mark';
    icon?.setAttribute('href', new URL(`${mark}.svg`, appRoot()).href);
  }, [name, running, failed, asking]);
}

const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  online: 'Connected',
  reconnecting: 'Reconnecting',
};

/** Whether the page is up to date: a filled dot, or an outlined one without a connection. */
function ConnectionStatus() {
  const state = useConnection((connection) => connection.state);
  return (
    <span className={styles.connection} role="status" data-state={state}>
      <i aria-hidden="true" />
      {words[state]}
    </span>
  );
}

const closeMenu = (): void => showWindow(undefined);

/** Opens and closes the navigation of a narrow window, which covers the page. */
function MenuButton() {
  const isOpen = useOpenWindow(({ open }) => open === 'menu');
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKeyDown = ({ key }: KeyboardEvent): void => (key === 'Escape' ? closeMenu() : undefined);
    window.addEventListener('keydown', onKeyDown);
    // A wide window has no menu.
    window.addEventListener('resize', closeMenu);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('resize', closeMenu);
    };
  }, [isOpen]);
  return (
    <span className={styles.menu}>
      <IconButton
        icon={isOpen ? X : Menu}
        label={isOpen ? 'Close menu' : 'Menu'}
        aria-expanded={isOpen}
        onPress={() => showWindow(isOpen ? undefined : 'menu')}
      />
    </span>
  );
}

/** The navigation on the left, with the state of the connection. */
export function Rail() {
  // The editor needs the width.
  const [isEditing] = useRoute(routePatterns.editor);
  const isMenuOpen = useOpenWindow(({ open }) => open === 'menu');
  const system = useSystemInfo().data;
  const name = system?.ui.navbarTitle ?? 'Stepwright';
  const colour = system?.ui.navbarColor;
  useTitle(name);
  return (
    <aside
      className={styles.rail}
      aria-label={name}
      data-compact={isEditing || undefined}
      data-open={isMenuOpen || undefined}
    >
      <MenuButton />
      <Link
        href={paths.dashboard}
        className={styles.brand}
        onClick={closeMenu}
        aria-label={`${name}, go to dashboard`}
        title={system && `${name} ${system.version}`}
        style={colour === undefined ? undefined : { boxShadow: `inset 4px 0 ${colour}` }}
      >
        <Logo />
        <span>{name}</span>
      </Link>
      {/* Mounted again with the menu, so that the current page is scrolled into view. */}
      <nav key={isMenuOpen ? 'menu' : 'rail'} aria-label="Main" className={styles.nav}>
        <NavigationItems items={workItems} />
        <hr />
        <NavigationItems items={systemItems} />
        <div className={styles.navGap} />
        <NavigationItems items={footerItems} />
      </nav>
      <div className={styles.railFoot}>
        <TourOffer />
        <UserMenu />
        <div className={styles.railLine}>
          <ConnectionStatus />
          <ThemeSwitch />
        </div>
      </div>
    </aside>
  );
}

function NavigationItems({ items }: { readonly items: readonly NavigationItem[] }) {
  const [location] = useLocation();
  const isVisible = useIsItemVisible();
  return (
    <div className={styles.items}>
      {items.filter(isVisible).map((item) => (
        <NavigationLink key={item.href} item={item} isCurrent={isActiveItem(item, location)} />
      ))}
    </div>
  );
}

interface NavigationLinkProps {
  readonly item: NavigationItem;
  readonly isCurrent: boolean;
}

const NavigationLink = memo(function NavigationLink({ item, isCurrent }: NavigationLinkProps) {
  const link = useIntersection<HTMLAnchorElement>(isCurrent);
  const { href, label, icon: Icon } = item;
  return (
    <Link
      ref={link}
      href={href}
      className={styles.item}
      title={label}
      onClick={closeMenu}
      {...(isCurrent && { 'aria-current': 'page' as const })}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{label}</span>
      {href === paths.runs && <ActiveRuns />}
      {href === paths.approvals && <OpenApprovals />}
    </Link>
  );
});

/** Number of active runs. */
function ActiveRuns() {
  const count = useSystemInfo().data?.activeRuns ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles.count} title={`${count} active`}>
      {count}
    </span>
  );
}

/** Number of open approvals. */
function OpenApprovals() {
  const count = useOpenApprovals().data?.length ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles.count} data-asks title={`${count} waiting for approval`}>
      {count}
    </span>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon };
const themeNames: Readonly<Record<Preferences['theme'], string>> = {
  system: 'System theme',
  light: 'Light',
  dark: 'Dark',
};

function ThemeSwitch() {
  const theme = usePreferences((chosen) => chosen.theme);
  const choices = preferenceOptions.theme.map((value) => {
    const Icon = themeIcons[value];
    return { value, label: themeNames[value], content: <Icon size={14} aria-hidden="true" /> };
  });
  return (
    <Segmented
      label="Theme"
      value={theme}
      choices={choices}
      onChange={(chosen) => setPreferences({ theme: chosen })}
    />
  );
}
