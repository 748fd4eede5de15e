import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { AuthoredPath } from '../../outline.ts';
import { follow, textOfKey } from '../../outline/fields.ts';
import { isSpellingOf, type MapKind } from '../../yaml/keys/means-key.ts';

/** Kinds of the maps in fields, for maps with a fixed set of keys. */
const inner: Readonly<Record<string, MapKind>> = {
  retryPolicy: 'retryPolicy',
  repeatPolicy: 'repeatPolicy',
  continueOn: 'continueOn',
  parallel: 'parallel',
  tty: 'tty',
  container: 'container',
  preconditions: 'condition',
  schedule: 'schedule',
  mailOn: 'mailOn',
  errorMail: 'mail',
  infoMail: 'mail',
  smtp: 'smtp',
  otel: 'otel',
  runConfig: 'runConfig',
  ssh: 'ssh',
  secrets: 'secret',
};

/** Returns the kind of map at a key; undefined if its keys are arbitrary. */
export function childKind(kind: MapKind | undefined, key: string | number): MapKind | undefined {
  if (typeof key === 'number') return kind;
  if (kind === 'step' && key === 'type') return 'stepType';
  return kind === 'step' || kind === 'workflow' ? inner[key] : undefined;
}

/** Converts a path in canonical spelling to the spelling in the file, as far as the path exists. */
export function canonicalPath(
  node: Node | null,
  path: AuthoredPath,
  kind: MapKind,
  document: Document.Parsed,
): AuthoredPath {
  let at: Node | null = node;
  let within: MapKind | undefined = kind;
  return path.map((key) => {
    const parent: Node | null = follow(at, document);
    const own = within;
    within = childKind(within, key);
    if (isSeq<Node | null>(parent)) {
      at = parent.items[Number(key)] ?? null;
      return key;
    }
    if (!isMap<Node, Node | null>(parent)) {
      at = null;
      return key;
    }
    const pairs = parent.items.filter((pair) => isScalar(pair.key));
    const pair =
      pairs.find((each) => textOfKey(each.key) === String(key)) ??
      (own && pairs.find((each) => isSpellingOf(textOfKey(each.key), String(key), own)));
    at = pair?.value ?? null;
    return pair === undefined ? key : textOfKey(pair.key);
  });
}
