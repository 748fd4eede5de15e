import { useEffect, Suspense, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Compass } from 'lucide-react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import type { WindowNotice } from '../../core/contract/desktop-calls.ts';
import {
  useChangeDesktopSettings,
  useDesktopSettings,
  desktopSettingsKey,
  desktopQueryKey,
} from '../features/settings/desktop-queries.ts';
import { usePreferences } from '../base/preferences.ts';
import { useBridge } from '../api/bridge.ts';
import { showWindow, useOpenWindow } from '../navigation/navigation-items.ts';
import { usePendingFiles, WindowDropTarget } from '../features/new-workflow/dropped-files.tsx';
import { showToast, ToastRegion } from '../ui/toasts.tsx';
import { navigate, paths, useAppLocation, routePatterns } from '../navigation/address.ts';
import { EditorRoute } from '../editor/page/editor-route.tsx';
import { OrganizeDialogs } from '../features/organize/organize-dialogs.tsx';
import { IdleQuote } from '../ui/list/list-end.tsx';
import { RunsPage } from '../features/runs/runs-page.tsx';
import { SessionGate, SignedInPage } from '../features/account/session-gate.tsx';
import { TerminalDock } from '../features/terminal/terminal-dock.tsx';
import { Tour } from '../features/tour/tour.tsx';
import { WorkflowsPage } from '../features/workflows/workflows-page.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/state.tsx';
import { lazyComponent } from '../base/lazy-component.ts';
import { CommandPalette } from './command-palette.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import {
  ApprovalsPage,
  AuditPage,
  DashboardPage,
  GatewayPage,
  QueuesPage,
  SchedulePage,
  SearchPage,
  SystemPage,
  NotificationsPage,
  WebhooksPage,
} from './operations-pages.tsx';
import { Rail } from './rail.tsx';
import styles from './shell.module.css';
import { OfflineBanner } from './offline-banner.tsx';

/** Reports the displayed time zone to the desktop app, which uses it for quiet hours without their own zone. */
function useServerTimeZone(): void {
  const { timeZone } = usePreferences();
  const serverZone = useDesktopSettings().data?.notifications.viewZone;
  const { mutate } = useChangeDesktopSettings();
  const zone = timeZone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
  useEffect(() => {
    if (serverZone !== undefined && serverZone !== zone) mutate({ notifications: { viewZone: zone } });
  }, [serverZone, zone, mutate]);
}

/** Handles requests of the desktop app in the window. */
function DesktopListener() {
  const { desktop } = useBridge();
  const cache = useQueryClient();
  useServerTimeZone();
  useEffect(
    () =>
      desktop?.follow((message) => {
        if (message.kind === 'notice') showNotice(message.notice);
        else if (message.kind === 'open_palette') showWindow('palette');
        else if (message.kind === 'settings_changed')
          cache.setQueryData(desktopSettingsKey, message.settings);
        else if (message.kind === 'file') takeOpenedFile(message);
        else if (message.kind === 'recent_changed')
          void cache.invalidateQueries({ queryKey: desktopQueryKey('files.recent') });
        else if (message.kind === 'update_changed')
          void cache.invalidateQueries({ queryKey: desktopQueryKey('updates.get') });
      }),
    [desktop, cache],
  );
  return null;
}

function showNotice({ tone, text, address }: WindowNotice): void {
  const open = address === undefined || address === '' ? undefined : () => navigate(address);
  showToast(tone, text, open && { label: 'Open', run: open });
}

/** Opens the file on the page that creates workflows from files, where nothing is saved without a click. */
function takeOpenedFile({ fileName, text }: { readonly fileName: string; readonly text: string }): void {
  usePendingFiles.setState({ files: [{ fileName, text, way: 'yaml' }] });
  navigate(paths.newWorkflow('yaml'));
}

// Pages with a graph need the drawing library; the lists load without it.
const WorkflowPage = lazyComponent(
  async () => (await import('../features/workflow/workflow-page.tsx')).WorkflowPage,
);
const NewWorkflowPage = lazyComponent(
  async () => (await import('../features/new-workflow/new-workflow-page.tsx')).NewWorkflowPage,
);
const RunPage = lazyComponent(async () => (await import('../features/run/run-page.tsx')).RunPage);
const ComparePage = lazyComponent(
  async () => (await import('../features/compare/compare-page.tsx')).ComparePage,
);
// Rarely used pages.
const SettingsPage = lazyComponent(
  async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
);
const BaseEditorPage = lazyComponent(
  async () => (await import('../editor/page/base-editor-page.tsx')).BaseEditorPage,
);
const UsersPage = lazyComponent(async () => (await import('../features/users/users-page.tsx')).UsersPage);
const TokensPage = lazyComponent(async () => (await import('../features/tokens/tokens-page.tsx')).TokensPage);
const SecretsPage = lazyComponent(
  async () => (await import('../features/secrets/secrets-page.tsx')).SecretsPage,
);
const ApiReferencePage = lazyComponent(
  async () => (await import('../features/api-reference/api-reference-page.tsx')).ApiReferencePage,
);
const HelpPage = lazyComponent(async () => (await import('../features/help/help-page.tsx')).HelpPage);
const GalleryPage = lazyComponent(
  async () => (await import('../features/gallery/gallery-page.tsx')).GalleryPage,
);

/** The window: navigation, and the page of the current address. */
export function App() {
  return (
    <Router hook={useAppLocation}>
      <SessionGate>
        <Shell />
        <CommandPalette />
        <OrganizeDialogs />
        <DesktopListener />
        <WindowDropTarget />
        <Tour />
      </SessionGate>
      <ToastRegion />
    </Router>
  );
}

/** The navigation and the page. */
function Shell() {
  const isCovered = useOpenWindow(({ open }) => open === 'menu');
  const main = useRef<HTMLElement>(null);
  return (
    <>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div className={styles.shell}>
        <Rail />
        <main ref={main} className={styles.main} tabIndex={-1} inert={isCovered}>
          <div className={styles.pages}>
            <OfflineBanner />
            <Pages />
          </div>
          <TerminalDock />
        </main>
      </div>
    </>
  );
}

function Pages() {
  const [location] = useLocation();
  return (
    <ErrorBoundary resetKey={location}>
      <Suspense fallback={<div />}>
        <Switch>
          <Route path={paths.dashboard} component={DashboardPage} />
          <Route path={paths.workflows} component={WorkflowsPage} />
          <Route path={routePatterns.newWorkflow}>{({ way }) => <NewWorkflowPage way={way} />}</Route>
          <Route path={paths.runs} component={RunsPage} />
          <Route path={routePatterns.workflow}>
            {({ fileName }) => <WorkflowPage key={fileName} fileName={fileName} />}
          </Route>
          <Route path={routePatterns.editor}>
            {({ fileName }) => <EditorRoute key={fileName} fileName={fileName} />}
          </Route>
          <Route path={routePatterns.run}>
            {({ name, dagRunId }) => <RunPage key={`${name}/${dagRunId}`} name={name} dagRunId={dagRunId} />}
          </Route>
          <Route path={paths.settings} component={SettingsPage} />
          <Route path={paths.installation} component={SettingsPage} />
          <Route path={paths.baseConfig} component={BaseEditorPage} />
          <Route path={routePatterns.compare}>{(sides) => <ComparePage {...sides} />}</Route>
          <Route path={paths.approvals} component={ApprovalsPage} />
          <Route path={paths.queues} component={QueuesPage} />
          <Route path={paths.schedule} component={SchedulePage} />
          <Route path={paths.search} component={SearchPage} />
          <Route path={paths.webhooks} component={WebhooksPage} />
          <Route path={paths.notifications} component={NotificationsPage} />
          <Route path={paths.gateway} component={GatewayPage} />
          <Route path={paths.system} component={SystemPage} />
          <Route path={paths.audit} component={AuditPage} />
          <Route path={paths.users} component={UsersPage} />
          <Route path={paths.tokens} component={TokensPage} />
          <Route path={paths.secrets} component={SecretsPage} />
          <Route path={routePatterns.signedIn} component={SignedInPage} />
          <Route path={routePatterns.help}>{({ '*': name }) => <HelpPage name={name} />}</Route>
          <Route path={routePatterns.apiReference}>{({ name }) => <ApiReferencePage name={name} />}</Route>
          <Route path={paths.gallery} component={GalleryPage} />
          <Route>
            <Page title="Page not found">
              <EmptyState icon={Compass} title="No page at this address">
                <p>
                  The link may be wrong or from another version of Stepwright. Go to the{' '}
                  <Link href={paths.dashboard}>dashboard</Link>.
                </p>
                <IdleQuote />
              </EmptyState>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
