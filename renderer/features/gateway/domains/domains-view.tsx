import type { GatewayCatalogView, GatewayDomainView } from '../../../../core/contract/gateway.ts';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { EmptyWithExample } from '../example/nothing-yet.tsx';
import styles from '../gateway.module.css';

/** Domains with conversions: values are stored in one format and shown and accepted in another. */
export function DomainsView({ catalog }: { readonly catalog: GatewayCatalogView }) {
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
