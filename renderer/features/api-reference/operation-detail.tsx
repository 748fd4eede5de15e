import { Radio, ShieldCheck, ShieldOff } from 'lucide-react';
import { Link } from 'wouter';
import type { Role } from '../../../core/contract/operation.ts';
import type { OperationEntry } from '../../../core/contract/reference/api-reference.ts';
import { apiPrefix } from '../../../core/contract/transport/http-wire.ts';
import { useServerAddress } from '../../api/server-address.ts';
import { useAuthInfo } from '../../api/session/session-queries.ts';
import { paths } from '../../app/paths.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import styles from './api-reference.module.css';
import { FieldTable, TypeLabel } from './field-table.tsx';
import { InlineText } from '../../ui/text/words.tsx';

/** One operation or stream: request, response and errors. */
export function OperationDetail({ operation }: { readonly operation: OperationEntry }) {
  const { name, method, path, mount, summary, input, refusals: errors, isStream } = operation;
  return (
    <article className={styles.article}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        <p className={styles.summary}>
          <InlineText text={summary} />.
        </p>
        <DetailList>
          <RequiredRole role={operation.role} />
          {isStream && (
            <span>
              <Radio size={13} aria-hidden="true" /> Server-sent events
            </span>
          )}
        </DetailList>
      </header>
      <p className={styles.route}>
        <span className={styles.method}>{method}</span>
        <Path path={mount + path} />
      </p>
      <Request operation={operation} />
      {input.length > 0 && (
        <section className={styles.section}>
          <h3>Fields</h3>
          <FieldTable fields={input} hasPlaces />
        </section>
      )}
      <Answer operation={operation} />
      {errors.length > 0 && <ErrorList refusals={errors} />}
    </article>
  );
}

function RequiredRole({ role }: { readonly role: OperationEntry['role'] }) {
  return role === undefined ? (
    <span>
      <ShieldOff size={13} aria-hidden="true" /> No authentication
    </span>
  ) : (
    <span>
      <ShieldCheck size={13} aria-hidden="true" /> {requiredRoleText[role]}
    </span>
  );
}

const requiredRoleText: Readonly<Record<Role, string>> = {
  viewer: 'Any role',
  operator: 'Operator or higher',
  manager: 'Manager or higher',
  admin: 'Admin',
};

/** A path with its parameters highlighted. */
function Path({ path }: { readonly path: string }) {
  const segments = path.split(/(\{\w+\})/);
  return (
    <code className={styles.path}>
      {segments.map((segment, index) => (segment.startsWith('{') ? <b key={index}>{segment}</b> : segment))}
    </code>
  );
}

function Request({ operation }: { readonly operation: OperationEntry }) {
  const server = useServerAddress();
  // A server that accepts requests without credentials needs none in the example.
  const isGuarded = useAuthInfo().data?.required === true && operation.role !== undefined;
  const command = operation.curl(server + apiPrefix, isGuarded);
  return (
    <>
      <figure className={styles.example} aria-label="Example request">
        <pre>{command}</pre>
        <CopyButton label="Copy command" text={command} />
      </figure>
      {isGuarded && (
        <p className={styles.note}>
          <code>ENGINE_SERVER_TOKEN</code> is one of your{' '}
          <Link href={paths.tokens} className={styles.inText}>
            API tokens
          </Link>
          .
        </p>
      )}
    </>
  );
}

function Answer({ operation }: { readonly operation: OperationEntry }) {
  const { output, outputShape, isStream } = operation;
  return (
    <section className={styles.section}>
      <h3>{isStream ? 'Each item' : 'Response'}</h3>
      {outputShape !== undefined && (
        <p className={styles.note}>
          <TypeLabel type={outputShape} />
        </p>
      )}
      {output.length > 0 ? <FieldTable fields={output} /> : <p className={styles.note}>Empty object</p>}
    </section>
  );
}

function ErrorList({ refusals: errors }: Pick<OperationEntry, 'refusals'>) {
  return (
    <section className={styles.section}>
      <h3>Errors</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.nameColumn}>
              Code
            </th>
            <th scope="col" className={styles.place}>
              Status
            </th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ code, http, meaning }) => (
            <tr key={code}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td className={styles.muted}>{http}</td>
              <td>
                <InlineText text={meaning} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
