import { isMap, parseDocument } from 'yaml';

/** A workflow that comes with the program, to begin with. */
export interface Template {
  /** Name of its file without the ending, which is what the workflow is called at first. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly text: string;
}

const first = 'first-steps';

// This module is loaded with the page that shows them, so their texts are no part of the first load.
const texts = import.meta.glob<string>('../../../resources/templates/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const rank = ({ id, title }: Template): string => (id === first ? '' : title);

/** A description reads `Title: what it does`. */
export function readTemplate(id: string, text: string): Template {
  const { contents } = parseDocument(text);
  const described = isMap(contents) ? String(contents.get('description') ?? '') : '';
  const tags = isMap(contents) ? String(contents.get('tags') ?? '') : '';
  const [title = id, ...rest] = described.split(': ');
  const description = rest.join(': ');
  return {
    id,
    title: title === '' ? id : title,
    description: description.replace(/^[a-z]+(?=[\s,])/, capitalize),
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    text,
  };
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** All templates by title, the one for beginners first. */
export const templates: readonly Template[] = Object.entries(texts)
  .map(([path, text]) => readTemplate(path.replace(/^.*\/|\.yaml$/g, ''), text))
  .toSorted((left, right) => rank(left).localeCompare(rank(right)));

/** The templates in which all words occur. */
export function findTemplates(all: readonly Template[], words: string): readonly Template[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return all.filter(({ id, title, description, tags, text }) => {
    const place = [id, title, description, ...tags, text].join('\n').toLowerCase();
    return wanted.every((word) => place.includes(word));
  });
}
