const asciiLetters = /^[A-Za-z0-9]*$/u;
const boundaries = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/**
 * Parts of an identifier that has no separators in it: `getHTTPLog` gives `get`, `HTTP`, `Log`; `base64Encode` gives `base64`,
 * `Encode`. Case is kept. A plural acronym stays whole (`URLs`, `IDs`).
 */
export function splitIdentifier(run: string): readonly string[] {
  if (run.length < 2) return [run];
  return asciiLetters.test(run) ? splitAscii(run) : run.split(boundaries);
}

function splitAscii(run: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 1; index < run.length; index += 1) {
    if (!isUpper(run.charCodeAt(index))) continue;
    const afterLower = !isUpper(run.charCodeAt(index - 1));
    const next = index + 1 < run.length ? run.charCodeAt(index + 1) : 0;
    // The last capital of an acronym run starts the next word, unless only a plural "s" follows.
    const startsWord =
      isLower(next) && !(next === 115 && (index + 2 === run.length || isUpper(run.charCodeAt(index + 2))));
    if (afterLower || startsWord) {
      parts.push(run.slice(start, index));
      start = index;
    }
  }
  parts.push(run.slice(start));
  return parts;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}
