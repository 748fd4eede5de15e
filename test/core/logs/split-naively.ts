/** What a person would call the lines of a log: the slow and obvious way, to compare with. */
export function splitNaively(content: Buffer): string[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < content.length; at += 1) {
    if (content[at] !== 10) continue;
    lines.push(content.subarray(start, at));
    start = at + 1;
  }
  if (start < content.length) lines.push(content.subarray(start));
  return lines.map((line) => {
    const bare = line.at(-1) === 13 ? line.subarray(0, -1) : line;
    if (bare.length <= 65_536) return bare.toString('utf8');
    let cut = 65_536;
    while (cut > 65_533 && bare[cut]! >= 0x80 && bare[cut]! <= 0xbf) cut -= 1;
    return `${bare.subarray(0, cut).toString('utf8')}…`;
  });
}
