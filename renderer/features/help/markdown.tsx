import { Link } from 'wouter';
import { ScrollArea } from '../../ui/page.tsx';
import { sectionId } from './documents.ts';
import styles from './help.module.css';

/* The Markdown of the documentation: headings, paragraphs, lists, tables, code and quotes. Nothing is HTML. */

interface MarkdownProps {
  readonly text: string;
  /** Returns the address of a link in the app; undefined for a link elsewhere. */
  readonly toAddress: (link: string) => string | undefined;
}

interface DocumentProps extends MarkdownProps {
  /** Returns the URL of an image; undefined for an unknown one. */
  readonly toImageUrl: (source: string) => string | undefined;
}

type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'image'; readonly text: string; readonly source: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

const fence = /^\s*```/;
const heading = /^(#{1,4}) (.+)$/;
const item = /^\s*(?:[-*]|\d+\.) /;
const row = /^\|/;
const quote = /^> ?/;
const image = /^!\[(.*)\]\((\S+)\)/;

/** Splits a Markdown text into its blocks. */
export function readBlocks(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  while (lines.length > 0) {
    const block = takeBlock(lines);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** Removes the first block from the lines. */
function takeBlock(lines: string[]): Block | undefined {
  const [first = ''] = lines;
  const title = heading.exec(first);
  const figure = image.exec(first);
  if (first.trim() === '' || figure || title) {
    lines.shift();
    if (figure) return { kind: 'image', text: figure[1]!, source: figure[2]! };
    return title ? { kind: 'heading', level: title[1]!.length, text: title[2]! } : undefined;
  }
  if (fence.test(first)) {
    lines.shift();
    const code = takeWhile(lines, (line) => !fence.test(line));
    lines.shift();
    return { kind: 'code', text: code.join('\n') };
  }
  if (row.test(first)) {
    const [head = [], , ...rows] = takeWhile(lines, (line) => row.test(line)).map(readCells);
    return { kind: 'table', head, rows };
  }
  if (quote.test(first)) {
    const quoted = takeWhile(lines, (line) => quote.test(line));
    return { kind: 'quote', text: quoted.map((line) => line.replace(quote, '')).join(' ') };
  }
  const isList = item.test(first);
  const taken = takeWhile(
    lines,
    (line) => line.trim() !== '' && !fence.test(line) && !row.test(line) && (isList || !item.test(line)),
  );
  if (!isList) return { kind: 'paragraph', text: taken.join(' ') };
  const items: string[] = [];
  for (const line of taken) {
    if (item.test(line)) items.push(line.replace(item, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: 'list', isOrdered: /^\s*\d/.test(first), items };
}

function takeWhile(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

const readCells = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));

const inline = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[((?:`[^`]*`|[^\]])*)\]\(([^)\s]+)\)/;

/** Text with code, bold parts and links. */
function Inline({ text, toAddress }: MarkdownProps): React.ReactNode {
  const found = inline.exec(text);
  if (!found) return text;
  const [whole, , code, bold, label, link = ''] = found;
  const rest = text.slice(found.index + whole.length);
  return (
    <>
      {text.slice(0, found.index)}
      {code !== undefined && <code>{code.trim()}</code>}
      {bold !== undefined && (
        <strong>
          <Inline text={bold} toAddress={toAddress} />
        </strong>
      )}
      {label !== undefined && <DocumentLink label={label} link={link} toAddress={toAddress} />}
      <Inline text={rest} toAddress={toAddress} />
    </>
  );
}

interface DocumentLinkProps extends Pick<MarkdownProps, 'toAddress'> {
  readonly label: string;
  readonly link: string;
}

function DocumentLink({ label, link, toAddress }: DocumentLinkProps) {
  const content = <Inline text={label} toAddress={toAddress} />;
  if (/^https?:/.test(link))
    return (
      <a href={link} target="_blank" rel="noreferrer">
        {content}
      </a>
    );
  const address = toAddress(link);
  return address === undefined ? content : <Link href={address}>{content}</Link>;
}

/** A Markdown text as elements. */
export function Markdown({ text, ...links }: DocumentProps) {
  return readBlocks(text).map((block, index) => <BlockView key={index} block={block} {...links} />);
}

interface BlockProps extends Omit<DocumentProps, 'text'> {
  readonly block: Block;
}

function BlockView({ block, toAddress, toImageUrl }: BlockProps) {
  const render = (text: string): React.ReactNode => <Inline text={text} toAddress={toAddress} />;
  if (block.kind === 'code')
    return (
      <ScrollArea role="group" aria-label="Code">
        <pre className={styles.code}>{block.text}</pre>
      </ScrollArea>
    );
  if (block.kind === 'image') {
    const url = toImageUrl(block.source);
    return url && <img className={styles.image} src={url} alt={block.text} loading="lazy" />;
  }
  if (block.kind === 'quote') return <blockquote>{render(block.text)}</blockquote>;
  if (block.kind === 'paragraph') return <p>{render(block.text)}</p>;
  if (block.kind === 'heading') {
    const Heading = block.level < 3 ? 'h2' : 'h3';
    return <Heading id={sectionId(block.text)}>{render(block.text)}</Heading>;
  }
  if (block.kind === 'list') {
    const List = block.isOrdered ? 'ol' : 'ul';
    return (
      <List>
        {block.items.map((text, index) => (
          <li key={index}>{render(text)}</li>
        ))}
      </List>
    );
  }
  return <Table {...block} toAddress={toAddress} />;
}

interface TableProps extends Pick<MarkdownProps, 'toAddress'> {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function Table({ head, rows, toAddress }: TableProps) {
  return (
    <ScrollArea role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((text, index) => (
              <th key={index}>
                <Inline text={text} toAddress={toAddress} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at}>
              {cells.map((text, index) => (
                <td key={index}>
                  <Inline text={text} toAddress={toAddress} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
