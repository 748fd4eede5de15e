/** Encodings of logs, by their labels in the Encoding Standard. */
export const logCharsets = [
  'utf-8',
  'shift_jis',
  'euc-jp',
  'iso-8859-1',
  'windows-1252',
  'gbk',
  'big5',
  'euc-kr',
] as const;

export type LogCharset = (typeof logCharsets)[number];
