/** The UTF-8 bytes of a text. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPairAt(text, index, code)) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** The UTF-8 bytes of a text as a JSON string, with quotes and escapes. */
export function jsonStringBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text));
}

/**
 * A careful estimate of the tokens of a text: three characters of ASCII, or one of anything else, for each token. Meant
 * for limits, so it errs on the high side.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 0x80) ascii += 1;
  return Math.ceil(ascii / 3) + (text.length - ascii);
}

function isPairAt(text: string, index: number, code: number): boolean {
  if (code < 0xd800 || code > 0xdbff || index + 1 >= text.length) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
