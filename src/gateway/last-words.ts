const mostLength = 400;
/** Names an error, and is not a stack frame: those name the functions of the program, often with "Error" in them. */
const errorLine = /^(?!\s*at\s).*(?:Error|[Ee]rror:|ERROR:|[Nn]ot [Ff]ound|[Cc]annot find)/;

/**
 * The one line of what a program wrote before it ended that says most about why: the last that looks like an error's message,
 * else the last that is not empty. Its start, at most 400 characters; empty when there is no line.
 */
export function lastWords(text: string): string {
  const lines = text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
  const line = (lines.findLast((each) => errorLine.test(each)) ?? lines.at(-1) ?? '').trim();
  return line.length > mostLength ? `${line.slice(0, mostLength)}…` : line;
}
