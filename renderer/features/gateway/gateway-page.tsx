import { PowerOff, RotateCw } from 'lucide-react';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { GatewayCatalogView, GatewayStatusView } from '../../../core/contract/gateway.ts';
import { messageOf } from '../../../core/base/errors.ts';
import { useGatewayCatalog, useGatewayStatus, useReloadGateway } from '../../api/queries/gateway-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { useQueryParams } from '../../app/address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { DomainsView } from './domains/domains-view.tsx';
import styles from './gateway.module.css';
import { Opening } from './opening.tsx';
import { RequestView } from './request/request-view.tsx';
import { FunctionsView } from './tables/functions-view.tsx';
import { TablesView } from './tables/tables-view.tsx';

const views = ['tables', 'domains', 'functions', 'request'] as const;
type View = (typeof views)[number];
const isView = (word: string | null): word is View => (views as readonly (string | null)[]).includes(word);

/** The database gateway: tables, domain conversions, and a request builder. */
export function GatewayPage() {
  const status = useGatewayStatus();
  const may = useCan('gateway.catalog');
  return (
    <Page
      title="Gateway"
      below={status.data && <StatusLine status={status.data} />}
      actions={<ReloadButton isEnabled={status.data?.isEnabled === true} />}
    >
      <QueryState query={status} what="The gateway">
        {({ isEnabled }) =>
          isEnabled && may.allowed ? (
            <Contents status={status.data!} />
          ) : (
            <EmptyState
              icon={PowerOff}
              title={isEnabled ? 'You do not have permission to view the gateway' : 'The gateway is disabled'}
            >
              <p>
                {isEnabled ? (
                  may.reason
                ) : (
                  <>
                    Set <code>gateway.enabled: true</code> in <code>config.yaml</code>, then restart the
                    engine.
                  </>
                )}
              </p>
            </EmptyState>
          )
        }
      </QueryState>
    </Page>
  );
}

function StatusLine({ status }: { readonly status: GatewayStatusView }) {
  const { kind, version, place, schemas, needsToken } = status;
  return (
    <DetailList>
      <span>
        {kind === 'embedded' ? 'Embedded PostgreSQL' : 'PostgreSQL server'} {version}
      </span>
      <span className={styles.place} title={place}>
        {place}
      </span>
      <span>
        {schemas.length === 1 ? 'Schema' : 'Schemas'} {schemas.join(', ')}
      </span>
      {needsToken && <span>Token required</span>}
    </DetailList>
  );
}

function ReloadButton({ isEnabled }: { readonly isEnabled: boolean }) {
  const may = useCan('gateway.reload');
  const reload = useReloadGateway();
  if (!isEnabled) return null;
  const run = (): void =>
    reload.mutate(undefined, {
      onSuccess: ({ tables, domains }) =>
        showToast(
          'info',
          `Reloaded: ${pluralize(tables.length, 'table')}, ${pluralize(domains.length, 'domain')} with conversions.`,
        ),
      onError: (error) => showToast('error', messageOf(error)),
    });
  return (
    <Button icon={RotateCw} unavailable={may.reason} isDisabled={reload.isPending} onPress={run}>
      Reload
    </Button>
  );
}

function Contents({ status }: { readonly status: GatewayStatusView }) {
  const catalog = useGatewayCatalog({ isEnabled: true });
  return (
    <>
      {status.catalogFailure !== undefined && (
        <Notice tone="error">
          Could not reload the catalog: {status.catalogFailure} Using the previous catalog.
        </Notice>
      )}
      {catalog.data !== undefined && catalog.error !== null && (
        <Notice tone="error">{messageOf(catalog.error)} Showing the previous data.</Notice>
      )}
      <QueryState query={catalog} what="The database" waiting={<Opening status={status} />}>
        {(data) => <Views catalog={data} />}
      </QueryState>
    </>
  );
}

function Views({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const [query, change] = useQueryParams();
  const requestedView = query.get('view');
  const { tables, domains, functions } = catalog;
  return (
    <Tabs<View>
      label="Gateway"
      value={isView(requestedView) ? requestedView : 'tables'}
      onChange={(view) => change({ view: view === 'tables' ? undefined : view })}
      tabs={[
        { id: 'tables', label: 'Tables', note: tables.length, content: <TablesView catalog={catalog} /> },
        { id: 'domains', label: 'Domains', note: domains.length, content: <DomainsView catalog={catalog} /> },
        {
          id: 'functions',
          label: 'Functions',
          note: functions.length,
          content: <FunctionsView catalog={catalog} />,
        },
        { id: 'request', label: 'Try a request', content: <RequestView catalog={catalog} /> },
      ]}
    />
  );
}
