import { create } from 'zustand';
import {
  type LucideIcon,
  Activity,
  Bell,
  BookText,
  CalendarDays,
  CircleHelp,
  Database,
  Gauge,
  History,
  KeyRound,
  Layers,
  LockKeyhole,
  ScrollText,
  Search,
  Settings,
  UserCheck,
  Users,
  Webhook,
  Workflow,
} from 'lucide-react';
import { useEffect, useId } from 'react';
import { useCanNavigate, useAuthInfo } from '../api/session-queries.ts';
import { useIsGatewayUsed } from '../api/gateway-queries.ts';
import { usePreferences } from '../base/preferences.ts';
import { paths } from './address.ts';

/** The open global window. */
type OpenWindow = 'palette' | 'keys' | 'menu' | undefined;

export const useOpenWindow = create<{ readonly open: OpenWindow }>(() => ({ open: undefined }));

/** Opens the command palette, the list of shortcuts or the navigation of a narrow window, or closes them. */
export const showWindow = (open: OpenWindow): void => useOpenWindow.setState({ open });

/** An action of the current page, offered in the command palette. */
export interface PageAction {
  /** Unique on its page. */
  readonly id: string;
  /** Title, beginning with a verb: `Retry the failed steps`. */
  readonly title: string;
  readonly icon?: LucideIcon;
  /** Why it is unavailable. */
  readonly unavailable?: string | undefined;
  readonly run: () => void;
}

/** Actions of each mounted part of the page, in mount order. */
export const usePageActions = create<{ readonly offers: ReadonlyMap<string, readonly PageAction[]> }>(() => ({
  offers: new Map(),
}));

/** Adds actions to the command palette while the caller is mounted. */
export function useRegisterActions(actions: readonly PageAction[]): void {
  const owner = useId();
  useEffect(() => {
    usePageActions.setState(({ offers }) => ({ offers: new Map([...offers, [owner, actions]]) }));
  });
  useEffect(
    () => () =>
      usePageActions.setState(({ offers }) => ({
        offers: new Map([...offers].filter(([other]) => other !== owner)),
      })),
    [owner],
  );
}

/** A page in the navigation. */
export interface NavigationItem {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The second key of its `g …` shortcut. */
  readonly key: string;
  /** Prefixes of other addresses that belong to it. */
  readonly owns?: readonly string[];
  /** Requirement for showing it: users, tokens or secrets to manage, or the admin role. */
  readonly needs?: 'users' | 'tokens' | 'secrets' | 'admin';
  /** Whether it is hidden until used. The command palette and Settings lead to it. */
  readonly isOptional?: true;
}

/** Workflows and runs. */
export const workItems: readonly NavigationItem[] = [
  { href: paths.dashboard, label: 'Dashboard', icon: Gauge, key: 'd' },
  { href: paths.workflows, label: 'Workflows', icon: Workflow, key: 'w', owns: ['/dags', '/new'] },
  { href: paths.runs, label: 'Runs', icon: History, key: 'r', owns: ['/runs', '/compare'] },
  { href: paths.approvals, label: 'Approvals', icon: UserCheck, key: 'v' },
  { href: paths.queues, label: 'Queues', icon: Layers, key: 'q' },
  { href: paths.schedule, label: 'Schedule', icon: CalendarDays, key: 'c' },
  { href: paths.webhooks, label: 'Webhooks', icon: Webhook, key: 'h' },
  { href: paths.notifications, label: 'Notifications', icon: Bell, key: 'n' },
  { href: paths.gateway, label: 'Gateway', icon: Database, key: 'b', isOptional: true },
  { href: paths.search, label: 'Search', icon: Search, key: 'f' },
];

/** The installation. */
export const systemItems: readonly NavigationItem[] = [
  { href: paths.system, label: 'System', icon: Activity, key: 's' },
  { href: paths.secrets, label: 'Secrets', icon: LockKeyhole, key: 'k', needs: 'secrets' },
  { href: paths.users, label: 'Users', icon: Users, key: 'u', needs: 'users' },
  { href: paths.tokens, label: 'API tokens', icon: KeyRound, key: 't', needs: 'tokens' },
  { href: paths.audit, label: 'Audit', icon: ScrollText, key: 'a', needs: 'admin' },
];

/** Rarely used pages. */
export const footerItems: readonly NavigationItem[] = [
  { href: paths.help(), label: 'Help', icon: CircleHelp, key: '?', owns: ['/help'] },
  { href: paths.settings, label: 'Settings', icon: Settings, key: ',', owns: ['/settings'] },
  {
    href: paths.apiReference(),
    label: 'API reference',
    icon: BookText,
    key: 'p',
    owns: ['/api-reference'],
  },
];

export const navigationItems: readonly NavigationItem[] = [...workItems, ...systemItems, ...footerItems];

/** Returns the name of a page of the navigation, which is also its heading. */
export const getPageLabel = (href: string): string | undefined =>
  navigationItems.find((item) => item.href === href)?.label;

/** Whether the page of an address belongs to the navigation entry. */
export const isActiveItem = ({ href, owns = [] }: NavigationItem, location: string): boolean =>
  location === href || owns.some((start) => location === start || location.startsWith(`${start}/`));

/** Returns a predicate for navigation entries, by the user's role and whether the engine has user accounts. */
function useCanShowItem(): (item: NavigationItem) => boolean {
  const managesUsers = useCanNavigate('users.list');
  const usesTokens = useCanNavigate('tokens.list');
  const managesSecrets = useCanNavigate('secrets.list');
  const mode = useAuthInfo().data?.mode;
  return ({ needs }) => {
    if (needs === undefined) return true;
    if (needs === 'secrets') return managesSecrets;
    if (needs === 'users') return managesUsers && mode === 'builtin';
    if (needs === 'tokens') return usesTokens && mode !== undefined && mode !== 'none';
    return managesUsers;
  };
}

/** Returns a predicate for the entries that are visible to the user. */
export function useIsItemVisible(): (item: NavigationItem) => boolean {
  const canShow = useCanShowItem();
  const { gateway } = usePreferences();
  const isUsed = useIsGatewayUsed();
  const hasOptional = gateway === 'on' || (gateway === 'auto' && isUsed);
  return (item) => canShow(item) && (item.isOptional !== true || hasOptional);
}

/** Returns the pages that are available to the user, in order, with those that the navigation hides. */
export const useVisibleNavigationItems = (): readonly NavigationItem[] =>
  navigationItems.filter(useCanShowItem());
