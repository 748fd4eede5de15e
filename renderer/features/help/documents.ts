import { paths, withQuery } from '../../navigation/address.ts';

/** A page of the documentation. */
export interface HelpDocument {
  /** Path in `docs`, without `.md`: `executors/http`. */
  readonly name: string;
  readonly title: string;
  /** Markdown after the title. */
  readonly body: string;
}

// The API reference has a page of its own.
const files = import.meta.glob<string>(
  ['../../../docs/*.md', '../../../docs/executors/*.md', '!../../../docs/api-reference.md'],
  { query: '?raw', import: 'default', eager: true },
);

// Those of the README are not in the window.
const images = import.meta.glob<string>(
  [
    '../../../docs/images/*.png',
    '!../../../docs/images/editor-light.png',
    '!../../../docs/images/run-light.png',
  ],
  { query: '?url', import: 'default', eager: true },
);

/** The page that lists the others. */
export const startName = 'README';

/** The documentation, by title; first the list of pages. */
export const documents: readonly HelpDocument[] = Object.entries(files)
  .map(([file, text]) => {
    const name = file.replace('../../../docs/', '').replace(/\.md$/, '');
    const [, title = name, body = text] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
    return { name, title, body };
  })
  .toSorted(
    (a, b) => Number(b.name === startName) - Number(a.name === startName) || a.title.localeCompare(b.title),
  );

export const findDocument = (name: string): HelpDocument | undefined =>
  documents.find((document) => document.name === name);

/** Documents below a heading of the start page. */
export interface HelpGroup {
  readonly title: string;
  readonly documents: readonly HelpDocument[];
}

/** The documents by the headings of the start page, which is the first; each one where it is linked first. */
export function groupDocuments(): HelpGroup[] {
  const remaining = new Map(documents.map((document) => [document.name, document]));
  const take = (name: string): HelpDocument[] => {
    const document = remaining.get(name);
    remaining.delete(name);
    return document === undefined ? [] : [document];
  };
  const start = take(startName);
  const [, ...sections] = (start[0]?.body ?? '').split(/^## /m);
  const groups = sections.map((section, index) => ({
    title: section.split('\n', 1)[0]!,
    documents: [
      ...(index === 0 ? start : []),
      ...[...section.matchAll(/\]\(([\w/-]+)\.md[)#]/g)].flatMap(([, name]) => take(name!)),
    ],
  }));
  return [...groups, { title: 'More', documents: [...remaining.values()] }].filter(
    (group) => group.documents.length > 0,
  );
}

/** Returns the documents that contain all words, those with a word in the title first. */
export function searchDocuments(query: string): readonly HelpDocument[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const count = (text: string): number => words.filter((word) => text.toLowerCase().includes(word)).length;
  return documents
    .filter(({ title, body }) => count(`${title}\n${body}`) === words.length)
    .toSorted((a, b) => count(b.title) - count(a.title));
}

/** Returns the line of a document that contains the first word of a query. */
export function findExcerpt({ body }: HelpDocument, query: string): string | undefined {
  const [word = ''] = query.toLowerCase().split(/\s+/).filter(Boolean);
  const line = word === '' ? undefined : body.split('\n').find((text) => text.toLowerCase().includes(word));
  return line
    ?.replaceAll(/[`*|#]|\]\([^)]*\)|\[/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** Returns the id of a heading, as GitHub makes it. */
export const sectionId = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the URL of an image in a document; undefined for an unknown one. @param from name of the document */
export const toImageUrl = (from: string, source: string): string | undefined =>
  images[`../../../docs${new URL(source, `docs:/${from}`).pathname}`];

/**
 * Returns the address of a link in a document; undefined for files outside of the documentation.
 * @param from name of the document
 */
export function toHelpAddress(from: string, link: string): string | undefined {
  const base = 'docs:/';
  const { pathname, hash } = new URL(link, `${base}${from}.md`);
  const section = hash === '' ? undefined : hash.slice(1);
  if (pathname === '/api-reference.md') return paths.apiReference();
  const name = pathname.replace(/^\//, '').replace(/\.md$/, '');
  return findDocument(name) && withQuery(paths.help(name), { section });
}
