import { Compass } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { EditorRoute } from '../editor/page/editor-route.tsx';
import { OrganizeDialogs } from '../features/organize/organize-dialogs.tsx';
import { CommandPalette } from './command-palette.tsx';
import { IdleQuote } from '../ui/list/list-end.tsx';
import { WindowDropTarget } from '../features/new-workflow/dropped-files.tsx';
import { RunsPage } from '../features/runs/runs-page.tsx';
import { SessionGate, SignedInPage } from '../features/account/session-gate.tsx';
import { TerminalDock } from '../features/terminal/terminal-dock.tsx';
import { Tour } from '../features/tour/tour.tsx';
import { WorkflowsPage } from '../features/workflows/workflows-page.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/state.tsx';
import { ToastRegion } from '../ui/toasts.tsx';
import { useOpenWindow } from '../navigation/actions.ts';
import { useAppLocation, paths, routePatterns } from '../navigation/address.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { DesktopListener } from './desktop-listener.tsx';
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
import { lazyComponent } from '../base/lazy-component.ts';

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
