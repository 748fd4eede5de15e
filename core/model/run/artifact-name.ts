import { AppError } from '../../base/errors.ts';
import { countUtf8Bytes } from '../../base/text/utf8.ts';

/** Bytes that file systems take for a name, and that are told of as a whole. */
const longest = { segment: 255, name: 1024 } as const;

/**
 * Sees to it that the name of an artifact leads to nowhere but below the folder of the artifacts, on any system:
 * names between slashes, none of them `.` or `..`. Throws `bad_request`.
 */
export function checkArtifactName(name: string): string {
  const segments = name.split('/');
  const isSafe =
    countUtf8Bytes(name) <= longest.name &&
    !/[\p{Cc}\\]/u.test(name) &&
    !/^[A-Za-z]:/.test(name) &&
    segments.every(
      (segment) =>
        segment !== '' && segment !== '.' && segment !== '..' && countUtf8Bytes(segment) <= longest.segment,
    );
  if (isSafe) return name;
  throw new AppError(
    'bad_request',
    `Invalid artifact name ${JSON.stringify(name.slice(0, 200))}. Use a relative path without "..", backslashes or control characters, at most ${longest.segment} bytes per segment and ${longest.name} in total.`,
  );
}
