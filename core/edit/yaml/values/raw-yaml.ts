/**
 * YAML source to insert as a value with its comments and quotes, for example a step from the clipboard. Its
 * indentation is removed and replaced by that of its destination. This is a class, because a map `{ yaml: … }` is a
 * valid value.
 */
export class RawYaml {
  readonly yaml: string;

  constructor(yaml: string) {
    this.yaml = yaml;
  }
}

/** A value to write: plain data in which any part may be YAML source. */
export type Content = null | boolean | number | string | RawYaml | readonly Content[] | ContentMap;

/** A map to write, in this order. */
export interface ContentMap {
  readonly [key: string]: Content;
}
