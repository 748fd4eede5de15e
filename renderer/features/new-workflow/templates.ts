import { isMap, parseDocument } from 'yaml';

/** A bundled workflow template. */
export interface Template {
  /** File name without extension, and initial name of the workflow. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly text: string;
}

const first = 'first-steps';

// This module loads with the page that shows the templates, so their texts are not part of the initial load.
const texts = import.meta.glob<string>('../../../resources/templates/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const rank = ({ id, title }: Template): string => (id === first ? '' : title);

/** Parses a template; its description has the form `Title: what it does`. */
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

/** All templates by title, the beginner template first. */
export const templates: readonly Template[] = Object.entries(texts)
  .map(([path, text]) => readTemplate(path.replace(/^.*\/|\.yaml$/g, ''), text))
  .toSorted((left, right) => rank(left).localeCompare(rank(right)));

/** Returns the templates that contain all words. */
export function findTemplates(all: readonly Template[], words: string): readonly Template[] {
  const searchWords = words.toLowerCase().split(/\s+/);
  return all.filter(({ id, title, description, tags, text }) => {
    const searchText = [id, title, description, ...tags, text].join('\n').toLowerCase();
    return searchWords.every((word) => searchText.includes(word));
  });
}
