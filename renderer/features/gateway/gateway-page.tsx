import { useState } from 'react';
import { PowerOff, RotateCw } from 'lucide-react';
import type {
  GatewayStatusView,
  GatewayCatalogView,
  GatewayDomainView,
} from '../../../core/contract/gateway.ts';
import { pluralize } from '../../../core/base/text.ts';
import { getErrorMessage } from '../../../core/base/errors.ts';
import { systemClock, useNow } from '../../base/clock.ts';
import { formatElapsed } from '../../format/time.ts';
import { ScrollArea, Page } from '../../ui/page.tsx';
import { useGatewayCatalog, useGatewayStatus, useReloadGateway } from '../../api/gateway-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { DetailList } from '../../ui/detail-list.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './gateway.module.css';
import { EmptyWithExample } from './example-query.tsx';
import { RequestView } from './request-view.tsx';
import { SqlView } from './sql-view.tsx';
import { FunctionsView, TablesView } from './tables-view.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

/** Shown while the database is being opened and its schema is loading: the current phase and its duration. */
function Opening({ status }: { readonly status: GatewayStatusView }) {
  const [began] = useState(() => systemClock.now());
  const passed = useNow() - began;
  const { kind, state, isReading } = status;
  const isOpening = state === 'opening' || state === 'closed';
  const doing = isOpening || !isReading ? 'Starting the database' : 'Reading tables';
  return (
    <div className={styles.opening} role="status">
      <h2>{doing}…</h2>
      <progress aria-label={doing} />
      <p>
        {kind === 'embedded'
          ? 'Embedded PostgreSQL starts on first use, which takes a few seconds.'
          : 'Reading the database schema.'}
      </p>
      <p className={styles.passed}>{formatElapsed(passed)}</p>
    </div>
  );
}

/** Domains with conversions: values are stored in one format and shown and accepted in another. */
function DomainsView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const { domains } = catalog;
  if (domains.length === 0)
    return (
      <EmptyWithExample title="No domain conversions">
        To expose a domain in a custom format, define implicit casts between it and <code>json</code> or{' '}
        <code>text</code>, then click Reload.
      </EmptyWithExample>
    );
  return (
    <ScrollArea className={styles.detail} aria-label="Domains">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Responses: domain to JSON</th>
            <th scope="col">Filters: text to domain</th>
            <th scope="col">Bodies: JSON to domain</th>
            <th scope="col">Used by</th>
          </tr>
        </thead>
        <tbody>
          {domains.map((domain) => (
            <DomainRow key={`${domain.schema}.${domain.name}`} domain={domain} />
          ))}
        </tbody>
      </table>
      <p className={styles.muted}>
        Without a conversion, values use the base type. Conversions apply only to columns declared with the
        domain.
      </p>
    </ScrollArea>
  );
}

function DomainRow({ domain }: { readonly domain: GatewayDomainView }) {
  const { schema, name, response, filter, body, columns } = domain;
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        <span className={styles.marks}>{schema}</span>
      </th>
      {[response, filter, body].map((conversion, index) => (
        // Always these three.
        <td key={index}>
          {conversion === undefined ? (
            <span className={styles.muted}>base type</span>
          ) : (
            <code>{conversion}</code>
          )}
        </td>
      ))}
      <td>
        {columns.length === 0 ? (
          <span className={styles.muted}>not used</span>
        ) : (
          columns.map(({ table, column }) => `${table.name}.${column}`).join(', ')
        )}
      </td>
    </tr>
  );
}

const views = ['tables', 'sql', 'domains', 'functions', 'request'] as const;
type View = (typeof views)[number];
const isView = (word: string | null): word is View => (views as readonly (string | null)[]).includes(word);

/** The database gateway: tables, domain conversions, and a request builder. */
export function GatewayPage() {
  const status = useGatewayStatus();
  const may = useCan('gateway.catalog');
  return (
    <Page
      title={getPageLabel(paths.gateway)}
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
      onError: (error) => showToast('error', getErrorMessage(error)),
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
        <Notice tone="error">{getErrorMessage(catalog.error)} Showing the previous data.</Notice>
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
        { id: 'sql', label: 'SQL', content: <SqlView /> },
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
