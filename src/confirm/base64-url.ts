const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** RFC 4648 section 5, without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const a = bytes[index] as number;
    const b = bytes[index + 1];
    const c = bytes[index + 2];
    text += alphabet[a >> 2] as string;
    text += alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)] as string;
    if (b !== undefined) text += alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)] as string;
    if (c !== undefined) text += alphabet[c & 63] as string;
  }
  return text;
}

/** The bytes, or undefined for anything that {@link encodeBase64Url} cannot have made. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value === -1) return undefined;
    buffer = ((buffer << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (buffer >> bits) & 0xff;
      at += 1;
    }
  }
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

/** RFC 4648 section 4, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
