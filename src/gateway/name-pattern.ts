/** True when a name fits one of the patterns, in which `*` stands for any text. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPattern(name, pattern));
}

/** `*` stands for any text, also none; everything else for itself. Linear in the length of the name for each `*`. */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let offset = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, offset);
    if (found === -1 || found + part.length > end) return false;
    offset = found + part.length;
  }
  return true;
}
