import { Link } from 'wouter';
import { Radio, ShieldCheck, ShieldOff } from 'lucide-react';
import {
  listReferenceGroups,
  listSchemaEntries,
  type OperationEntry,
  type SchemaEntry,
  type FieldEntry,
} from '../../../core/contract/api-reference.ts';
import type { Role } from '../../../core/contract/operation.ts';
import { apiPrefix } from '../../../core/contract/transport.ts';
import { paths } from '../../navigation/address.ts';
import { InlineText, DetailList } from '../../ui/detail-list.tsx';
import { useServerAddress } from '../../api/gateway-queries.ts';
import { useAuthInfo } from '../../api/session-queries.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import styles from './api-reference.module.css';

/** One row of the list. */
export interface ListEntry {
  readonly name: string;
  /** `GET` and other methods, or `SSE` for a stream; empty for a shape. */
  readonly kind: string;
  /** Lower-case text for the search. */
  readonly text: string;
}

/** A group of rows. */
export interface ListGroup {
  readonly title: string;
  readonly entries: readonly ListEntry[];
}

const operationGroups = listReferenceGroups();
const shapes = listSchemaEntries();

const groups: readonly ListGroup[] = [
  ...operationGroups.map(({ title, entries }) => ({ title, entries: entries.map(listOperation) })),
  { title: 'Schemas', entries: shapes.map(listShape) },
];

/** Number of operations and streams. */
export const operationCount = operationGroups.reduce((sum, { entries }) => sum + entries.length, 0);

/** The first entry in the list, shown by default. */
export const firstEntryName = groups[0]!.entries[0]!.name;

/** Filters the rows of each group to those that contain all words; omits empty groups. */
export function searchGroups(words: string): ListGroup[] {
  const searchWords = words.toLowerCase().split(/\s+/);
  return groups
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter(({ text }) => searchWords.every((word) => text.includes(word))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Finds an operation or stream by name. */
export const findOperation = (name: string): OperationEntry | undefined =>
  operationGroups.flatMap(({ entries }) => entries).find((entry) => entry.name === name);

/** Finds a shape by name. */
export const findShape = (name: string): SchemaEntry | undefined =>
  shapes.find((shape) => shape.name === name);

function listOperation(entry: OperationEntry): ListEntry {
  const { name, method, path, summary, isStream, input } = entry;
  const text = [name, method, path, summary, ...input.map((field) => field.name)].join(' ');
  return { name, kind: isStream ? 'SSE' : method, text: text.toLowerCase() };
}

function listShape({ name, fields }: SchemaEntry): ListEntry {
  return {
    name,
    kind: '',
    text: [name, ...fields.map((field) => field.name)].join(' ').toLowerCase(),
  };
}

interface FieldTableProps {
  readonly fields: readonly FieldEntry[];
  /** Whether the fields belong to different parts of a request. */
  readonly hasPlaces?: boolean;
}

/** Fields with their types and descriptions. */
function FieldTable({ fields, hasPlaces = false }: FieldTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.nameColumn}>
            Name
          </th>
          {hasPlaces && (
            <th scope="col" className={styles.location}>
              In
            </th>
          )}
          <th scope="col" className={styles.type}>
            Type
          </th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, location, type, required, description }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {!required && <span className={styles.optional}>optional</span>}
            </th>
            {hasPlaces && <td className={styles.muted}>{location}</td>}
            <td className={styles.muted}>
              <TypeLabel type={type} />
            </td>
            <td>
              <InlineText text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A type as text; its shapes link to their own entries. */
function TypeLabel({ type }: { readonly type: string }) {
  return type.split(/\b([A-Z]\w+)\b/).map((part, index) =>
    index % 2 === 1 && findShape(part) ? (
      <Link key={index} href={paths.apiReference(part)}>
        {part}
      </Link>
    ) : (
      part
    ),
  );
}

/** A shape that several responses use. */
export function ShapeDetail({ shape: { name, type, fields } }: { readonly shape: SchemaEntry }) {
  return (
    <article className={styles.article}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        <p className={styles.summary}>Schema shared by several operations</p>
      </header>
      {fields.length > 0 ? (
        <FieldTable fields={fields} />
      ) : (
        <p className={styles.note}>
          <TypeLabel type={type} />
        </p>
      )}
    </article>
  );
}

/** One operation or stream: request, response and errors. */
export function OperationDetail({ operation }: { readonly operation: OperationEntry }) {
  const { name, method, path, mount, summary, input, errors, isStream } = operation;
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
      {errors.length > 0 && <ErrorList errors={errors} />}
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
  const { output, outputSchema, isStream } = operation;
  return (
    <section className={styles.section}>
      <h3>{isStream ? 'Each item' : 'Response'}</h3>
      {outputSchema !== undefined && (
        <p className={styles.note}>
          <TypeLabel type={outputSchema} />
        </p>
      )}
      {output.length > 0 ? <FieldTable fields={output} /> : <p className={styles.note}>Empty object</p>}
    </section>
  );
}

function ErrorList({ errors }: Pick<OperationEntry, 'errors'>) {
  return (
    <section className={styles.section}>
      <h3>Errors</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.nameColumn}>
              Code
            </th>
            <th scope="col" className={styles.location}>
              Status
            </th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ code, http, description }) => (
            <tr key={code}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td className={styles.muted}>{http}</td>
              <td>
                <InlineText text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
