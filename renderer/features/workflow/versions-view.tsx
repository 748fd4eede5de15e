import { History, PenLine } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'wouter';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { VersionView } from '../../../core/contract/dag-files.ts';
import { useVersion, useVersions } from '../../api/version-queries.ts';
import { useQueryParams, paths, withQuery } from '../../navigation/address.ts';
import { LazyDiff } from '../../code/lazy-difference.ts';
import { versionLabel } from '../../format/values.ts';
import { formatActor } from '../../../core/model/run-event.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { SpecView } from './spec-view.tsx';
import styles from './workflow.module.css';
import { formatBytes } from '../../../core/base/text.ts';

/** Diagnostics are shown in the editor only. */
const noDiagnostics: readonly Diagnostic[] = [];

interface VersionsViewProps {
  readonly dag: DagDetailView;
  readonly mayEdit: boolean;
}

/** The versions of the file, and the changes since each. */
export function VersionsView({ dag, mayEdit }: VersionsViewProps) {
  const versions = useVersions(dag.fileName);
  const [query] = useQueryParams();
  return (
    <QueryState query={versions} what="The versions">
      {({ versions: list }) => {
        if (list.length === 0)
          return (
            <EmptyState icon={History} title="No versions yet">
              <p>Each save creates a version that you can restore.</p>
            </EmptyState>
          );
        const shown = list.find(({ id }) => String(id) === query.get('version')) ?? list[0]!;
        return (
          <div className={styles.columns}>
            <VersionList fileName={dag.fileName} versions={list} shown={shown.id} />
            <Version dag={dag} version={shown} mayEdit={mayEdit} />
          </div>
        );
      }}
    </QueryState>
  );
}

interface VersionListProps {
  readonly fileName: string;
  readonly versions: readonly VersionView[];
  readonly shown: number;
}

function VersionList({ fileName, versions, shown }: VersionListProps) {
  return (
    <nav className={styles.list} aria-label="Versions, newest first">
      {versions.map(({ id, kind, at, by }) => (
        <Link
          key={id}
          href={withQuery(paths.workflow(fileName), { tab: 'versions', version: String(id) })}
          replace
          className={styles.item}
          {...(id === shown && { 'aria-current': 'true' as const })}
        >
          <span>{versionLabel[kind]}</span>
          <span className={styles.when}>
            <RelativeTime iso={at} />
            {by !== undefined && ` ${formatActor(by)}`}
          </span>
        </Link>
      ))}
    </nav>
  );
}

interface VersionProps {
  readonly dag: DagDetailView;
  readonly version: VersionView;
  readonly mayEdit: boolean;
}

function Version({ dag, version, mayEdit }: VersionProps) {
  const read = useVersion(dag.fileName, version.id);
  return (
    <section className={styles.version} aria-label="Version">
      <QueryState query={read} what="This version">
        {({ spec }) => (
          <>
            <div className={styles.head}>
              <span>
                {spec === dag.spec ? 'Current version' : 'Changes since this version'}{' '}
                <span className={styles.when}>{formatBytes(version.bytes)}</span>
              </span>
              {mayEdit && spec !== dag.spec && (
                <LinkButton href={paths.editor(dag.fileName)} icon={PenLine}>
                  Restore in editor
                </LinkButton>
              )}
            </div>
            {spec === dag.spec ? (
              <SpecView spec={spec} diagnostics={noDiagnostics} />
            ) : (
              <Suspense fallback={null}>
                <LazyDiff before={spec} after={dag.spec} />
              </Suspense>
            )}
          </>
        )}
      </QueryState>
    </section>
  );
}
