import type { GatewayCatalogView, GatewayDomainView } from '../../../../core/contract/gateway.ts';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { NothingYet } from '../example/nothing-yet.tsx';
import styles from '../gateway.module.css';

/** Domains with conversions: values are stored in one format, and shown and taken in another. */
export function DomainsView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const { domains } = catalog;
  if (domains.length === 0)
    return (
      <NothingYet title="No domain has conversions">
        A domain can be shown and taken in a format of its own, while the database stores another: declare
        implicit casts between the domain and <code>json</code> or <code>text</code>, then press Reload.
      </NothingYet>
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
        Where a conversion is missing, the format of the stored type holds. A column has conversions when its
        declared type is exactly the domain.
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
            <span className={styles.muted}>stored form</span>
          ) : (
            <code>{conversion}</code>
          )}
        </td>
      ))}
      <td>
        {columns.length === 0 ? (
          <span className={styles.muted}>no table</span>
        ) : (
          columns.map(({ table, column }) => `${table.name}.${column}`).join(', ')
        )}
      </td>
    </tr>
  );
}
