import type { GatewayColumnView, GatewayDomainView } from '../../../../core/contract/gateway.ts';
import styles from '../gateway.module.css';

interface ConversionsProps {
  readonly column: GatewayColumnView;
  /** The domain of the column's type; absent without conversions. */
  readonly domain: GatewayDomainView | undefined;
}

/** The formats in which a column's values are read and written, and the functions that convert them. */
export function ColumnConversions({ column, domain }: ConversionsProps) {
  if (domain === undefined) return <span className={styles.muted}>as stored</span>;
  const ways = [
    ['responses', domain.response],
    ['filters', domain.filter],
    ['bodies', domain.body],
  ] as const;
  return (
    <dl className={styles.conversions}>
      {ways.map(([way, conversion]) => (
        <div key={way}>
          <dt>{way}</dt>
          <dd>
            {conversion === undefined ? (
              <span className={styles.muted}>as stored: {column.baseType}</span>
            ) : (
              <>
                by <code>{conversion}</code>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
