/**
 * YAML text to be put in as a value, comments and quoting kept: a step from the clipboard, a snippet. It is set flush left
 * and gets the indentation of its place. A class, since a map `{ yaml: … }` is a value as good as any.
 */
export class RawYaml {
  readonly yaml: string;

  constructor(yaml: string) {
    this.yaml = yaml;
  }
}

/** A value to be written: plain data in which any part may be YAML text. */
export type Content = null | boolean | number | string | RawYaml | readonly Content[] | ContentMap;

/** A map to be written, in this order. */
export interface ContentMap {
  readonly [key: string]: Content;
}
