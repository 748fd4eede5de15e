import { SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { SearchField } from '../../ui/fields.tsx';
import { Page, ScrollArea } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/state.tsx';
import {
  findDocument,
  findExcerpt,
  groupDocuments,
  type HelpDocument,
  searchDocuments,
  startName,
  toHelpAddress,
  toImageUrl,
} from './documents.ts';
import styles from './help.module.css';
import { Markdown } from './markdown.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';

/** The documentation: a searchable list of its pages, and one of them. */
export function HelpPage({ name = startName }: { readonly name?: string | undefined }) {
  const [query, setQuery] = useState('');
  const shown = findDocument(name);
  return (
    <Page
      title={getPageLabel(paths.help())}
      actions={
        <SearchField label="Search help" placeholder="Search help" value={query} onChange={setQuery} />
      }
    >
      <div className={styles.columns}>
        <DocumentList query={query} chosen={name} />
        {shown ? (
          <Article key={name} {...shown} />
        ) : (
          <EmptyState icon={SearchX} title="Page not found">
            <p>
              See the <Link href={paths.help()}>list of pages</Link>.
            </p>
          </EmptyState>
        )}
      </div>
    </Page>
  );
}

function DocumentList({ query, chosen }: { readonly query: string; readonly chosen: string }) {
  if (query.trim() === '')
    return (
      <nav className={styles.list} aria-label="Help pages">
        {groupDocuments().map(({ title, documents }) => (
          <section key={title} aria-label={title}>
            <h2 className={styles.group}>{title}</h2>
            <DocumentLinks documents={documents} chosen={chosen} />
          </section>
        ))}
      </nav>
    );
  const found = searchDocuments(query);
  return (
    <nav className={styles.list} aria-label="Help pages">
      <p className={styles.count} role="status">
        {found.length === 0 ? 'No matches' : `${found.length} found`}
      </p>
      <DocumentLinks documents={found} query={query} chosen={chosen} />
    </nav>
  );
}

interface DocumentLinksProps {
  readonly documents: readonly HelpDocument[];
  /** Shows the first line with a word of it. */
  readonly query?: string;
  readonly chosen: string;
}

const DocumentLinks = ({ documents, query = '', chosen }: DocumentLinksProps) => (
  <ul>
    {documents.map((document) => (
      <li key={document.name}>
        <Link
          href={paths.help(document.name)}
          className={styles.entry}
          {...(document.name === chosen && { 'aria-current': 'page' as const })}
        >
          {document.title}
          <small>{findExcerpt(document, query)}</small>
        </Link>
      </li>
    ))}
  </ul>
);

interface ArticleProps {
  readonly name: string;
  readonly title: string;
  readonly body: string;
}

function Article({ name, title, body }: ArticleProps) {
  const area = useRef<HTMLDivElement>(null);
  const [query] = useQueryParams();
  const section = query.get('section');
  useEffect(() => {
    const target = section === null ? null : area.current?.querySelector(`[id="${CSS.escape(section)}"]`);
    target?.scrollIntoView({ block: 'start' });
  }, [section]);
  return (
    <ScrollArea ref={area} className={styles.article} aria-label={title}>
      <article>
        <h2 className={styles.title}>{title}</h2>
        <Markdown
          text={body}
          toAddress={(link) => toHelpAddress(name, link)}
          toImageUrl={(source) => toImageUrl(name, source)}
        />
      </article>
    </ScrollArea>
  );
}
